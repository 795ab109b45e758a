/** Runs the textbook program on the servers of a benchmark stack. */
import type { Client } from '@temporalio/client';
import { readSimulatorLog } from '../../../dev/simulator/log';
import type { ClosingOrder } from '../../../dev/stack/closing';
import type { RunningProcess } from '../../../dev/stack/processes';
import { withinTime } from '../../../dev/stack/wait-until';
import type { BenchStack } from '../bench-stack';
import { processBeside } from './beside';
import { courseOf, type CampaignCourse } from '../campaign-course';
import { assertComplete, type CampaignSize } from '../measure-campaign';
import { measureUsageOf, type Usage } from '../usage';
import { startEventsEndpoint } from './events-endpoint';
import { TEXTBOOK_TASK_QUEUE } from './task-queue';
import { endedSignal, textbookCampaign, type TextbookCampaignInput } from './workflows';

export interface TextbookMeasurement {
  contacts: number;
  lines: number;
  /** `worker` is the textbook program's worker. There is no API. */
  usage: Usage;
  course: CampaignCourse;
}

export interface Textbook {
  measure(size: CampaignSize): Promise<TextbookMeasurement>;
}

/** Starts the textbook program and warms it up. */
export async function startTextbook(
  bench: BenchStack,
  warmUp: CampaignSize,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<Textbook> {
  const { temporal: client, stack } = bench;
  const endpoint = await startEventsEndpoint((reference) =>
    client.workflow.getHandle(reference).signal(endedSignal),
  );
  closing.add("the textbook program's endpoint", () => endpoint.close());
  const worker = await startWorker(bench, endpoint.url, environment, closing);
  await runTextbook(client, { name: 'textbook-warm-up', ...warmUp }, warmUp.timeoutMs);
  let rounds = 0;
  return {
    async measure(size) {
      rounds += 1;
      const name = `textbook-${rounds}`;
      const { usage } = await measureUsageOf(bench, worker.pid, () =>
        runTextbook(client, { name, ...size }, size.timeoutMs),
      );
      const course = courseOf(readSimulatorLog(stack.simulatorLog), (reference) =>
        reference.startsWith(`${name}-`),
      );
      assertComplete(course, size.contacts);
      return { ...size, usage, course };
    },
  };
}

async function runTextbook(client: Client, input: TextbookCampaignInput, timeoutMs: number): Promise<void> {
  const { name, contacts, lines } = input;
  const workflow = client.workflow.execute(textbookCampaign, {
    workflowId: name,
    taskQueue: TEXTBOOK_TASK_QUEUE,
    args: [{ name, contacts, lines }],
  });
  await withinTime(workflow, timeoutMs);
}

async function startWorker(
  { stack, receiver, temporal }: BenchStack,
  eventsUrl: string,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<RunningProcess> {
  const worker = processBeside(
    { stack },
    {
      name: 'textbook',
      args: ['dist/verify/bench/textbook/main.js'],
      env: {
        ...environment,
        TEMPORAL_ADDRESS: stack.temporalAddress,
        CARRIER_URL: stack.carrierUrl,
        CARRIER_SECRET: stack.secrets.carrierSecret,
        TEXTBOOK_EVENTS_URL: eventsUrl,
        TEXTBOOK_WEBHOOK_URL: `${receiver.url}/textbook`,
      },
      ready: () => isPolled(temporal),
    },
    closing,
  );
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

/** Temporal's enum value for a workflow queue. The activity queue has the same name. */
const WORKFLOW_QUEUE = 1;
