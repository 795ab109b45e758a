/** Summarises the results of all runs as a table and as JSON. */
import { columns, number } from '../bench/figure';
import type { SeedResult } from './run-seed';

interface SeedReport {
  seed: number;
  dials: number;
  duplicates: number;
  contacts_lost: number;
  cap_overruns: number;
  start_to_dial_s: Spread;
  kill_to_dial_s: Spread;
  violations: string[];
  duration_s: number;
  faults: number;
}

/** Null if nothing was measured. */
interface Spread {
  max: number | null;
  p50: number | null;
  n: number;
}

interface Scorecard {
  seeds: SeedReport[];
  totals: Omit<SeedReport, 'seed' | 'violations'> & { seeds: number; violations: number };
}

export function scorecard(results: readonly SeedResult[]): Scorecard {
  const seeds = results.map(reportOf);
  const sum = (of: (report: SeedReport) => number) => seeds.reduce((total, each) => total + of(each), 0);
  return {
    seeds,
    totals: {
      seeds: seeds.length,
      dials: sum(({ dials }) => dials),
      duplicates: sum(({ duplicates }) => duplicates),
      contacts_lost: sum((each) => each.contacts_lost),
      cap_overruns: sum((each) => each.cap_overruns),
      start_to_dial_s: spread(results.flatMap(({ verdict }) => verdict.figures.start_to_dial_s)),
      kill_to_dial_s: spread(results.flatMap(({ verdict }) => verdict.figures.kill_to_dial_s)),
      violations: sum(({ violations }) => violations.length),
      duration_s: rounded(sum((each) => each.duration_s)),
      faults: sum(({ faults }) => faults),
    },
  };
}

export function violationsOf({ verdict }: Pick<SeedResult, 'verdict'>): string[] {
  return verdict.invariants.flatMap(({ number: which, name, violations }) =>
    violations.map((violation) => `${which}. ${name}: ${violation}`),
  );
}

function reportOf(result: SeedResult): SeedReport {
  const { figures } = result.verdict;
  return {
    seed: result.seed,
    dials: figures.dials,
    duplicates: figures.duplicates,
    contacts_lost: figures.contacts_lost,
    cap_overruns: figures.cap_overruns,
    start_to_dial_s: spread(figures.start_to_dial_s),
    kill_to_dial_s: spread(figures.kill_to_dial_s),
    violations: violationsOf(result),
    duration_s: rounded(result.durationS),
    faults: result.faults,
  };
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number) => {
    const value = sorted[index];
    return value === undefined ? null : rounded(value);
  };
  return { max: at(sorted.length - 1), p50: at(Math.ceil(sorted.length / 2) - 1), n: sorted.length };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const HEADER = [
  'seed',
  'faults',
  'dials',
  'duplicates',
  'lost',
  'overruns',
  'start to dial p50',
  'max',
  'kill to dial p50',
  'max',
  'violations',
  'time',
];

export function scorecardTable({ seeds, totals }: Scorecard): string {
  const shown = (value: number | null) => (value === null ? '-' : `${number(value)} s`);
  const row = (name: string, each: Omit<SeedReport, 'seed' | 'violations'>, violations: number) => [
    name,
    String(each.faults),
    String(each.dials),
    String(each.duplicates),
    String(each.contacts_lost),
    String(each.cap_overruns),
    shown(each.start_to_dial_s.p50),
    shown(each.start_to_dial_s.max),
    shown(each.kill_to_dial_s.p50),
    shown(each.kill_to_dial_s.max),
    String(violations),
    `${Math.round(each.duration_s)} s`,
  ];
  const rows = seeds.map((each) => row(String(each.seed), each, each.violations.length));
  const total = row(`all ${totals.seeds}`, totals, totals.violations);
  return columns(
    [HEADER, ...rows, total],
    HEADER.map((_name, column) => column),
  );
}
