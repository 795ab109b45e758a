/** Runs the textbook program on the servers of a benchmark stack. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { readSimulatorLog } from '../../../dev/simulator/log';
import type { ClosingOrder } from '../../../dev/stack/closing';
import type { RunningProcess } from '../../../dev/stack/processes';
import { withinTime } from '../../../dev/stack/wait-until';
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
import { givePort, startRival } from '../process-beside';
import { measureUsageOf, type Usage } from '../usage';
import { TEXTBOOK_TASK_QUEUE, textbookCampaign } from './workflows';

interface TextbookMeasurement {
  contacts: number;
  lines: number;
  /** `worker` and `api` are the textbook program's worker and its endpoint for the carrier's events. */
  usage: Usage;
  course: CampaignCourse;
}

interface Textbook {
  worker: RunningProcess;
  /** Receives the carrier's events. */
  events: RunningProcess;
  /** Starts a campaign and returns its result. Its name is the prefix of the call ids. */
  start(name: string, size: CampaignSize): Promise<{ result: Promise<void> }>;
}

/** Starts the textbook program. */
export async function startTextbook(
  bench: BenchStack,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<Textbook> {
  const { temporal: client, stack } = bench;
  const eventsPort = await givePort(closing);
  const env = { ...environment, TEMPORAL_ADDRESS: stack.temporalAddress };
  const common = { env, eventsPort, closing };
  const events = await startRival(bench, { ...common, program: 'textbook/events.js' });
  const ready = () => isPolled(client);
  const worker = await startRival(bench, { ...common, program: 'textbook/main.js', ready });
  return {
    worker,
    events,
    start: async (name, { contacts, lines }) => {
      const campaign = await client.workflow.start(textbookCampaign, {
        workflowId: name,
        taskQueue: TEXTBOOK_TASK_QUEUE,
        args: [{ name, contacts, lines }],
      });
      return { result: campaign.result() };
    },
  };
}

async function measureTextbook(
  bench: BenchStack,
  textbook: Textbook,
  name: string,
  size: CampaignSize,
): Promise<TextbookMeasurement> {
  const processes = { worker: textbook.worker.pid, api: textbook.events.pid };
  const { usage } = await measureUsageOf(bench, processes, () => runTextbook(textbook, name, size));
  const course = courseOf(readSimulatorLog(bench.stack.simulatorLog), (reference) =>
    reference.startsWith(`${name}-`),
  );
  assertComplete(course, size.contacts);
  return { ...size, usage, course };
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
      textbook: await withoutReconciliation(bench.temporal, () =>
        measureTextbook(bench, textbook, `textbook-${round}`, size),
      ),
    });
  }
  return measured;
}

/** Pauses reconciliation, so that Temporal has no work for the idle platform. */
export async function withoutReconciliation<T>(temporal: Client, work: () => Promise<T>): Promise<T> {
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

export async function runTextbook(textbook: Textbook, name: string, size: CampaignSize): Promise<void> {
  const { result } = await textbook.start(name, size);
  await withinTime(result, size.timeoutMs);
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
