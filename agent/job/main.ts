/** Entry point of the process of one conversation. LiveKit's worker starts it and assigns it a room. */
import type { AgentDefinition } from '@livekit/agents';
import pino from 'pino';
import { parsedJson, valueAt } from '../../domain/json';
import { LiveKitRoom, entryOf } from '../livekit/livekit-room';
import { endAtUncaughtErrors, silenceParticipantSdk } from '../log';
import { ConversationMetrics, sendToWorker } from '../metrics/conversation-metrics';
import { createGuard } from '../network/guarded-agent';
import { keepConnections } from '../network/kept-connections';
import { LiveUpdates } from '../platform/live-updates';
import { PendingRecordings } from '../platform/pending-recordings';
import { PlatformApi } from '../platform/platform-api';
import { PlatformEvents } from '../platform/platform-events';
import { CLOSE_LIMITS } from '../session/closing';
import { converse } from '../session/conversation';
import { readAgentSettings } from '../settings';

silenceParticipantSdk();
keepConnections();

/** The process holds one conversation, so one logger is enough. */
let log = pino({ base: { process: 'agent' } });
endAtUncaughtErrors(() => log);

const agent: AgentDefinition = {
  entry: async (job) => {
    const settings = readAgentSettings(process.env);
    const { callId, ticket } = jobOf(job.job.metadata);
    // A caller's room is named after their number, so the name is not logged.
    log = pino({ level: settings.logLevel, base: { process: 'agent', call_id: callId ?? undefined } });
    const { apiUrl, agentSecret: secret } = settings;
    const room = new LiveKitRoom(entryOf(job), settings.livekit);
    const metrics = new ConversationMetrics(sendToWorker);
    metrics.begun();
    const conversation = converse({
      callId,
      room,
      platform: new PlatformApi({ apiUrl, secret }, ticket, new PendingRecordings(settings.recordingsFolder)),
      eventsFor: (id, access) => new PlatformEvents({ ...access, callId: id, roomName: room.name, log }),
      livePublisherFor: (id, access) => new LiveUpdates({ ...access, callId: id, roomName: room.name }),
      guard: createGuard({ allowedHosts: settings.allowedHosts }),
      settings,
      inference: settings.turnDetector === 'local' ? job.inferenceExecutor : null,
      closeLimits: CLOSE_LIMITS,
      stopping: endOfWorker(),
      metrics,
      log,
    });
    // The process must not exit earlier, because uploading the recording can outlast the room.
    job.addShutdownCallback(() => conversation);
    await conversation;
    metrics.over();
    job.shutdown('the conversation is over');
  },
};
// Equivalent to the SDK's `defineAgent`. Importing that would load the whole SDK, which costs 0.2 s of CPU time per conversation.
Object.defineProperty(agent, Symbol.for('livekit.agents.AgentDefinition'), { value: true });

export default agent;

/** Aborted when the worker stops or dies, so that this process can leave its room. The SDK only notifies its own parts, and much later. */
function endOfWorker(): AbortSignal {
  const ended = new AbortController();
  process.once('disconnect', () => ended.abort());
  process.on('message', (message) => {
    if (valueAt(message, 'case') === 'shutdownRequest') ended.abort();
  });
  return ended.signal;
}

/**
 * Reads the call and its ticket from the job's metadata, where the platform's worker put them. Rooms that LiveKit created for callers have
 * neither.
 */
function jobOf(metadata: string): { callId: string | null; ticket: string } {
  const read = parsedJson(metadata);
  const [callId, ticket] = [valueAt(read, 'call_id'), valueAt(read, 'ticket')];
  return {
    callId: typeof callId === 'string' ? callId : null,
    ticket: typeof ticket === 'string' ? ticket : '',
  };
}
