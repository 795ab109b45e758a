/** Starts processes next to the platform's: the programs that it is compared with, and a second worker. */
import { basename, join } from 'node:path';
import { demoOverrides } from '../../dev/demo/environment';
import type { ClosingOrder } from '../../dev/stack/closing';
import type { Environment } from '../../dev/stack/platform-environment';
import { NODE_FLAGS } from '../../dev/stack/platform-processes';
import { freePort, releasePort } from '../../dev/stack/ports';
import { RunningProcess } from '../../dev/stack/processes';
import { repositoryRoot } from '../../dev/stack/repository';
import { answersOk } from '../../dev/stack/wait-until';
import { startWatchdog } from '../../dev/stack/watchdog';
import type { BenchStack } from './bench-stack';

interface ProcessBeside {
  name: string;
  /** Arguments of Node. The program is the last one, relative to the repository. */
  args: string[];
  env: Environment;
  ready: () => Promise<boolean>;
  /** Stops the process. */
  closing: ClosingOrder;
}

const READY_WITHIN_MS = 60_000;

async function startBeside(
  { stack }: BenchStack,
  { closing, ...plan }: ProcessBeside,
): Promise<RunningProcess> {
  const watchdog = startWatchdog();
  closing.add(`the watchdog of ${plan.name}`, () => Promise.resolve(watchdog.stop()));
  const running = new RunningProcess(
    { ...plan, command: process.execPath, cwd: repositoryRoot(), readyTimeoutMs: READY_WITHIN_MS },
    { logFolder: join(stack.dataFolder, 'logs'), runFolder: join(stack.dataFolder, 'run'), watchdog },
  );
  closing.add(plan.name, () => running.stop());
  await running.start();
  return running;
}

/** Reserves a free port until `closing`. */
export async function givePort(closing: ClosingOrder): Promise<number> {
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  return port;
}

interface Rival extends Pick<ProcessBeside, 'env' | 'closing'> {
  /** File in `dist/verify/bench`. */
  program: string;
  /** Port of the program's endpoint for the carrier's events. */
  eventsPort: number;
  /** By default, the program is ready when its endpoint answers. */
  ready?: () => Promise<boolean>;
}

/** Starts a program that the platform is compared with. It uses the same carrier and the same webhook receiver. */
export function startRival(bench: BenchStack, rival: Rival): Promise<RunningProcess> {
  const { env, program, eventsPort, closing } = rival;
  const { stack, receiver } = bench;
  return startBeside(bench, {
    name: basename(program, '.js'),
    args: [join('dist/verify/bench', program)],
    env: {
      CARRIER_URL: stack.carrierUrl,
      ...env,
      CARRIER_SECRET: stack.secrets.carrierSecret,
      WEBHOOK_URL: `${receiver.url}/calls`,
      EVENTS_PORT: String(eventsPort),
    },
    ready: rival.ready ?? (() => answersOk(`http://127.0.0.1:${eventsPort}/`)),
    closing,
  });
}

/** Starts another worker of the platform, as an operator would. */
export async function startSecondWorker(
  bench: BenchStack,
  environment: Environment,
  closing: ClosingOrder,
): Promise<RunningProcess> {
  const port = await givePort(closing);
  return startBeside(bench, {
    name: 'worker-2',
    args: [...NODE_FLAGS, `--env-file=${bench.stack.environmentFile}`, 'dist/worker/main.js'],
    env: {
      ...environment,
      ...demoOverrides(bench.receiver.host).all,
      WORKER_HEALTH_PORT: String(port),
    },
    ready: () => answersOk(`http://127.0.0.1:${port}/readyz`),
    closing,
  });
}
