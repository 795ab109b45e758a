/** Ends a call: removes the participants and makes sure that the platform learns of the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '../../domain/assert-never';
import type { AgentEndReason } from '../platform/platform-events';
import type { Call, CloseLimits } from './state/call';
import type { ConversationEnd } from './state/conversation-end';
import type { ConversationRoom } from './state/room-port';
import { isPhone } from './state/session-state';

export const CLOSE_LIMITS: CloseLimits = { flushMs: 3_000, endKnownMs: 8_000 };

const POLL_INTERVAL_MS = 500;
/** Reconciliation has checked the call by then, so later events are useless. */
const ABANDON_AFTER_MS = 10 * 60_000;

/**
 * Returns true if the room needs no further action, because it was deleted or must stay open. `end` is null if the conversation failed; the
 * agent then reports no end.
 */
export async function closeCall(call: Call, end: ConversationEnd | null): Promise<boolean> {
  if (end === null) return false;
  const { room, record, events, closeLimits } = call;
  switch (end.by) {
    case 'agent':
      return endCall(call, end);
    case 'user':
      await record.written();
      await events.flush(closeLimits.flushMs);
      return (await waitUntilEndIsKnown(call)) && deleteRoom(room);
    case 'unanswered':
      return deleteRoom(room);
    case 'room':
      reportLostConnection(call);
      return false;
    case 'another agent':
    case 'process':
      return false;
    default:
      return assertNever(end);
  }
}

/**
 * Records the reason in the room first, because the platform reads it there when events are missing. Removes the user before the platform
 * gives the line to the next call. Deletes the room only after the platform has acknowledged the end.
 */
async function endCall(call: Call, end: Extract<ConversationEnd, { by: 'agent' }>): Promise<boolean> {
  const { room, record, events, state, closeLimits } = call;
  const without = end.reason === 'dropped' && !end.hadAudio ? ({ no_audio: true } as const) : {};
  record.set({ end_reason: end.reason, ...without });
  await record.written();
  const { participant, answeredBy } = state.current;
  const endedAt = new Date();
  if (participant !== null && !isPhone(participant)) await room.remove(participant.identity);
  if (participant !== null && isPhone(participant) && !(await room.hangUp(participant.identity))) {
    record.withdrawEnd();
    return reportLostPhone(call, end.reason);
  }
  events.emit(
    {
      type: 'ended',
      end_reason: end.reason,
      ...without,
      ...(answeredBy !== null && { answered_by: answeredBy }),
    },
    endedAt,
  );
  return (await events.flush(closeLimits.flushMs)) && deleteRoom(room);
}

/** The SIP bridge is dead, so the phone can't be hung up. The platform deletes the room later and doesn't charge the silent time. */
async function reportLostPhone(
  { events, settings, closeLimits }: Call,
  reason: AgentEndReason,
): Promise<boolean> {
  events.emit(
    { type: 'lost', by: 'bridge' },
    new Date(Date.now() - (reason === 'dropped' ? settings.silenceMs : 0)),
  );
  await events.flush(closeLimits.flushMs);
  return true;
}

/**
 * LiveKit is down or unreachable from here. A phone that was in the room may still be connected, or may return to the room without the
 * agent.
 */
function reportLostConnection({ events, state }: Call): void {
  const { participant, connectionLostAt } = state.current;
  if (participant === null || !isPhone(participant) || connectionLostAt === null) return;
  events.emit({ type: 'lost', by: 'livekit' }, new Date(connectionLostAt));
}

async function deleteRoom(room: ConversationRoom): Promise<true> {
  await room.delete();
  return true;
}

/** Waits until the platform has recorded the end. Until then, only the room's metadata contains it. */
async function waitUntilEndIsKnown({ platform, callContext, closeLimits }: Call): Promise<boolean> {
  const until = performance.now() + closeLimits.endKnownMs;
  do {
    if (await platform.isCallOver(callContext.callId)) return true;
    await sleep(POLL_INTERVAL_MS);
  } while (performance.now() < until);
  return false;
}

/** After the agent has left the room, retries unacknowledged events for as long as they are useful. */
export async function flushAfterLeaving(
  { events, room }: Call,
  { end, isRoomGone }: { end: ConversationEnd | null; isRoomGone: boolean },
): Promise<void> {
  const isAcknowledged = await events.flush(ABANDON_AFTER_MS);
  events.abandon();
  if (isAcknowledged && end?.by === 'agent' && !isRoomGone) await room.delete();
}
