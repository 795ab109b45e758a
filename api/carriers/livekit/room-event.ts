/** What LiveKit's webhooks say, in our words. */
import type { ParticipantInfo, WebhookEvent } from 'livekit-server-sdk';
import { END_REASONS, type CarrierEndReason } from '../../../domain/call-outcome';
import { CLOCK_TOLERANCE_MS } from '../../../domain/event-time';
import { valueAt } from '../../../domain/json';
import { leftReasonOf, type LeftReason } from '../../../domain/left-reason';
import {
  isAgent,
  isHungUp,
  isMarkedHungUp,
  isPerson,
  isPhone,
  shownNumberOf,
} from '../../../domain/room-participants';

interface Common {
  room: string;
  /** Milliseconds since the epoch, as near as LiveKit says it. */
  at: number;
}

/** As the SIP bridge has them. */
export interface CallerNumbers {
  to: string;
  from: string;
}

export type RoomEvent =
  /** `fromNumber`: the number that a phone which we dialled is shown. */
  | (Common & { kind: 'phoneCame'; fromNumber?: string })
  /** The other end of the call, phone or browser. */
  | (Common & {
      kind: 'personLeft';
      reason: LeftReason;
      joinedAt: number;
      isPhone: boolean;
      /** As the agent recorded it in the room before it hung up; null where it did not. */
      agentsEnd: CarrierEndReason | null;
      /** Its call had been answered, unless it is a caller's, and was hung up. */
      isMarkedHungUp: boolean;
      caller: CallerNumbers | null;
      /** Whose room it is, of several deployments on one LiveKit; null where the room does not say. */
      deployment: string | null;
    })
  | (Common & { kind: 'agentLeft' })
  | (Common & { kind: 'roomClosed' })
  /** Nothing that a call depends on. */
  | { kind: 'other' };

const OTHER: RoomEvent = { kind: 'other' };
const SECOND_MS = 1_000;

/** `now` is when it came. */
export function roomEvent(webhook: WebhookEvent, now: number): RoomEvent {
  const { event, room, participant, createdAt } = webhook;
  if (room === undefined || room.name === '') return OTHER;
  const common = { room: room.name, at: withinSecond(Number(createdAt) * SECOND_MS, now) };
  if (event === 'room_finished') return { ...common, kind: 'roomClosed' };
  if (participant === undefined) return OTHER;
  const joined = Number(participant.joinedAtMs) || Number(participant.joinedAt) * SECOND_MS;
  const joinedAt = Math.min(joined, latest(now));
  switch (event) {
    case 'participant_joined':
      return isPhone(participant)
        ? { ...common, ...phoneCame(participant), at: joinedAt || common.at }
        : OTHER;
    case 'participant_left':
    // Left before it was connected.
    case 'participant_connection_aborted':
      if (isAgent(participant)) return { ...common, kind: 'agentLeft' };
      if (!isPerson(participant)) return OTHER;
      return {
        ...common,
        kind: 'personLeft',
        reason: reasonOf(participant),
        joinedAt,
        isPhone: isPhone(participant),
        ...recordedIn(room.metadata),
        isMarkedHungUp: isMarkedHungUp(participant),
        caller: callerNumbers(participant),
      };
    default:
      return OTHER;
  }
}

function phoneCame(participant: ParticipantInfo) {
  const fromNumber = shownNumberOf(participant);
  return { kind: 'phoneCame' as const, ...(fromNumber !== undefined && { fromNumber }) };
}

/**
 * LiveKit takes a leg whose call broke off at its SIP bridge, as without media, for one that left by itself. Only the bridge knows: it marks a
 * leg as hung up before that leaves, and one that broke off it does not. Either way it has sent its BYE.
 */
function reasonOf(participant: ParticipantInfo): LeftReason {
  const reason = leftReasonOf(participant.disconnectReason);
  const isDropped = reason === 'CLIENT_INITIATED' && isPhone(participant) && !isHungUp(participant);
  return isDropped ? 'UNKNOWN_REASON' : reason;
}

function recordedIn(metadata: string): { agentsEnd: CarrierEndReason | null; deployment: string | null } {
  try {
    const record: unknown = JSON.parse(metadata);
    const [reason, deployment] = [valueAt(record, 'end_reason'), valueAt(record, 'deployment')];
    return {
      agentsEnd: END_REASONS.find((each) => each === reason) ?? null,
      deployment: typeof deployment === 'string' ? deployment : null,
    };
  } catch (error) {
    // Empty, or another's.
    if (error instanceof SyntaxError) return { agentsEnd: null, deployment: null };
    throw error;
  }
}

/** Null for a leg that we dialled, or that another's rule hides. */
function callerNumbers({ attributes }: ParticipantInfo): CallerNumbers | null {
  const { 'sip.trunkPhoneNumber': to, 'sip.phoneNumber': from = '' } = attributes;
  return to === undefined ? null : { to, from };
}

/** LiveKit names the second. An event that comes at once happened when it came, as far as the second allows. */
function withinSecond(second: number, now: number): number {
  return Math.min(Math.max(now, second), second + SECOND_MS - 1, latest(now));
}

/** Keeps a wrong time in the future inside what a date can hold. It stays so far ahead that the receiver of the event replaces and reports it. */
const latest = (now: number): number => now + 2 * CLOCK_TOLERANCE_MS;
