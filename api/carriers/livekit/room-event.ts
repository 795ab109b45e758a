/** What LiveKit's webhooks say, in our words. */
import type { ParticipantInfo, WebhookEvent } from 'livekit-server-sdk';
import { leftReasonOf, type LeftReason } from '../../../workflows/domain/left-reason';
import { isAgent, isHungUp, isPerson, isPhone } from '../../../workflows/domain/room-participants';

interface Common {
  room: string;
  /** Milliseconds since the epoch, as near as LiveKit says it. */
  at: number;
}

export type RoomEvent =
  | (Common & { kind: 'phoneCame' })
  /** The other end of the call, phone or browser. */
  | (Common & { kind: 'personLeft'; reason: LeftReason; joinedAt: number })
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
  const joinedAt = Number(participant.joinedAtMs) || Number(participant.joinedAt) * SECOND_MS;
  switch (event) {
    case 'participant_joined':
      return isPhone(participant) ? { ...common, kind: 'phoneCame', at: joinedAt || common.at } : OTHER;
    case 'participant_left':
    // Left before it was connected.
    case 'participant_connection_aborted':
      if (isAgent(participant)) return { ...common, kind: 'agentLeft' };
      if (!isPerson(participant)) return OTHER;
      return { ...common, kind: 'personLeft', reason: reasonOf(participant), joinedAt };
    default:
      return OTHER;
  }
}

/**
 * LiveKit takes a phone's leg that was lost for one that left by itself. Only its SIP bridge knows: it marks a leg as hung up before that
 * leaves, and one that it lost it does not.
 */
function reasonOf(participant: ParticipantInfo): LeftReason {
  const reason = leftReasonOf(participant.disconnectReason);
  const isLost = reason === 'CLIENT_INITIATED' && isPhone(participant) && !isHungUp(participant);
  return isLost ? 'UNKNOWN_REASON' : reason;
}

/** LiveKit names the second. What comes at once happened when it came, as far as the second allows. */
function withinSecond(second: number, now: number): number {
  return Math.min(Math.max(now, second), second + SECOND_MS - 1);
}
