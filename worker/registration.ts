/** What the worker sees to in Temporal before it works: search attributes and the schedule of the reconciliation. */
import {
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type Connection,
} from '@temporalio/client';
import {
  RECONCILE_EVERY_MS,
  RECONCILE_SCHEDULE_ID,
  searchAttributes,
  TASK_QUEUE,
  WORKFLOW_TYPES,
  workflowId,
} from '../workflows/contract';

const KEYWORD = 2;

/** gRPC's. */
const ALREADY_EXISTS = 6;

/** Adds those that are missing. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter(
    ({ name }) => customAttributes?.[name] === undefined,
  );
  if (missing.length > 0) await addSearchAttributes(connection, namespace, missing);
}

/** Safe to run by several workers at once. */
export async function addSearchAttributes(
  connection: Connection,
  namespace: string,
  attributes: { name: string }[] = Object.values(searchAttributes),
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(attributes.map(({ name }) => [name, KEYWORD])),
    });
  } catch (error) {
    // Another worker was faster, or an earlier try of this request got through and its answer did not.
    if (!isGrpcServiceError(error) || Number(error.code) !== ALREADY_EXISTS) throw error;
  }
}

/** One pass at a time; a pass that was missed is not made up for, as the next repairs the same. */
export async function registerReconciliation(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: RECONCILE_SCHEDULE_ID,
      spec: { intervals: [{ every: RECONCILE_EVERY_MS }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW_TYPES.reconcile,
        workflowId: workflowId.reconcile(),
        taskQueue: TASK_QUEUE,
        workflowExecutionTimeout: '5m',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
