/** The Temporal worker: runs workflows and activities until it is told to stop, then drains. */
import { existsSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import pino, { type Logger } from 'pino';
import { createActivities } from '../activities';
import { openDatabase } from '../db/connection';
import { SharedClock } from '../db/shared-clock';
import { CatchUp } from '../workflows/catch-up';
import { TASK_QUEUE } from '../workflows/contract';
import { activityDependencies } from './activity-dependencies';
import { bundlePath } from './bundle';
import { serveHealth } from './health';
import { registerReconciliation, registerSearchAttributes } from './registration';
import { readWorkerSettings } from './settings';
import { workflowStarter } from './workflow-starter';

/** Long enough for an activity in flight: a request to the carrier or a receiver takes 5 s at most. */
const DRAIN_MS = 8_000;
const CACHED_WORKFLOWS = 2_000;
/**
 * A request to a receiver or a carrier that keeps silent holds one for five seconds while it does nothing. With a hundred, the default,
 * five dead receivers (`MAX_AT_ONCE`) would hold up every call.
 */
const ACTIVITY_SLOTS = 500;
/** How long tasks wait for a worker that was killed before another takes them; ten seconds unless set. Shorter cost nothing measurable. */
const STICKY_MS = 1_000;

const POOL = { poolSize: 20, timeoutMs: 5_000, applicationName: 'worker' } as const;

const TUNING = {
  maxCachedWorkflows: CACHED_WORKFLOWS,
  maxConcurrentLocalActivityExecutions: ACTIVITY_SLOTS,
  maxConcurrentActivityTaskExecutions: ACTIVITY_SLOTS,
  stickyQueueScheduleToStartTimeout: STICKY_MS,
  shutdownGraceTime: DRAIN_MS,
} as const;

async function main(): Promise<void> {
  const settings = readWorkerSettings(process.env);
  const log = pino({ level: settings.logLevel, base: { process: 'worker' } });
  routeSdkLogs(log);

  const db = openDatabase({ url: settings.databaseUrl, ...POOL });
  let catchUp: CatchUp | null = null;
  const clock = new SharedClock(db, () => catchUp?.request());
  await clock.start();
  const connection = await Connection.connect({ address: settings.temporalAddress });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  catchUp = new CatchUp(client.workflow, log);
  await registerSearchAttributes(connection, settings.temporalNamespace);
  await registerReconciliation(client);

  const dependencies = await activityDependencies(settings, {
    db,
    log,
    clock: clock.now,
    signals: catchUp.signals,
    workflows: workflowStarter(client.workflow),
  });
  const native = await NativeConnection.connect({ address: settings.temporalAddress });
  const worker = await Worker.create({
    connection: native,
    namespace: settings.temporalNamespace,
    taskQueue: TASK_QUEUE,
    ...workflowCode(),
    activities: createActivities(dependencies),
    ...TUNING,
  });

  const health =
    settings.healthPort === null
      ? null
      : await serveHealth(settings.healthPort, () => worker.getState() === 'RUNNING');
  const stopped = worker.run();
  closeWithGrace({ delay: DRAIN_MS + 4_000, logger: false }, async ({ err }) => {
    if (err !== undefined) log.fatal({ error: err.message, stack: err.stack }, 'the worker failed');
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await stopped.catch(() => undefined);
    health?.close();
    clock.stop();
    catchUp.stop();
    dependencies.mail?.close();
    await native.close();
    await connection.close();
    await db.destroy();
  });
  // Started by another process of ours: it stops with it.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  log.info({ task_queue: TASK_QUEUE }, 'worker started');
  // Whatever was told while no worker ran.
  catchUp.request();
  await stopped;
}

/** Bundled at build time; without that, now. */
function workflowCode() {
  return existsSync(bundlePath)
    ? { workflowBundle: { codePath: bundlePath } }
    : { workflowsPath: require.resolve('../workflows') };
}

/** The SDK's own lines in our format. Its metadata may hold arguments, so only names and ids are kept. */
function routeSdkLogs(log: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      const { workflowId, activityType, error }: Record<string, unknown> = meta ?? {};
      const fields = {
        workflow_id: workflowId,
        activity: activityType,
        error: error instanceof Error ? error.message : undefined,
      };
      if (level === 'ERROR') log.error(fields, message);
      else log.warn(fields, message);
    }),
    shutdownSignals: [],
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
