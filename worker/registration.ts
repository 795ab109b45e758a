/** Registers search attributes and schedules in Temporal before the worker starts. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type Connection,
  type ScheduleOptions,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { isDatabaseUnreachable } from '../db/kernel/database-unreachable';
import {
  RECONCILE_EVERY_MS,
  RECONCILE_RUNS,
  RECONCILE_SCHEDULE_ID,
  RETENTION_HOUR,
  RETENTION_SCHEDULE_ID,
  searchAttributes,
  TASK_QUEUE,
  WORKFLOW_TYPES,
  workflowId,
  type ReconcileInput,
} from '../workflows/contract';

const KEYWORD = 2;
const RECHECK_MS = 1_000;

// gRPC status code.
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

/**
 * Registers everything in parallel.
 * @throws if Temporal doesn't respond
 */
export async function register(
  client: Client,
  deployment: () => Promise<string>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { connection, options } = client;
  await connection.ensureConnected();
  await Promise.all([
    registerSearchAttributes(connection, options.namespace, log),
    known(deployment, log).then((id) => registerReconciliation(client, id)),
    registerRetention(client),
  ]);
}

/** Retries until Postgres responds, because a worker can do nothing without it. */
async function known(deployment: () => Promise<string>, log: Pick<Logger, 'warn'>): Promise<string> {
  for (;;) {
    try {
      return await deployment();
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      log.warn("Postgres isn't responding. The worker is waiting for it");
      await sleep(RECHECK_MS);
    }
  }
}

/** The methods of a connection that list and add search attributes. */
export interface Operator {
  operatorService: Pick<Connection['operatorService'], 'listSearchAttributes' | 'addSearchAttributes'>;
}

/**
 * Adds missing search attributes. If the server doesn't list them (as on Temporal Cloud), assumes that they exist.
 * @throws Error that names the missing attributes if the server doesn't let the worker add them
 */
export async function registerSearchAttributes(
  connection: Operator,
  namespace: string,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing === 'not listed') {
    log.warn('Temporal does not list its search attributes: add missing ones to the namespace by hand');
  } else if (missing.length > 0) {
    await addSearchAttributes(connection, namespace, missing);
  }
}

async function missingSearchAttributes(
  { operatorService }: Operator,
  namespace: string,
): Promise<{ name: string }[] | 'not listed'> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return Object.values(searchAttributes).filter(({ name }) => customAttributes?.[name] === undefined);
  } catch (error) {
    if (isRefused(error)) return 'not listed';
    throw error;
  }
}

const isRefused = (error: unknown): boolean =>
  isGrpcServiceError(error) && [PERMISSION_DENIED, UNIMPLEMENTED].includes(Number(error.code));

/** Several workers can run this at the same time. */
export async function addSearchAttributes(
  connection: Operator,
  namespace: string,
  attributes: { name: string }[] = Object.values(searchAttributes),
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(attributes.map(({ name }) => [name, KEYWORD])),
    });
  } catch (error) {
    if (isRefused(error)) throw new Error(addByHand(namespace, attributes), { cause: error });
    // Another worker was faster, or the response to an earlier attempt was lost.
    if (!isGrpcServiceError(error) || Number(error.code) !== ALREADY_EXISTS) throw error;
  }
}

const addByHand = (namespace: string, attributes: { name: string }[]): string =>
  `The namespace ${namespace} lacks search attributes that the worker isn't allowed to add. Add ${attributes.map(({ name }) => name).join(', ')} as Keyword`;

const RECONCILE_WORKFLOW_EVERY_MS = RECONCILE_RUNS * RECONCILE_EVERY_MS;

/** If a workflow takes longer than the interval, the next one starts as soon as it ends. */
const RECONCILIATION: Pick<ScheduleOptions, 'spec' | 'action' | 'policies'> = {
  spec: { intervals: [{ every: RECONCILE_WORKFLOW_EVERY_MS }] },
  action: {
    type: 'startWorkflow',
    workflowType: WORKFLOW_TYPES.reconcile,
    workflowId: workflowId.reconcile(),
    taskQueue: TASK_QUEUE,
    args: [{ afterOutage: false, runs: RECONCILE_RUNS } satisfies ReconcileInput],
    workflowExecutionTimeout: '5m',
  },
  policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: RECONCILE_WORKFLOW_EVERY_MS },
};

/**
 * Schedules reconciliation, or updates an earlier version's schedule. The schedule also claims the namespace for this deployment, because
 * two deployments in one namespace would run each other's workflows on their own databases.
 * @throws if another deployment has claimed the namespace
 */
async function registerReconciliation(client: Client, deployment: string): Promise<void> {
  try {
    await client.schedule.create({
      ...RECONCILIATION,
      scheduleId: RECONCILE_SCHEDULE_ID,
      state: { triggerImmediately: true },
      memo: { deployment },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(RECONCILE_SCHEDULE_ID);
    const { memo, spec } = await handle.describe();
    if (memo?.deployment !== undefined && memo.deployment !== deployment)
      throw new Error(anothersNamespace(client.options.namespace), { cause: error });
    // An earlier version scheduled a workflow for each run.
    if (spec.intervals?.[0]?.every !== RECONCILE_WORKFLOW_EVERY_MS)
      await handle.update(({ state }) => ({ ...RECONCILIATION, state }));
  }
}

const anothersNamespace = (namespace: string): string =>
  `The Temporal namespace ${namespace} belongs to another deployment, which uses another database. Set TEMPORAL_NAMESPACE to a namespace of this deployment. ` +
  `If that deployment is gone, delete its schedule first: temporal schedule delete --schedule-id ${RECONCILE_SCHEDULE_ID} --namespace ${namespace}`;

/** Schedules retention with catch-up, because no other workflow deletes old data. */
async function registerRetention(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: RETENTION_SCHEDULE_ID,
      spec: { calendars: [{ hour: RETENTION_HOUR }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW_TYPES.retention,
        workflowId: workflowId.retention(),
        taskQueue: TASK_QUEUE,
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
