/** A worker beside the stack's own, started as an operator starts one. */
import { join } from 'node:path';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { answersOk } from '../../../dev/stack/wait-until';
import { startWatchdog } from '../../../dev/stack/watchdog';
import type { BenchStack } from '../bench-stack';

const ENTRY = 'dist/worker/main.js';

/** Not started yet. */
export async function secondWorker(
  { stack, receiver }: BenchStack,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<RunningProcess> {
  const port = await freePort(0);
  closing.add('the port of the second worker', () => Promise.resolve(releasePort(port)));
  const watchdog = startWatchdog();
  closing.add('the watchdog of the second worker', () => Promise.resolve(watchdog.stop()));
  const worker = new RunningProcess(
    {
      name: 'worker-2',
      command: process.execPath,
      args: [`--env-file=${stack.environmentFile}`, join(repositoryRoot(), ENTRY)],
      cwd: repositoryRoot(),
      env: {
        ...environment,
        LEGAL_WINDOW_UTC: '00:00-24:00',
        WEBHOOK_ALLOWED_HOSTS: receiver.host,
        WORKER_HEALTH_PORT: String(port),
      },
      ready: () => answersOk(`http://127.0.0.1:${port}/readyz`),
      readyTimeoutMs: 60_000,
    },
    { logFolder: join(stack.dataFolder, 'logs'), runFolder: join(stack.dataFolder, 'run'), watchdog },
  );
  closing.add('the second worker', () => worker.stop());
  return worker;
}
