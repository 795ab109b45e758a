/** Starts the processes that judge mutants, one per job. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ClosingOrder } from '../../dev/stack/closing';
import { repositoryRoot } from '../../dev/stack/repository';
import type { SuiteResult } from './jest-run';
import type { Judged, Work } from './judge';

/** The built program, because a judge runs as a separate process. */
const PROGRAM = join(repositoryRoot(), 'dist', 'verify', 'mutants', 'judge.js');

export type Answer = Exclude<Judged, { kind: 'fault' }>;

export interface Judges {
  /** Gives each item to the next free judge, in order. Rejects if a judge dies or fails, or if `signal` is aborted. */
  each: <T extends Work>(
    items: readonly T[],
    onJudged: (item: T, judged: Answer, ms: number) => void,
  ) => Promise<void>;
  close: () => Promise<void>;
}

export async function openJudges(jobs: number, signal: AbortSignal): Promise<Judges> {
  const closing = new ClosingOrder();
  const children = Array.from({ length: jobs }, () => fork(PROGRAM));
  for (const child of children) closing.add('a judge', () => dismissed(child));
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  interrupted.catch(() => undefined);
  try {
    await Promise.race([Promise.all(children.map(answer)), interrupted]);
  } catch (error) {
    await closing.close();
    throw error;
  }
  return {
    each: async (items, onJudged) => {
      const left = [...items];
      const work = async (child: ChildProcess): Promise<void> => {
        for (let item = left.shift(); item !== undefined; item = left.shift()) {
          const begun = Date.now();
          const answered = answer(child);
          child.send(item);
          const judged = (await answered) as Judged;
          if (judged.kind === 'fault') throw new Error(`a judge failed: ${judged.reason}`);
          onJudged(item, judged, Date.now() - begun);
        }
      };
      await Promise.race([Promise.all(children.map(work)), interrupted]);
    },
    close: () => closing.close(),
  };
}

async function answer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const death = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('a judge died; see its output above');
  });
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      death,
    ])) as unknown[];
    return message;
  } finally {
    ended.abort();
    death.catch(() => undefined);
  }
}

/** The judge closes its servers when the parent disconnects. */
async function dismissed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exit;
}

type Baseline = ReadonlyMap<string, SuiteResult>;

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
