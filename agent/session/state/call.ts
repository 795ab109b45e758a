/** Everything a conversation needs about its call: the details from the platform, and where its events and records go. */
import type { ipc } from '@livekit/agents';
import type { Log } from '../../log';
import type { ConversationMetrics } from '../../metrics/conversation-metrics';
import type { Guard } from '../../network/guarded-agent';
import type { CallContext } from '../../platform/call-context';
import type { LiveUpdates } from '../../platform/live-updates';
import type { PlatformApi } from '../../platform/platform-api';
import type { PlatformEvents } from '../../platform/platform-events';
import type { ApiAccess } from '../../platform/request';
import type { AgentSettings } from '../../settings';
import type { ConversationRoom } from './room-port';
import type { RoomRecordWriter } from './room-record';
import type { SessionState } from './session-state';

export type LivePublisher = Pick<LiveUpdates, 'publish' | 'close'>;

/** How long a finished conversation waits for the platform before it leaves the room as it is. */
export interface CloseLimits {
  /** Wait for the platform to acknowledge the events. */
  flushMs: number;
  /**
   * Wait for the platform to learn of an end that LiveKit reports. The platform spends three seconds of it waiting for the exact reason of
   * an unanswered call.
   */
  endKnownMs: number;
}

/** Dependencies of a conversation whose call is not known yet. */
export interface SessionContext {
  room: ConversationRoom;
  platform: PlatformApi;
  /** Creates the event queue of the call. */
  eventsFor: (callId: string, access: ApiAccess) => PlatformEvents;
  record: RoomRecordWriter;
  state: SessionState;
  /** Creates the publisher of the call's live updates. */
  livePublisherFor: (callId: string, access: ApiAccess) => LivePublisher;
  /** Guards connections to addresses that an organization has configured. */
  guard: Guard;
  settings: Pick<
    AgentSettings,
    'silenceMs' | 'joinLimitMs' | 'speech' | 'customLlmFirstTokenMs' | 'noiseSuppression' | 'timeZone'
  >;
  /** Runs LiveKit's end-of-turn model; null when it is switched off. */
  inference: ipc.InferenceExecutor | null;
  closeLimits: CloseLimits;
  /** How long a phone may be connected without sending a packet of audio. Defaults to eight seconds. */
  noAudioAfterMs?: number;
  metrics: ConversationMetrics;
  log: Log;
}

export interface Call extends SessionContext {
  callContext: CallContext;
  events: PlatformEvents;
  live: LivePublisher;
}

/** Returns null when the call is over or unknown, which deletes the room, when another agent has it, and when the API is unavailable. */
export async function loadCall(context: SessionContext, callId: string): Promise<Call | null> {
  const response = await context.platform.callContext(callId);
  if (response.kind === 'found')
    return {
      ...context,
      callContext: response.callContext,
      events: context.eventsFor(callId, response.access),
      live: context.livePublisherFor(callId, response.access),
    };
  context.log.warn({ answer: response.kind }, 'the call is over, unknown, or taken by another agent');
  if (response.kind === 'over' || response.kind === 'unknown') await context.room.delete();
  return null;
}
