/** A call that an agent holds: its brief, and what is told and kept of it. */
import type { Brief } from '../platform/brief';
import type { PlatformApi } from '../platform/platform-api';
import type { PlatformEvents } from '../platform/platform-events';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';
import type { ConversationMetrics } from '../metrics/conversation-metrics';
import type { LiveNews } from '../platform/live-news';
import type { AgentSettings } from '../settings';
import type { ConversationRoom } from './room-port';
import type { RecordKeeper } from './room-record';
import type { Situation } from './situation';

export type Live = Pick<LiveNews, 'tell' | 'close'>;

/** How long a conversation that is over waits for the platform before it leaves the room behind as it is. */
export interface Patience {
  /** For what it tells to arrive. */
  tellMs: number;
  /** For the platform to know an end that LiveKit tells it. Three seconds of it the platform waits for the exact reason why nobody answered. */
  knownMs: number;
}

/** What a conversation is made of before it is known which call it is. */
export interface Stage {
  room: ConversationRoom;
  platform: PlatformApi;
  /** Events of the call that turns out to be held. */
  eventsOf: (callId: string) => PlatformEvents;
  record: RecordKeeper;
  situation: Situation;
  /** Of the call that turns out to be held, for whoever listens while it happens. */
  liveOf: (callId: string) => Live;
  /** Before addresses that a client has chosen. */
  guard: Guard;
  settings: Pick<AgentSettings, 'silenceMs' | 'joinLimitMs' | 'speech' | 'customLlmFirstTokenMs'>;
  patience: Patience;
  metrics: ConversationMetrics;
  log: Log;
}

export interface HeldCall extends Stage {
  brief: Brief;
  events: PlatformEvents;
  live: Live;
}

/** Null for a call that is over or not known, whose room is of no use, and where the API cannot be asked. */
export async function briefedCall(stage: Stage, callId: string): Promise<HeldCall | null> {
  const answer = await stage.platform.brief(callId);
  if (answer.kind === 'brief')
    return { ...stage, brief: answer.brief, events: stage.eventsOf(callId), live: stage.liveOf(callId) };
  stage.log.warn({ answer: answer.kind }, 'there is no call to hold');
  if (answer.kind !== 'away') await stage.room.delete();
  return null;
}
