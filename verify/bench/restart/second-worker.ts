/** A worker beside the stack's own, started as an operator starts one. */
import type { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import type { RunningProcess } from '../../../dev/stack/processes';
import { answersOk } from '../../../dev/stack/wait-until';
import type { BenchStack } from '../bench-stack';
import { processBeside } from '../beside';

/** Not started yet. */
export async function secondWorker(
  { stack, receiver }: BenchStack,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<RunningProcess> {
  const port = await freePort(0);
  closing.add('the port of the second worker', () => Promise.resolve(releasePort(port)));
  return processBeside(
    { stack },
    {
      name: 'worker-2',
      args: [`--env-file=${stack.environmentFile}`, 'dist/worker/main.js'],
      env: {
        ...environment,
        LEGAL_WINDOW_UTC: '00:00-24:00',
        WEBHOOK_ALLOWED_HOSTS: receiver.host,
        WORKER_HEALTH_PORT: String(port),
      },
      ready: () => answersOk(`http://127.0.0.1:${port}/readyz`),
    },
    closing,
  );
}
