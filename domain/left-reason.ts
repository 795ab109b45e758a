/** What it means that the remote party left a room, by LiveKit's reason for it. */
import type { CallDirection } from './call-kind';
import type { CarrierEndReason } from './call-outcome';
import type { StrandedBy } from './stranded-call';

/** LiveKit's names and numbers of them (`DisconnectReason` of its protocol). */
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

/** `UNKNOWN_REASON` for a number or a name that is none of these. */
export function leftReasonOf(reported: number | string | null): LeftReason {
  const found = Object.entries(NUMBERS).find(([name, number]) => name === reported || number === reported);
  return isLeftReason(found?.[0]) ? found[0] : 'UNKNOWN_REASON';
}

const isLeftReason = (name: string | undefined): name is LeftReason =>
  name !== undefined && Object.hasOwn(NUMBERS, name);

/** Removed by us, by the agent, or by LiveKit when nobody else was left. */
export const isRemoved = (left: LeftReason): boolean =>
  left === 'ROOM_DELETED' || left === 'PARTICIPANT_REMOVED' || left === 'ROOM_CLOSED';

/** Its connection broke: a phone that it was may ring or be connected. What a bridge ends itself it reports otherwise. */
export const isConnectionLost = (left: LeftReason): boolean => CONNECTION_LOST.has(left);
const CONNECTION_LOST: ReadonlySet<LeftReason> = new Set([
  'CONNECTION_TIMEOUT',
  'SIGNAL_CLOSE',
  'STATE_MISMATCH',
  'SERVER_SHUTDOWN',
]);

/** What died where it was lost: a LiveKit that reports the others is alive. */
export const strandedByLoss = (left: LeftReason): StrandedBy =>
  left === 'SERVER_SHUTDOWN' ? 'livekit' : 'bridge';

/** The same participant is there over another connection, or comes back at once: a page that was reloaded, a room that moved to another server. */
export const isReplaced = (left: LeftReason): boolean =>
  left === 'DUPLICATE_IDENTITY' || left === 'MIGRATION';

/** Rounds of clocks: a talk that was cut at its limit is seldom reported to the millisecond. */
const AT_THE_LIMIT_MS = 1_500;

/** After the answer: who broke the conversation off. */
export function endOfTalk(left: LeftReason, talk: { talkedMs: number; maxTalkMs: number }): CarrierEndReason {
  if (isRemoved(left)) return 'platform';
  if (left !== 'CLIENT_INITIATED') return 'dropped';
  return talk.talkedMs >= talk.maxTalkMs - AT_THE_LIMIT_MS ? 'max_talk' : 'callee';
}

/**
 * Before the answer: less exact than the SIP status, which only the worker receives that asked for the call. Declined and busy are one here;
 * most phones that decline say busy.
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
