/**
 * What the agent writes into its room's metadata while the call goes on: LiveKit itself remembers nothing of who was there. It is all that
 * a look-up knows of a call that has ended.
 */
import Joi from 'joi';
import { END_REASONS, type CarrierEndReason } from '../../../domain/call-outcome';

export interface RoomRecord {
  /** Whose room it is, of several deployments on one LiveKit. */
  deployment: string | null;
  /** Null of a caller's room before they were let in. */
  callId: string | null;
  dialingAt: string | null;
  ringingAt: string | null;
  answeredAt: string | null;
  leftAt: string | null;
  /** Why the remote party left, in LiveKit's words. */
  leftReason: string | null;
  /** Where the agent ended it. */
  endReason: CarrierEndReason | null;
  /** Not a packet came from the phone of a call that the agent ended as dropped. */
  noAudio: boolean;
}

interface Wire {
  v: number;
  deployment: string | null;
  call_id: string | null;
  dialing_at: string | null;
  ringing_at: string | null;
  answered_at: string | null;
  left_at: string | null;
  left_reason: string | null;
  end_reason: CarrierEndReason | null;
  no_audio: boolean | null;
}

const VERSION = 1;
const instant = Joi.string().isoDate().allow(null).default(null);

const schema = Joi.object<Wire>({
  v: Joi.number().valid(VERSION).required(),
  deployment: Joi.string().allow(null).default(null),
  call_id: Joi.string().allow(null, '').default(null),
  dialing_at: instant,
  ringing_at: instant,
  answered_at: instant,
  left_at: instant,
  left_reason: Joi.string().allow(null, '').default(null),
  end_reason: Joi.string()
    .valid(...END_REASONS)
    .allow(null)
    .default(null),
  no_audio: Joi.boolean().allow(null).default(null),
}).unknown();

/** Null where the metadata is not ours: a room of somebody else on the same server. */
export function readRoomRecord(metadata: string): RoomRecord | null {
  const read = schema.validate(parsed(metadata));
  if (read.error !== undefined) return null;
  const { call_id: callId, dialing_at: dialingAt, ringing_at: ringingAt } = read.value;
  const { answered_at: answeredAt, left_at: leftAt, left_reason: leftReason } = read.value;
  return {
    deployment: read.value.deployment,
    callId: callId === '' ? null : callId,
    dialingAt,
    ringingAt,
    answeredAt,
    leftAt,
    leftReason,
    endReason: read.value.end_reason,
    noAudio: read.value.no_audio === true,
  };
}

/** How a room begins that nobody has been in; of a caller's room without a call. */
export const firstRoomRecord = (deployment: string, callId?: string): string =>
  JSON.stringify({ v: VERSION, deployment, ...(callId === undefined ? {} : { call_id: callId }) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
