/** Starts one of the benchmark's processes along with the platform's. Its log is in the same folder. */
import { join } from 'node:path';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { startWatchdog } from '../../../dev/stack/watchdog';
import type { BenchStack } from '../bench-stack';

export interface ProcessBeside {
  name: string;
  /** Arguments for Node. The program comes last, relative to the repository. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  ready: () => Promise<boolean>;
}

const READY_WITHIN_MS = 60_000;

/** Returns a process that hasn't been started yet. `closing` stops it. */
export function processBeside(
  { stack }: Pick<BenchStack, 'stack'>,
  { name, args, env, ready }: ProcessBeside,
  closing: ClosingOrder,
): RunningProcess {
  const watchdog = startWatchdog();
  closing.add(`the watchdog of ${name}`, () => Promise.resolve(watchdog.stop()));
  const cwd = repositoryRoot();
  const running = new RunningProcess(
    { name, command: process.execPath, args: [...args], cwd, env, ready, readyTimeoutMs: READY_WITHIN_MS },
    { logFolder: join(stack.dataFolder, 'logs'), runFolder: join(stack.dataFolder, 'run'), watchdog },
  );
  closing.add(name, () => running.stop());
  return running;
}
