/** Entry point of a conversation's process. LiveKit's worker starts it and assigns it a room. */
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

/** A single logger is enough, because the process runs only one conversation. */
let log = pino({ base: { process: 'agent' } });
endAtUncaughtErrors(() => log);

const agent: AgentDefinition = {
  entry: async (job) => {
    const settings = readAgentSettings(process.env);
    const { callId, ticket } = jobOf(job.job.metadata);
    // The room name is not logged, because the room of an inbound call is named after the caller's number.
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
    // Keeps the process alive until the recording is uploaded, which can take longer than the room exists.
    job.addShutdownCallback(() => conversation);
    await conversation;
    metrics.over();
    job.shutdown('the conversation is over');
  },
};
// Does the same as the SDK's `defineAgent`. Importing that would load the whole SDK and cost 0.2 s of CPU time per conversation.
Object.defineProperty(agent, Symbol.for('livekit.agents.AgentDefinition'), { value: true });

export default agent;

/**
 * Returns a signal that is aborted when the worker stops or dies, so that this process can leave its room. The SDK would notify only its
 * own components, and much later.
 */
function endOfWorker(): AbortSignal {
  const ended = new AbortController();
  process.once('disconnect', () => ended.abort());
  process.on('message', (message) => {
    if (valueAt(message, 'case') === 'shutdownRequest') ended.abort();
  });
  return ended.signal;
}

/**
 * Reads the call id and the ticket that the platform put into the job's metadata. Rooms that LiveKit created for inbound calls have
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
