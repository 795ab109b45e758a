/** Runs the textbook program on the servers of a benchmark stack. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { readSimulatorLog } from '../../../dev/simulator/log';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { RunningProcess } from '../../../dev/stack/processes';
import { repositoryRoot } from '../../../dev/stack/repository';
import { withinTime } from '../../../dev/stack/wait-until';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { RECONCILE_SCHEDULE_ID, workflowId } from '../../../workflows/contract';
import type { BenchStack } from '../bench-stack';
import {
  assertComplete,
  type CampaignCourse,
  type CampaignMeasurement,
  type CampaignSize,
  courseOf,
  measureCampaign,
} from '../measure-campaign';
import { measureUsageOf, type Usage } from '../usage';
import { endedSignal, TEXTBOOK_TASK_QUEUE, textbookCampaign, type TextbookCampaignInput } from './workflows';

const READY_WITHIN_MS = 60_000;

interface TextbookMeasurement {
  contacts: number;
  lines: number;
  /** `worker` is the textbook program's worker. There is no API. */
  usage: Usage;
  course: CampaignCourse;
}

interface Textbook {
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

export interface Round {
  ours: CampaignMeasurement;
  textbook: TextbookMeasurement;
}

/** Alternates between the platform's campaign and the textbook program's, so that other load affects both. */
export async function measureRounds(
  bench: BenchStack,
  textbook: Textbook,
  size: CampaignSize,
  rounds: number,
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(
      `Round ${round} of ${rounds}: ${size.contacts} calls by the platform, then by the textbook program.`,
    );
    const ours = await measureCampaign(bench, size);
    measured.push({
      ours,
      textbook: await withoutReconciliation(bench.temporal, () => textbook.measure(size)),
    });
  }
  return measured;
}

/** Pauses reconciliation, so that Temporal has no work for the idle platform. */
async function withoutReconciliation<T>(temporal: Client, work: () => Promise<T>): Promise<T> {
  const schedule = temporal.schedule.getHandle(RECONCILE_SCHEDULE_ID);
  await schedule.pause();
  await terminate(temporal, workflowId.reconcile());
  try {
    return await work();
  } finally {
    await schedule.unpause();
    await schedule.trigger();
  }
}

/** Does nothing if the workflow isn't running. */
async function terminate(temporal: Client, id: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(id).terminate();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
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
  const watchdog = startWatchdog();
  closing.add("the textbook program's watchdog", () => Promise.resolve(watchdog.stop()));
  const worker = new RunningProcess(
    {
      name: 'textbook',
      command: process.execPath,
      args: ['dist/verify/bench/textbook/main.js'],
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
      readyTimeoutMs: READY_WITHIN_MS,
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

/** Temporal's enum value for a workflow queue. The activity queue has the same name. */
const WORKFLOW_QUEUE = 1;

/** Receives carrier events for the textbook program. Runs a callback when a call ends and acknowledges all other events. */
interface EventsEndpoint {
  url: string;
  close(): Promise<void>;
}

async function startEventsEndpoint(onEnded: (reference: string) => Promise<void>): Promise<EventsEndpoint> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const reference = endedReference(body);
      const answer = (status: number) => response.writeHead(status).end();
      (reference === null ? Promise.resolve() : onEnded(reference)).then(
        () => answer(204),
        () => answer(503),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port');
  return {
    url: `http://127.0.0.1:${address.port}/events`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function endedReference(body: string): string | null {
  if (body === '') return null;
  const event: unknown = JSON.parse(body);
  if (typeof event !== 'object' || event === null) return null;
  const fields = new Map<string, unknown>(Object.entries(event));
  const reference = fields.get('reference');
  return fields.get('type') === 'ended' && typeof reference === 'string' ? reference : null;
}
