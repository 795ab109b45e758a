/** Runs steps in order and collects their results for the report. */
import { errorText } from '../../dev/error-text';
import { during, note, type OnProgress } from '../../dev/progress';
import { columns } from '../bench/figure';

export interface Step<Stage> {
  name: string;
  /** Steps that must succeed before this one. */
  needs?: readonly string[];
  /** Returns a short observation. @throws Skip if the step can't run, or another error if it failed */
  play: (stage: Stage) => Promise<string>;
}

/** The step can't run on this machine. The message explains why. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

export interface Result {
  step: string;
  state: 'works' | 'failed' | 'skipped';
  detail: string;
  seconds: number;
}

/** Runs every step that it can. If a step fails, skips only the steps that need it. */
export async function playAll<Stage>(
  steps: readonly Step<Stage>[],
  stage: Stage,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<Result[]> {
  const results: Result[] = [];
  for (const step of steps) {
    signal.throwIfAborted();
    const result = await playOne(step, stage, results, onProgress);
    results.push(result);
    note(onProgress, lineOf(result));
  }
  return results;
}

async function playOne<Stage>(
  { name, needs = [], play }: Step<Stage>,
  stage: Stage,
  results: readonly Result[],
  onProgress: OnProgress,
): Promise<Result> {
  const missing = needs.find((need) => results.find(({ step }) => step === need)?.state !== 'works');
  if (missing !== undefined)
    return { step: name, state: 'skipped', detail: `needs "${missing}"`, seconds: 0 };
  const startedAt = performance.now();
  const ended = (state: Result['state'], detail: string): Result => {
    return { step: name, state, detail, seconds: (performance.now() - startedAt) / 1000 };
  };
  try {
    return ended('works', await during(onProgress, name, () => play(stage)));
  } catch (error) {
    return ended(error instanceof Skip ? 'skipped' : 'failed', errorText(error));
  }
}

const MAX_CHARACTERS = 200;
const MARKS = { works: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

function lineOf({ step, state, detail, seconds }: Result): string {
  return `${MARKS[state]} ${step}, ${seconds.toFixed(1)} s: ${detail}`;
}

/** Shows the first line of each detail. Failures are printed in full as soon as they happen. */
export function resultTable(results: readonly Result[]): string {
  const rows = results.map(({ step, state, seconds, detail }) => {
    return [step, MARKS[state], seconds.toFixed(1), (detail.split('\n')[0] ?? '').slice(0, MAX_CHARACTERS)];
  });
  return columns([['step', 'result', 's', 'detail'], ...rows], [2]);
}

export const hasFailed = (results: readonly Result[]): boolean =>
  results.some(({ state }) => state === 'failed');
