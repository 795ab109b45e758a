/** Runs the textbook program on the servers of a bench stack whose own worker and API have been stopped. */
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { readSimulatorLog } from '../../simulator/log';
import type { ClosingOrder } from '../../stack/closing';
import { RunningProcess } from '../../stack/processes';
import { repositoryRoot } from '../../stack/repository';
import { withinTime } from '../../stack/wait-until';
import { startWatchdog } from '../../stack/watchdog';
import type { BenchStack } from '../bench-stack';
import { courseOf, type CampaignCourse } from '../campaign-course';
import { cpuTimes, difference } from '../cpu-time';
import { assertComplete } from '../measure-campaign';
import { startEventsEndpoint } from './events-endpoint';
import { TEXTBOOK_TASK_QUEUE } from './task-queue';
import { endedSignal, textbookCampaign, type TextbookCampaignInput } from './workflows';

export interface TextbookMeasurement {
  course: CampaignCourse;
  cpuMs: Record<'worker' | 'temporal', number>;
}

const TIME_OUT_MS = 300_000;
const WARM_UP_CONTACTS = 60;

export async function measureTextbook(
  bench: BenchStack,
  size: { contacts: number; lines: number },
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<TextbookMeasurement> {
  const { temporal: client, stack } = bench;
  const endpoint = await startEventsEndpoint((reference) =>
    client.workflow.getHandle(reference).signal(endedSignal),
  );
  closing.add("the textbook program's endpoint", () => endpoint.close());
  const worker = await startWorker(bench, endpoint.url, environment, closing);
  await runTextbook(client, { name: 'textbook-warm-up', ...size, contacts: WARM_UP_CONTACTS });

  const server = stack.temporal?.process.pid;
  if (server === undefined) throw new Error('the bench measures a server of its own');
  const pids = { worker: worker.pid, temporal: server };
  const before = await cpuTimes(pids);
  await runTextbook(client, { name: 'textbook-run', ...size });
  const cpuMs = difference(await cpuTimes(pids), before);
  const log = readSimulatorLog(stack.simulatorLog);
  const course = courseOf(log, (reference) => reference.startsWith('textbook-run-'));
  assertComplete(course, size.contacts);
  return { course, cpuMs };
}

async function runTextbook(client: Client, input: TextbookCampaignInput): Promise<void> {
  const workflow = client.workflow.execute(textbookCampaign, {
    workflowId: input.name,
    taskQueue: TEXTBOOK_TASK_QUEUE,
    args: [input],
  });
  await withinTime(workflow, TIME_OUT_MS);
}

async function startWorker(
  { stack, receiver, temporal }: BenchStack,
  eventsUrl: string,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<RunningProcess> {
  const watchdog = startWatchdog();
  closing.add("the textbook program's watchdog", () => Promise.resolve(watchdog.stop()));
  const worker = new RunningProcess(
    {
      name: 'textbook',
      command: process.execPath,
      args: [join(repositoryRoot(), 'dist/dev/bench/textbook/main.js')],
      cwd: repositoryRoot(),
      env: {
        ...environment,
        TEMPORAL_ADDRESS: stack.temporalAddress,
        CARRIER_URL: stack.carrierUrl,
        CARRIER_SECRET: stack.secrets.carrierSecret,
        TEXTBOOK_EVENTS_URL: eventsUrl,
        TEXTBOOK_WEBHOOK_URL: `${receiver.url}/textbook`,
      },
      ready: () => isPolled(temporal),
      readyTimeoutMs: 60_000,
    },
    { logFolder: join(stack.dataFolder, 'logs'), runFolder: join(stack.dataFolder, 'run'), watchdog },
  );
  closing.add('the textbook program', () => worker.stop());
  await worker.start();
  return worker;
}

async function isPolled(client: Client): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: TEXTBOOK_TASK_QUEUE },
    taskQueueType: WORKFLOW_QUEUE,
  });
  return (pollers ?? []).length > 0;
}

/** Of the two queues behind a name, the one of workflow tasks. */
const WORKFLOW_QUEUE = 1;
