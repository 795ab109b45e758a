/** The Temporal worker. Runs workflows and activities until SIGTERM, then drains. */
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import closeWithGrace from 'close-with-grace';
import { createActivities } from '../activities';
import type { ActivityDependencies } from '../activities/dependencies';
import { DirectDials } from '../activities/dialling/direct-dials';
import { callIdsIn, dialListener } from '../db/calls/dial-wake-ups';
import { openDatabase } from '../db/kernel/connection';
import { Notifications } from '../db/kernel/notifications';
import { SharedClock } from '../db/kernel/shared-clock';
import { deploymentId } from '../db/reconciliation/deployment';
import { CatchUp } from '../runtime/catch-up';
import { keepFreeMemory } from '../runtime/free-memory';
import { TASK_QUEUE } from '../workflows/contract';
import { temporalAccess, type TemporalAccess } from '../runtime/temporal-access';
import { warnOfOpenDefaults } from '../runtime/open-defaults';
import { activityDependencies } from './activity-dependencies';
import { workflowBundle } from './bundle';
import { serveHealth } from './health';
import { failsWithoutValues } from './failure-without-values';
import { faultFields, sdkLog, workerLog } from './log';
import { openWatch, type Watch } from './observability/watch';
import { register } from './registration';
import { readWorkerSettings, type WorkerSettings } from './settings';
import { atOnceWith, slotOptions, type WorkerSlots } from './slots';
import { workflowStarter } from './workflow-starter';

/** Grace period for activities in flight. A request to the carrier or a receiver takes at most 5 s. */
const DRAIN_MS = 8_000;
const CACHED_WORKFLOWS = 2_000;
/**
 * How long tasks wait for a dead worker before another worker takes them. The SDK's default is 10 s, and a shorter time has no measurable
 * cost.
 */
const STICKY_MS = 1_000;

const POOL = { timeoutMs: 5_000, applicationName: 'worker' } as const;

const tuning = (slots: WorkerSlots) => ({
  ...slotOptions(slots),
  maxCachedWorkflows: CACHED_WORKFLOWS,
  stickyQueueScheduleToStartTimeout: STICKY_MS,
  shutdownGraceTime: DRAIN_MS,
});

async function main(): Promise<void> {
  keepFreeMemory();
  const settings = readWorkerSettings(process.env);
  const log = workerLog({ level: settings.logLevel });
  const watch = await openWatch(settings, log);
  Runtime.install({ logger: sdkLog(log), telemetryOptions: watch.telemetryOptions, shutdownSignals: [] });

  const db = openDatabase({ ...settings.database, poolSize: settings.databasePoolSize, ...POOL });
  let catchUp: CatchUp | null = null;
  const clock = new SharedClock(db, () => catchUp?.request());
  const access = temporalAccess(settings.temporal);
  const connection = Connection.lazy(access);
  const interceptors = { workflow: watch.clientInterceptors };
  const client = new Client({ connection, namespace: settings.temporal.namespace, interceptors });
  catchUp = new CatchUp(client.workflow, log);
  const open = {
    db,
    log,
    metrics: watch.metrics,
    clock: clock.now,
    signals: catchUp.signals,
    workflows: workflowStarter(client.workflow),
  };
  const directDials = new DirectDials({ ...open, atOnce: atOnceWith(settings.slots).dials });
  const signals = { ...open.signals, dial: directDials.dial };
  const dependencies = await activityDependencies(settings, { ...open, signals });
  // Run these in parallel, because the SDK's thread takes 0.5 s to load the workflows. The worker polls when all three are done.
  const [{ worker, native }] = await Promise.all([
    createWorker(settings, access, watch, { dependencies, directDials }),
    register(client, deploymentId(db), log),
    clock.start(),
  ]);

  const health =
    settings.healthPort === null
      ? null
      : await serveHealth(settings.healthPort, () => worker.getState() === 'RUNNING');
  await watch.serve({ db, clock: clock.now, worker });
  const stopped = worker.run();
  const wakeUps = wakeUpsOf(settings.databaseUrl, directDials);
  closeWithGrace({ delay: DRAIN_MS + 4_000, logger: false }, async ({ err }) => {
    if (err !== undefined) log.fatal(faultFields(err), 'the worker failed');
    const dialled = Promise.all([wakeUps.stop(), directDials.stop()]);
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await stopped.catch(() => undefined);
    await dialled;
    await dependencies.briefWaits.drained();
    health?.close();
    clock.stop();
    catchUp.stop();
    dependencies.mail?.close();
    await watch.close();
    await native.close();
    // Leave the connection to Temporal open, because the SDK's retry timers would crash the process after it is closed.
    await db.destroy();
  });
  // Stop together with the parent process.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  log.info({ task_queue: TASK_QUEUE }, 'worker started');
  const { registeredOnly, livekit } = settings;
  warnOfOpenDefaults(log, { registeredOnly, inboundAddresses: livekit?.inboundAddresses ?? null });
  // Catch up on signals that were lost while no worker ran.
  catchUp.request();
  await stopped;
}

/** Dials the calls that other processes name. A wake-up that is lost while the connection is down costs only time. */
function wakeUpsOf(databaseUrl: string, directDials: DirectDials): Notifications {
  const { channel, applicationName } = dialListener(randomBytes(4).toString('hex'));
  const wakeUps = new Notifications({
    url: databaseUrl,
    channels: [channel],
    applicationName,
    onNotification: (_channel, payload) => directDials.dial(callIdsIn(payload)),
  });
  wakeUps.start();
  return wakeUps;
}

async function createWorker(
  settings: WorkerSettings,
  access: TemporalAccess,
  watch: Watch,
  { dependencies, directDials }: { dependencies: ActivityDependencies; directDials: DirectDials },
): Promise<{ worker: Worker; native: NativeConnection }> {
  // The SDK's default is gzip. Compression costs more CPU time than it saves on the network.
  const native = await NativeConnection.connect({ ...access, grpcCompression: { codec: 'none' } });
  // Only the workflows' thread inherits this setting, so activities keep their stacks. The SDK records a stack for each promise of a
  // workflow, which takes a tenth of a worker's CPU time.
  if (!settings.workflowStacks) setFlagsFromString('--stack-trace-limit=0');
  const worker = await Worker.create({
    connection: native,
    namespace: settings.temporal.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle({ traced: settings.tracesTo !== null }),
    ...watch.workerOptions,
    // Must be the outermost interceptor. The others then measure the real error, and Temporal gets the clean one.
    interceptors: { activity: [failsWithoutValues, ...watch.activityInterceptors] },
    activities: createActivities(watch.measured(dependencies), directDials),
    ...tuning(settings.slots),
  });
  return { worker, native };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
