/** Builds the figures of the budget and their goals. */
import type { Round } from './textbook/measure-textbook';
import { figure, type Figure, median, percentile } from './figure';
import { type Actions, totalActions } from './histories';
import { type Cost, idleTimesMs, type PooledCampaign, pooledCost } from './measure-campaign';
import { totalStatements } from './statements';
import { type PlatformCpuMs, type Usage } from './usage';

const BUDGET = {
  actions: 4,
  callEvents: 10,
  callKib: 4,
  campaignEvents: 4,
  statements: 8.2,
  idleP50Ms: 20,
  idleP99Ms: 80,
  idlePlatformMsPerS: 60,
  cpuToTextbook: 0.7,
} as const;

export function temporalFigures({ calls, campaignRuns, contacts }: PooledCampaign): Figure[] {
  const pair = (name: string, values: readonly number[], unit: string, goal: number) => [
    figure(`${name}, median`, median(values), unit, goal),
    figure(`${name}, most`, Math.max(...values), unit, goal),
  ];
  const perCall = (value: (run: PooledCampaign['campaignRuns'][number]) => number) =>
    campaignRuns.reduce((sum, run) => sum + value(run), 0) / contacts;
  return [
    ...pair(
      'Temporal actions per call',
      calls.map(({ actions }) => totalActions(actions)),
      '',
      BUDGET.actions,
    ),
    ...pair(
      'history events per call',
      calls.map(({ events }) => events.length),
      '',
      BUDGET.callEvents,
    ),
    ...pair(
      'history size per call',
      calls.map(({ bytes }) => bytes / 1024),
      'KiB',
      BUDGET.callKib,
    ),
    figure(
      'events in the campaign per call',
      perCall(({ events }) => events.length),
      '',
      BUDGET.campaignEvents,
    ),
    figure(
      'actions of the campaign per call',
      perCall(({ actions }) => totalActions(actions)),
      '',
    ),
  ];
}

/** Subtracts the statements that the idle platform would run in the same time, such as reconciliation. */
export function statementFigures({ usage, contacts }: Cost, idle: Usage): Figure[] {
  const idlePerMs = totalStatements(idle.statements) / idle.elapsedMs;
  const caused = totalStatements(usage.statements) - idlePerMs * usage.elapsedMs;
  return [
    figure('SQL statements per call', caused / contacts, '', BUDGET.statements),
    figure('SQL statements of the idle platform', idlePerMs * 1000, '/s'),
  ];
}

export function lineFigures({ idleMs }: PooledCampaign): Figure[] {
  return [
    figure('idle line, p50', percentile(idleMs, 0.5), 'ms', BUDGET.idleP50Ms),
    figure('idle line, p99', percentile(idleMs, 0.99), 'ms', BUDGET.idleP99Ms),
  ];
}

const PARTS = ['worker', 'temporal', 'api', 'postgres'] as const;

const wholeCpuMs = (cpuMs: PlatformCpuMs): number => PARTS.reduce((sum, part) => sum + cpuMs[part], 0);

export function cpuFigures({ usage, contacts }: Cost): Figure[] {
  const { temporalInPostgres } = usage.cpuMs;
  return [
    figure('CPU per call, all processes', wholeCpuMs(usage.cpuMs) / contacts, 'ms'),
    ...PARTS.map((part) => figure(`CPU per call, ${part}`, usage.cpuMs[part] / contacts, 'ms')),
    ...(temporalInPostgres === null
      ? []
      : [figure("  of it in Temporal's databases", temporalInPostgres / contacts, 'ms')]),
  ];
}

/** Figures of the idle platform. The figures per call include its CPU use, also for the textbook program. */
export function idleCpuFigures({ cpuMs, elapsedMs }: Usage): Figure[] {
  const perSecond = (ms: number): number => (ms / elapsedMs) * 1000;
  return [
    figure('CPU of the idle platform', perSecond(wholeCpuMs(cpuMs)), 'ms/s', BUDGET.idlePlatformMsPerS),
    ...PARTS.map((part) => figure(`CPU of the idle platform, ${part}`, perSecond(cpuMs[part]), 'ms/s')),
  ];
}

/** If the figure is above zero, other programs influenced the times. */
export function othersFigure({ othersCores }: Usage): Figure {
  return figure('cores that other programs kept busy', othersCores, '');
}

export function textbookFigures(rounds: readonly Round[]): Figure[] {
  const theirs = rounds.map(({ textbook }) => textbook);
  const { usage, contacts } = pooledCost(theirs);
  const idleMs = idleTimesMs(theirs);
  const ours = pooledCost(rounds.map((round) => round.ours));
  const ratios = rounds.map((round) => engineCpuMs(round.ours.usage) / engineCpuMs(round.textbook.usage));
  return [
    figure(
      'CPU of worker + Temporal / textbook',
      engineCpuMs(ours.usage) / engineCpuMs(usage),
      'x',
      BUDGET.cpuToTextbook,
    ),
    figure('  least of the rounds', Math.min(...ratios), 'x'),
    figure('  most of the rounds', Math.max(...ratios), 'x'),
    figure('textbook: CPU per call, worker', usage.cpuMs.worker / contacts, 'ms'),
    figure('textbook: CPU per call, temporal', temporalCpuMs(usage.cpuMs) / contacts, 'ms'),
    figure('textbook: idle line, p50', percentile(idleMs, 0.5), 'ms'),
    figure('textbook: idle line, p99', percentile(idleMs, 0.99), 'ms'),
  ];
}

const engineCpuMs = ({ cpuMs }: Usage): number => cpuMs.worker + temporalCpuMs(cpuMs);

/** The development server's process includes its database. On Postgres, the CPU time of Temporal's backends is added. */
const temporalCpuMs = (cpuMs: PlatformCpuMs): number => cpuMs.temporal + (cpuMs.temporalInPostgres ?? 0);

const SHOWN_CHARACTERS = 90;
const SHOWN_STATEMENTS = 15;

/** Lists the actions and statements of a call, to find savings. */
export function details({ campaign, idle }: { campaign: PooledCampaign; idle: Usage }): string {
  const { contacts, usage, calls } = campaign;
  const kinds = new Set(calls.flatMap(({ actions }) => Object.keys(actions) as (keyof Actions)[]));
  const actions = [...kinds].map(
    (kind) => `  ${kind}: ${median(calls.map((call) => call.actions[kind] ?? 0))}`,
  );
  const idleCalls = new Map(idle.statements);
  const share = usage.elapsedMs / idle.elapsedMs;
  const statements = usage.statements
    .map(([query, count]): [string, number] => [
      query,
      (count - (idleCalls.get(query) ?? 0) * share) / contacts,
    ])
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN_STATEMENTS)
    .map(
      ([query, perCall]) =>
        `  ${perCall.toFixed(2)}  ${query.replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)}`,
    );
  return ['Actions of a call, median:', ...actions, 'Statements per call:', ...statements].join('\n');
}
