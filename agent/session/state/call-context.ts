/** A call that an agent holds: its brief, and what is told and kept of it. */
import type { Brief } from '../../platform/brief';
import type { PlatformApi } from '../../platform/platform-api';
import type { PlatformEvents } from '../../platform/platform-events';
import type { Log } from '../../log';
import type { Guard } from '../../network/guarded-agent';
import type { ConversationMetrics } from '../../metrics/conversation-metrics';
import type { LiveUpdates } from '../../platform/live-updates';
import type { AgentSettings } from '../../settings';
import type { ConversationRoom } from './room-port';
import type { RoomRecordWriter } from './room-record';
import type { SessionState } from './session-state';

export type LivePublisher = Pick<LiveUpdates, 'publish' | 'close'>;

/** How long a conversation that is over waits for the platform before it leaves the room behind as it is. */
export interface CloseLimits {
  /** For what it tells to arrive. */
  flushMs: number;
  /** For the platform to know an end that LiveKit tells it. Three seconds of it the platform waits for the exact reason why nobody answered. */
  endKnownMs: number;
}

/** What a conversation is made of before it is known which call it is. */
export interface SessionContext {
  room: ConversationRoom;
  platform: PlatformApi;
  /** Events of the call that turns out to be held. */
  eventsOf: (callId: string) => PlatformEvents;
  record: RoomRecordWriter;
  state: SessionState;
  /** Of the call that turns out to be held, for whoever listens while it happens. */
  liveOf: (callId: string) => LivePublisher;
  /** Before addresses that a client has chosen. */
  guard: Guard;
  settings: Pick<AgentSettings, 'silenceMs' | 'joinLimitMs' | 'speech' | 'customLlmFirstTokenMs'>;
  closeLimits: CloseLimits;
  metrics: ConversationMetrics;
  log: Log;
}

export interface CallContext extends SessionContext {
  brief: Brief;
  events: PlatformEvents;
  live: LivePublisher;
}

/** Null for a call that is over or not known, whose room is of no use, and where the API cannot be asked. */
export async function loadCallContext(context: SessionContext, callId: string): Promise<CallContext | null> {
  const response = await context.platform.brief(callId);
  if (response.kind === 'brief')
    return {
      ...context,
      brief: response.brief,
      events: context.eventsOf(callId),
      live: context.liveOf(callId),
    };
  context.log.warn({ answer: response.kind }, 'there is no call to hold');
  if (response.kind !== 'unavailable') await context.room.delete();
  return null;
}
