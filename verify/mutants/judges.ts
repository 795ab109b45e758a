/** Starts the processes that judge mutants, one per job. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/stack/repository';
import { ClosingOrder } from '../../dev/stack/closing';
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
