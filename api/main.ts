/** Entry point of the API. On SIGTERM it stops accepting requests and finishes those in flight. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import closeWithGrace from 'close-with-grace';
import { openDatabase, type Db } from '../db/kernel/connection';
import { SharedClock } from '../db/kernel/shared-clock';
import { CatchUp } from '../runtime/catch-up';
import { keepFreeMemory } from '../runtime/free-memory';
import { listenFault } from '../runtime/network/http-server';
import { framesOf } from '../runtime/observability/frames';
import { fileStorage } from '../runtime/storage';
import { temporalAccess } from '../runtime/temporal-access';
import { warnOfOpenDefaults } from '../runtime/open-defaults';
import { agentGatewayRoutes } from './calls/agent-gateway/routes';
import { createApp } from './app';
import { eventReceiver } from './carriers/http/receive-event';
import { carrierEventRoutes } from './carriers/http/routes';
import { LiveCaptions } from './calls/live-captions/live-captions';
import { livekitEvents } from './carriers/livekit';
import { connectionShares } from './http/limits';
import { openWatch } from './http/observability';
import { ApiServer } from './http/server';
import { apiLog } from './http/log';
import { removeLeftUploads } from './http/input/uploads';
import { readApiSettings, type ApiSettings } from './settings';
import { DialWakeUps, dialWorkers } from './dependencies/dial-wake-ups';
import { temporalConnection, temporalPort } from './dependencies/temporal-client';

/** `/readyz` needs no key, so its result is reused instead of querying the servers for each request. */
const READINESS_KEPT_MS = 1_000;
/** Longer than the slowest response: a large workbook that waits for a reader and then takes the maximum time to read. */
const DRAIN_MS = 25_000;

async function main(): Promise<void> {
  keepFreeMemory();
  const settings = readApiSettings(process.env);
  const log = apiLog({ level: settings.logLevel });
  const watch = await openWatch(settings, log);
  await removeLeftUploads(settings.uploadFolder);
  const db = openShared(settings);
  // The connection is lazy because the API must start and answer 503 while Temporal is down.
  const connection = Connection.lazy(temporalConnection(temporalAccess(settings.temporal)));
  const client = new Client({
    connection,
    namespace: settings.temporal.namespace,
    interceptors: { workflow: watch.clientInterceptors },
  });
  const catchUp = new CatchUp(client.workflow, log);
  const clock = new SharedClock(db, () => catchUp.request());
  await clock.start();
  const dials = new DialWakeUps({ workers: dialWorkers(db, clock), signals: catchUp.signals, log });
  let draining = false;

  const deps = {
    db,
    temporal: temporalPort(client, dials.signals),
    storage: fileStorage(settings.storage),
    settings,
    clock,
    log,
    metrics: watch.metrics,
  };
  const captions = new LiveCaptions({ ...deps, databaseUrl: settings.databaseUrl });
  captions.start();
  const receive = eventReceiver({ ...deps, signals: dials.signals, dials, liveUpdates: captions });
  const carrierEvents = carrierEventRoutes(receive, settings.carrierSecret);
  const livekit = await livekitEvents(settings.livekit, { ...deps, receive });
  const answer = createApp(deps, {
    moreRoutes: [carrierEvents, ...livekit.routes, agentGatewayRoutes({ ...deps, receive })],
    isDraining: () => draining,
    readinessKeptMs: READINESS_KEPT_MS,
    traceRequest: watch.traceRequest,
  }).callback();
  const server = new ApiServer((request, response) => void answer(request, response), {}, captions.upgrades);
  const port = await listen(server.http, settings);
  await watch.serve({ db, clock });

  closeWithGrace({ delay: DRAIN_MS, logger: false }, async ({ err }) => {
    if (err !== undefined) log.fatal({ error: err.name, frames: framesOf(err.stack, 20) }, 'the API failed');
    draining = true;
    await Promise.all([captions.close(), server.close()]);
    await livekit.close();
    clock.stop();
    catchUp.stop();
    dials.stop();
    await watch.close();
    // Don't close the Temporal connection. The SDK retries on a timer, and a retry on a closed connection crashes the process.
    await db.destroy();
    log.info('API stopped');
  });
  // If one of our own processes started this one, stop together with it.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  log.info({ port, host: settings.host }, 'API listening');
  warnOfOpenDefaults(log, { ...settings, inboundAddresses: null });
  // Calls may have ended while no API was running, and the carrier backs off between its retries.
  catchUp.request();
}

/** Opens the database for requests. Organizations share its connections. */
const openShared = ({ database, databasePoolSize: poolSize }: ApiSettings): Db =>
  openDatabase({ ...database, poolSize, admit: connectionShares(poolSize), applicationName: 'api' });

async function listen(server: Server, { port, host }: ApiSettings): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFault(error, port, 'PORT');
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
