/** Prints progress while mutants are judged, and then the result. */
import { acceptedAs } from './accepted';
import type { Answer } from './judges';
import { AREAS, type Mutant } from './mutant';

type Verdict = 'found' | 'timeout' | 'survived' | 'accepted' | 'invalid';

export interface Result extends Pick<Mutant, 'area' | 'file' | 'line' | 'column' | 'code' | 'change'> {
  verdict: Verdict;
  /** The failed test, the reason why the mutant is invalid, or the reason why it is accepted. Null for a survivor or a timeout. */
  because: string | null;
  seconds: number;
}

export function resultOf(mutant: Mutant, judged: Answer, ms: number): Result {
  const { area, file, line, column, code, change } = mutant;
  const of = { area, file, line, column, code, change, seconds: Math.round(ms / 100) / 10 };
  if (judged.kind === 'invalid') return { ...of, verdict: 'invalid', because: judged.reason };
  if (judged.results === null) return { ...of, verdict: 'timeout', because: null };
  const failed = judged.results.find(({ failure }) => failure !== null);
  if (failed !== undefined) return { ...of, verdict: 'found', because: `${failed.suite}: ${failed.failure}` };
  const accepted = acceptedAs(mutant);
  return { ...of, verdict: accepted === null ? 'survived' : 'accepted', because: accepted?.reason ?? null };
}

interface Score {
  /** Number of mutants except invalid ones. */
  judged: number;
  /** Includes timeouts. */
  found: number;
  survived: number;
  accepted: number;
  invalid: number;
}

const MIN_SHARE = 0.95;

export function scoreOf(results: readonly Result[]): Score {
  const count = (...verdicts: Verdict[]): number =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const invalid = count('invalid');
  return {
    judged: results.length - invalid,
    found: count('found', 'timeout'),
    survived: count('survived'),
    accepted: count('accepted'),
    invalid,
  };
}

/** Accepted mutants are left out, because no test can find them. */
const shareOf = ({ judged, found, accepted }: Score): number =>
  judged === accepted ? 1 : found / (judged - accepted);

export const hasPassed = (results: readonly Result[]): boolean => {
  const score = scoreOf(results);
  return score.survived === 0 && shareOf(score) >= MIN_SHARE;
};

export const place = ({ file, line, column }: Pick<Mutant, 'file' | 'line' | 'column'>): string =>
  `${file}:${line}:${column}`;

export function progressLine(results: readonly Result[], total: number, elapsedMs: number): string {
  const { found, survived, accepted, invalid } = scoreOf(results);
  const restMs = (elapsedMs / results.length) * (total - results.length);
  const others = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(invalid > 0 ? [`${invalid} no mutants`] : []),
  ];
  const counts = [`${found} found`, `${survived} survived`, ...others].join(', ');
  return `${results.length}/${total}: ${counts}; about ${minutes(restMs)} left`;
}

/** Returns a table by area, followed by each mutant that was not found. */
export function report(results: readonly Result[], elapsedMs: number): string {
  const rows = [...AREAS.filter((area) => results.some((result) => result.area === area)), null].map(
    (area) => {
      const score = scoreOf(results.filter((result) => area === null || result.area === area));
      const { judged, found, survived, accepted, invalid } = score;
      return [area ?? 'all', judged, found, percent(shareOf(score)), survived, accepted, invalid].map(String);
    },
  );
  const head = ['area', 'mutants', 'found', 'share', 'survived', 'accepted', 'no mutants'];
  const shown = results.filter(({ verdict }) => verdict !== 'found' && verdict !== 'invalid');
  return [
    table([head, ...rows]),
    '',
    ...shown.map(line),
    `${results.length} changes judged in ${minutes(elapsedMs)}.`,
  ].join('\n');
}

function line(result: Result): string {
  const why = result.because === null ? '' : `\n    ${result.because}`;
  return `${result.verdict}  ${place(result)}  ${result.change}\n    ${result.code}${why}`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
