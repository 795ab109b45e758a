import { acceptedAs } from './accepted';
import type { Answer } from './judges';
import type { Mutant } from './mutant';

export type Verdict = 'found' | 'timeout' | 'survived' | 'accepted' | 'invalid';

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

export interface Score {
  /** Number of mutants except invalid ones. */
  judged: number;
  /** Includes timeouts. */
  found: number;
  survived: number;
  accepted: number;
  invalid: number;
}

export const MIN_SHARE = 0.95;

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
export const shareOf = ({ judged, found, accepted }: Score): number =>
  judged === accepted ? 1 : found / (judged - accepted);

export const hasPassed = (results: readonly Result[]): boolean => {
  const score = scoreOf(results);
  return score.survived === 0 && shareOf(score) >= MIN_SHARE;
};
