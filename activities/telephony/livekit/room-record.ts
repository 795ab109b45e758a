/**
 * The agent's record of a call, stored in the metadata of its room. Look-ups of an ended call depend on it, because LiveKit keeps no
 * history of participants.
 */
import Joi from 'joi';
import { END_REASONS, type CarrierEndReason } from '../../../domain/call-outcome';

export interface RoomRecord {
  deployment: string | null;
  /** Null in a caller's room until the caller is accepted. */
  callId: string | null;
  dialingAt: string | null;
  ringingAt: string | null;
  answeredAt: string | null;
  leftAt: string | null;
  /** The reason that LiveKit gave for the departure of the callee or caller. */
  leftReason: string | null;
  /** Set if the agent ended the call. */
  endReason: CarrierEndReason | null;
  /** The agent ended the call as `dropped` because the phone sent no audio packet. */
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

/** Returns null for metadata of another system, because several systems can use the same server. */
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

/** Creates the initial record of a room. A caller's room has no call id yet. */
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
