/**
 * Entry point of the agent, a LiveKit worker that runs each conversation in a separate process. On SIGTERM it accepts no new conversations
 * and drains the running ones.
 */
import { join } from 'node:path';
import { AgentServer, initializeLogger } from '@livekit/agents';
import pino from 'pino';
import { withTimeout } from '../runtime/network/time-limit';
import { RoomService } from './livekit/room-service';
import { endAtUncaughtErrors } from './log';
import { agentMetrics, collectJobMetrics } from './metrics/agent-metrics';
import { PendingRecordings, RecordingUploads } from './platform/pending-recordings';
import { deploymentsAgentName } from './platform/platform-api';
import { lackingModels } from './providers/speech-settings';
import { readAgentSettings, type AgentSettings } from './settings';
import { chooseTurnDetector, leaveOutModel, startModelWhenUsed } from './worker/end-of-turn-process';
import { serveHealth, serveMetrics } from './worker/http-servers';
import { activeJobs, limitJobMemory, VanishedJobs } from './worker/job-processes';
import { Registration, serverOptions } from './worker/registration';

/**
 * Time in which interrupted conversations can upload their recordings. The limit is needed because a process that is still starting never
 * receives the shutdown.
 */
const CLOSE_TIMEOUT_MS = 15_000;

async function main(): Promise<void> {
  const settings = readAgentSettings(process.env);
  const log = pino({ level: settings.logLevel, base: { process: 'agent' } });
  // The SDK's log lines can contain room names, which contain callers' numbers. `Registration` logs the parts that matter.
  initializeLogger({ pretty: false, level: 'fatal' });
  const end = endAtUncaughtErrors(() => log);
  // The function is replaced once the worker exists. Until then, the agent may be waiting for the API and can exit immediately.
  let stop = (): Promise<void> => process.exit(0);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  // `npm start` runs the agent as a child process, which must stop with its parent.
  process.once('disconnect', () => void stop());
  const registration = new Registration(settings.maxLoad, log);
  const uploads = new RecordingUploads(
    new PendingRecordings(settings.recordingsFolder),
    settings.apiUrl,
    log,
  );
  const fault = lackingModels(settings.speech);
  if (fault !== null) log.warn({}, fault);
  const health =
    settings.healthPort === null
      ? null
      : await serveHealth(settings.healthPort, { isRegistered: () => registration.isRegistered(), fault });
  if (health !== null) log.info({ port: health.port }, 'health served');
  const agentName = settings.agentName ?? (await deploymentsAgentName(settings, log));
  const turnDetector = await chooseTurnDetector(settings.turnDetector, log);
  if (turnDetector === 'off') leaveOutModel();
  else startModelWhenUsed();
  // The job processes read this variable.
  process.env.AGENT_TURN_DETECTOR = turnDetector;
  const options = serverOptions({ ...settings, agentName }, registration, join(__dirname, 'job', 'main.js'));
  limitJobMemory();
  const server = new AgentServer(options);
  registration.listenTo(server.event);
  const rooms = new RoomService(settings.livekit);
  const vanished = new VanishedJobs(
    () => activeJobs(server),
    ({ roomName, identity }) => rooms.remove(roomName, identity),
    log,
  );
  const metrics = await startMetrics(settings, server, registration);
  if (metrics !== null) log.info({ port: metrics.port }, 'metrics served');

  let isStopping = false;
  stop = async () => {
    if (isStopping) return;
    isStopping = true;
    registration.stop();
    log.info({ conversations: server.activeJobs.length }, 'agent stopping');
    // Conversations that outlast the drain time are cut off.
    if (settings.drainMs > 0) await server.drain(settings.drainMs).catch(() => undefined);
    await withTimeout(CLOSE_TIMEOUT_MS, server.close(), () => undefined);
    vanished.stop();
    uploads.stop();
    health?.server.close();
    metrics?.close();
    log.info('agent stopped');
    process.exit(0);
  };
  log.info({ agent_name: agentName }, 'agent started');
  await server.run().catch(end);
}

/** Returns null when metrics are not configured. */
async function startMetrics(
  { metrics: address }: AgentSettings,
  server: AgentServer,
  registration: Registration,
): Promise<{ port: number; close(): void } | null> {
  if (address === null) return null;
  const { registry, record } = agentMetrics(() => ({
    conversations: server.activeJobs.length,
    isRegistered: registration.isRegistered(),
    load: registration.lastLoad,
    isFull: registration.isFull,
  }));
  const jobs = collectJobMetrics(record);
  const serving = await serveMetrics(address, registry);
  const close = (): void => {
    jobs.stop();
    serving.server.close();
    serving.server.closeAllConnections();
  };
  return { port: serving.port, close };
}

// The message is safe to print in full: before the worker starts, there is no call whose data it could contain.
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
