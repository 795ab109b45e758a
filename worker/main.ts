/** The Temporal worker: runs workflows and activities until it is told to stop, then drains. */
import { existsSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import pino, { type Logger } from 'pino';
import { createActivities } from '../activities';
import { httpCarrier } from '../activities/telephony/http-carrier';
import { webhookSender } from '../activities/webhooks/sender';
import { openDatabase } from '../db/connection';
import { decryptSecret } from '../db/signing-secrets';
import { TASK_QUEUE } from '../workflows/contract';
import { bundlePath } from './bundle';
import { serveHealth } from './health';
import { registerReconciliation, registerSearchAttributes } from './registration';
import { readWorkerSettings, type WorkerSettings } from './settings';
import { workflowStarter } from './workflow-starter';

/** Long enough for an activity in flight: a request to the carrier or a receiver takes 5 s at most. */
const DRAIN_MS = 8_000;
const CACHED_WORKFLOWS = 2_000;
/** How long tasks wait for a worker that was killed before another takes them; ten seconds unless set. */
const STICKY_MS = 3_000;

async function main(): Promise<void> {
  const settings = readWorkerSettings(process.env);
  const log = pino({ level: settings.logLevel, base: { process: 'worker' } });
  routeSdkLogs(log);

  const db = openDatabase({
    url: settings.databaseUrl,
    poolSize: 20,
    timeoutMs: 5_000,
    applicationName: 'worker',
  });
  const connection = await Connection.connect({ address: settings.temporalAddress });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  await registerSearchAttributes(connection, settings.temporalNamespace);
  await registerReconciliation(client);

  const native = await NativeConnection.connect({ address: settings.temporalAddress });
  const worker = await Worker.create({
    connection: native,
    namespace: settings.temporalNamespace,
    taskQueue: TASK_QUEUE,
    ...(existsSync(bundlePath)
      ? { workflowBundle: { codePath: bundlePath } }
      : { workflowsPath: require.resolve('../workflows') }),
    activities: createActivities({
      db,
      telephony: httpCarrier({
        carrierUrl: settings.carrierUrl,
        secret: settings.carrierSecret,
        eventsUrl: settings.eventsUrl,
      }),
      signals: client.workflow,
      workflows: workflowStarter(client.workflow),
      webhooks: await webhookSender({ allowedHosts: settings.webhookAllowedHosts }),
      log,
      clock: Date.now,
      settings: activitySettings(settings),
    }),
    maxCachedWorkflows: CACHED_WORKFLOWS,
    stickyQueueScheduleToStartTimeout: STICKY_MS,
    shutdownGraceTime: DRAIN_MS,
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
    await native.close();
    await connection.close();
    await db.destroy();
  });
  // Started by another process of ours: it stops with it.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  log.info({ task_queue: TASK_QUEUE }, 'worker started');
  await stopped;
}

function activitySettings(settings: WorkerSettings) {
  return {
    ringTimeoutS: settings.ringTimeoutS,
    creditsPerMinute: settings.creditsPerMinute,
    dispatchWaitLimitMs: settings.dispatchWaitLimitMs,
    decryptSecret: (encrypted: Buffer) => decryptSecret(encrypted, settings.secretsKey),
  };
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
