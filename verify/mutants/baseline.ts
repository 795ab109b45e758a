/** Runs each suite without a mutant to measure its time and to check that it passes. */
import type { SuiteResult } from './jest-run';
import type { Judges } from './judges';
import type { Work } from './judge';

export type Baseline = ReadonlyMap<string, SuiteResult>;

/** Start time of Jest. */
const START_MS = 30_000;
/** Allows the machine to become this many times slower. */
const SLACK = 4;
const MIN_TEST_MS = 15_000;

/** @throws Error that names a suite that fails or runs no tests here */
export async function measureBaseline(
  judges: Judges,
  suites: readonly string[],
  jobs: number,
): Promise<Baseline> {
  const shares = Array.from({ length: jobs }, (_none, job) =>
    suites.filter((_suite, index) => index % jobs === job),
  );
  const items = shares
    .filter((share) => share.length > 0)
    .map((share): Extract<Work, { kind: 'baseline' }> => ({ kind: 'baseline', suites: share }));
  const measured = new Map<string, SuiteResult>();
  await judges.each(items, (_item, judged) => {
    if (judged.kind !== 'ran') throw new Error('the baseline did not run');
    for (const result of judged.results ?? []) measured.set(result.suite, result);
  });
  for (const suite of suites) {
    const { failure = null, passed = 0, message = '' } = measured.get(suite) ?? {};
    if (failure !== null) throw new Error(`${suite} fails without a mutant: ${failure}\n${message}`);
    if (passed === 0) throw new Error(`${suite} runs no test on this machine, so it cannot find a mutant`);
  }
  return measured;
}

/** Returns time limits for a mutant. A run that takes longer is treated as hanging. */
export function limitsFor(
  baseline: Baseline,
  suites: readonly string[],
): { limitMs: number; testLimitMs: number } {
  const results = suites.flatMap((suite) => baseline.get(suite) ?? []);
  const sum = results.reduce((total, { ms }) => total + ms, 0);
  const longest = Math.max(0, ...results.map(({ longestTestMs }) => longestTestMs));
  return { limitMs: START_MS + SLACK * sum, testLimitMs: Math.max(MIN_TEST_MS, SLACK * longest) };
}
