/** A call that an agent conducts: its brief, and where its events and records go. */
import type { ipc } from '@livekit/agents';
import type { Log } from '../../log';
import type { ConversationMetrics } from '../../metrics/conversation-metrics';
import type { Guard } from '../../network/guarded-agent';
import type { Brief } from '../../platform/brief';
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
  /** For its events to be acknowledged. */
  flushMs: number;
  /** For the platform to learn of an end that LiveKit reports. It spends three seconds of it waiting for the exact reason of an unanswered call. */
  endKnownMs: number;
}

/** The dependencies of a conversation before its call is known. */
export interface SessionContext {
  room: ConversationRoom;
  platform: PlatformApi;
  /** Creates the event queue of the call. */
  eventsFor: (callId: string, access: ApiAccess) => PlatformEvents;
  record: RoomRecordWriter;
  state: SessionState;
  /** Creates the publisher of live updates of the call. */
  livePublisherFor: (callId: string, access: ApiAccess) => LivePublisher;
  /** Guards connections to addresses that a client has chosen. */
  guard: Guard;
  settings: Pick<
    AgentSettings,
    'silenceMs' | 'joinLimitMs' | 'speech' | 'customLlmFirstTokenMs' | 'noiseSuppression' | 'timeZone'
  >;
  /** Runs LiveKit's model for the end of a turn; null where it is left out. */
  inference: ipc.InferenceExecutor | null;
  closeLimits: CloseLimits;
  /** How long a phone may be connected without a packet of audio. Eight seconds unless set. */
  noAudioAfterMs?: number;
  metrics: ConversationMetrics;
  log: Log;
}

export interface CallContext extends SessionContext {
  brief: Brief;
  events: PlatformEvents;
  live: LivePublisher;
}

/** Null for a call that is over or unknown, whose room is deleted, for one that another agent has, and when the API is unavailable. */
export async function loadCallContext(context: SessionContext, callId: string): Promise<CallContext | null> {
  const response = await context.platform.brief(callId);
  if (response.kind === 'brief')
    return {
      ...context,
      brief: response.brief,
      events: context.eventsFor(callId, response.access),
      live: context.livePublisherFor(callId, response.access),
    };
  context.log.warn({ answer: response.kind }, 'the call is over, unknown, or not ours');
  if (response.kind === 'over' || response.kind === 'unknown') await context.room.delete();
  return null;
}
