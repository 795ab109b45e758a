/** Interprets the reason that LiveKit gives when the callee or caller leaves a room. */
import type { CallDirection } from './call';
import type { CarrierEndReason } from './call-outcome';
import type { OrphanedBy } from './orphaned-call';

/** `DisconnectReason` from LiveKit's protocol. */
const NUMBERS = {
  UNKNOWN_REASON: 0,
  CLIENT_INITIATED: 1,
  DUPLICATE_IDENTITY: 2,
  SERVER_SHUTDOWN: 3,
  PARTICIPANT_REMOVED: 4,
  ROOM_DELETED: 5,
  STATE_MISMATCH: 6,
  JOIN_FAILURE: 7,
  MIGRATION: 8,
  SIGNAL_CLOSE: 9,
  ROOM_CLOSED: 10,
  USER_UNAVAILABLE: 11,
  USER_REJECTED: 12,
  SIP_TRUNK_FAILURE: 13,
  CONNECTION_TIMEOUT: 14,
  MEDIA_FAILURE: 15,
  AGENT_ERROR: 16,
} as const;
export type LeftReason = keyof typeof NUMBERS;

/** Returns `UNKNOWN_REASON` for an unknown number or name. */
export function leftReasonOf(reported: number | string | null): LeftReason {
  const found = Object.entries(NUMBERS).find(([name, number]) => name === reported || number === reported);
  return isLeftReason(found?.[0]) ? found[0] : 'UNKNOWN_REASON';
}

const isLeftReason = (name: string | undefined): name is LeftReason =>
  name !== undefined && Object.hasOwn(NUMBERS, name);

/** The platform, the agent or LiveKit removed the participant. LiveKit does this when the room is otherwise empty. */
export const isRemoved = (left: LeftReason): boolean =>
  left === 'ROOM_DELETED' || left === 'PARTICIPANT_REMOVED' || left === 'ROOM_CLOSED';

/** The connection broke, so the phone may still be ringing or connected. When the bridge ends a call, it reports other reasons. */
export const isConnectionLost = (left: LeftReason): boolean => CONNECTION_LOST.has(left);
const CONNECTION_LOST: ReadonlySet<LeftReason> = new Set([
  'CONNECTION_TIMEOUT',
  'SIGNAL_CLOSE',
  'STATE_MISMATCH',
  'SERVER_SHUTDOWN',
]);

/** Returns the process that died. LiveKit itself is alive unless it reported its own shutdown. */
export const orphanedByLoss = (left: LeftReason): OrphanedBy =>
  left === 'SERVER_SHUTDOWN' ? 'livekit' : 'bridge';

/** The participant has reconnected or will do so immediately, after a page reload or because the room moved to another server. */
export const isReplaced = (left: LeftReason): boolean =>
  left === 'DUPLICATE_IDENTITY' || left === 'MIGRATION';

/** Tolerance in the reported duration of a talk that ended at its limit. */
const AT_THE_LIMIT_MS = 1_500;

/** Returns who ended the conversation when a participant left after the answer. */
export function endOfTalk(left: LeftReason, talk: { talkedMs: number; maxTalkMs: number }): CarrierEndReason {
  if (isRemoved(left)) return 'platform';
  if (left !== 'CLIENT_INITIATED') return 'dropped';
  return talk.talkedMs >= talk.maxTalkMs - AT_THE_LIMIT_MS ? 'max_talk' : 'callee';
}

/**
 * Returns why a call ended before the answer. This is less exact than the SIP status, which only the dialling worker receives: declined and
 * busy look the same here.
 */
export function endOfRinging(left: LeftReason, direction: CallDirection): CarrierEndReason {
  if (isRemoved(left)) return 'platform';
  switch (left) {
    case 'USER_UNAVAILABLE':
      return 'no_answer';
    case 'USER_REJECTED':
      return 'busy';
    case 'CLIENT_INITIATED':
      return direction === 'Incoming' ? 'cancelled' : 'carrier_failure';
    default:
      return 'carrier_failure';
  }
}
