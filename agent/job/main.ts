/** The process of one conversation: LiveKit's worker starts it, and gives it a room. */
import type { AgentDefinition } from '@livekit/agents';
import pino from 'pino';
import { isJsonObject, valueAt } from '../../workflows/domain/json';
import { CLOSE_LIMITS } from '../session/closing';
import { converse } from '../session/conversation';
import { entryOf } from '../livekit/job-room';
import { LiveKitRoom } from '../livekit/livekit-room';
import { silenceParticipantSdk } from '../livekit/silence-sdk-log';
import { ConversationMetrics, sendToWorker } from '../metrics/conversation-metrics';
import { createGuard } from '../network/guarded-agent';
import { LiveUpdates } from '../platform/live-updates';
import { PlatformApi } from '../platform/platform-api';
import { PlatformEvents } from '../platform/platform-events';
import { readAgentSettings } from '../settings';

silenceParticipantSdk();

const agent: AgentDefinition = {
  entry: async (job) => {
    const settings = readAgentSettings(process.env);
    const callId = callIdOf(job.job.metadata);
    // The room of a caller is named after their number.
    const log = pino({ level: settings.logLevel, base: { process: 'agent', call_id: callId ?? undefined } });
    const access = { apiUrl: settings.apiUrl, carrierSecret: settings.carrierSecret };
    const room = new LiveKitRoom(entryOf(job), settings.livekit);
    const metrics = new ConversationMetrics(sendToWorker);
    metrics.begun();
    const conversation = converse({
      callId,
      room,
      platform: new PlatformApi(access),
      eventsOf: (id) => new PlatformEvents({ ...access, callId: id, roomName: room.name, log }),
      liveOf: (id) => new LiveUpdates({ ...access, callId: id, roomName: room.name }),
      guard: createGuard({ allowedHosts: settings.allowedHosts }),
      settings,
      closeLimits: CLOSE_LIMITS,
      stopping: endOfWorker(),
      metrics,
      log,
    });
    // Ends the process only then: the recording may still be on its way when the room is gone.
    job.addShutdownCallback(() => conversation);
    await conversation;
    metrics.over();
    job.shutdown('the conversation is over');
  },
};
// What the SDK's `defineAgent` does. It would bring all of the SDK along: 0.2 s of processor time for each conversation, for nothing.
Object.defineProperty(agent, Symbol.for('livekit.agents.AgentDefinition'), { value: true });

export default agent;

/** The worker ends, or is gone: what this process holds is left in order. The SDK tells its own parts only, and those much later. */
function endOfWorker(): AbortSignal {
  const ended = new AbortController();
  process.once('disconnect', () => ended.abort());
  process.on('message', (message) => {
    if (valueAt(message, 'case') === 'shutdownRequest') ended.abort();
  });
  return ended.signal;
}

/** The worker of the platform names the call; rooms that LiveKit made for callers name none. */
function callIdOf(metadata: string): string | null {
  try {
    const read: unknown = JSON.parse(metadata);
    return isJsonObject(read) && typeof read.call_id === 'string' ? read.call_id : null;
  } catch {
    return null;
  }
}
