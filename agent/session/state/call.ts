/** Everything that a conversation needs for its call: the platform's details of the call, and where to send events and recordings. */
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

/** How long a finished conversation waits for the platform before it leaves the room open. */
export interface CloseLimits {
  /** Time for the platform to acknowledge the events. */
  flushMs: number;
  /**
   * Time for the platform to learn of an end that LiveKit reports. The platform itself waits up to three seconds for the exact reason why a
   * call was not answered.
   */
  endKnownMs: number;
}

/** Dependencies of a conversation before its call is known. */
export interface SessionContext {
  room: ConversationRoom;
  platform: PlatformApi;
  eventsFor: (callId: string, access: ApiAccess) => PlatformEvents;
  record: RoomRecordWriter;
  state: SessionState;
  livePublisherFor: (callId: string, access: ApiAccess) => LivePublisher;
  /** Guards connections to addresses from an organization's configuration. */
  guard: Guard;
  settings: Pick<
    AgentSettings,
    'silenceMs' | 'joinLimitMs' | 'speech' | 'customLlmFirstTokenMs' | 'noiseSuppression' | 'timeZone'
  >;
  /** Runs LiveKit's end-of-turn model. Null when the model is disabled. */
  inference: ipc.InferenceExecutor | null;
  closeLimits: CloseLimits;
  /** How long a connected phone can go without sending an audio packet. Default: 8000. */
  noAudioAfterMs?: number;
  metrics: ConversationMetrics;
  log: Log;
}

export interface Call extends SessionContext {
  callContext: CallContext;
  events: PlatformEvents;
  live: LivePublisher;
}

/**
 * Returns null if the call is over or unknown, if another agent has it, or if the API is unavailable. Deletes the room of a call that is
 * over or unknown.
 */
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
