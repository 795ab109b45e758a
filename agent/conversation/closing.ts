/** How a conversation is left behind: everybody out, and the platform knowing why. */
import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '../../workflows/domain/assert-never';
import type { AgentEndReason } from '../platform/platform-events';
import type { HeldCall, Patience } from './call';
import type { ConversationEnd } from './end';
import type { ConversationRoom } from './room-port';

export const PATIENCE: Patience = { tellMs: 3_000, knownMs: 8_000 };

const LOOK_EVERY_MS = 500;
/** Afterwards the events that are left are nobody's: the platform has looked the call up long ago. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/** Null for a conversation that failed: nothing is told that is not known. Answers whether the room was deleted. */
export async function closeCall(call: HeldCall, end: ConversationEnd | null): Promise<boolean> {
  if (end === null) return false;
  const { room, record, events, patience } = call;
  switch (end.by) {
    case 'agent':
      return endCall(call, end.reason);
    case 'other side':
      await record.settled();
      await events.flush(patience.tellMs);
      return (await isKnownToBeOver(call)) && deleted(room);
    case 'nobody':
      return deleted(room);
    case 'room':
    case 'another agent':
    case 'process':
      return false;
    default:
      return assertNever(end);
  }
}

/**
 * The reason is in the room before anything happens, and the other side out of it before the platform gives the line to the next call.
 * The room stays until the platform has the end: it looks there where it hears nothing.
 */
async function endCall(
  { room, record, events, situation, patience }: HeldCall,
  reason: AgentEndReason,
): Promise<boolean> {
  record.note({ end_reason: reason });
  await record.settled();
  const { guest, answeredBy } = situation.now;
  const endedAt = new Date();
  if (guest !== null) await room.remove(guest.identity);
  events.tell(
    { type: 'ended', end_reason: reason, ...(answeredBy !== null && { answered_by: answeredBy }) },
    endedAt,
  );
  return (await events.flush(patience.tellMs)) && deleted(room);
}

async function deleted(room: ConversationRoom): Promise<true> {
  await room.delete();
  return true;
}

/** The room goes once the platform has the end: until then its record is the only one there is. */
async function isKnownToBeOver({ platform, brief, patience }: HeldCall): Promise<boolean> {
  const until = performance.now() + patience.knownMs;
  do {
    if (await platform.knowsEnd(brief.callId)) return true;
    await sleep(LOOK_EVERY_MS);
  } while (performance.now() < until);
  return false;
}

/** Once the room is left: what could not be told is told as long as it is of use. */
export async function settleAfterwards(
  { events, room }: HeldCall,
  { end, isRoomGone }: { end: ConversationEnd | null; isRoomGone: boolean },
): Promise<void> {
  const isTold = await events.flush(GIVE_UP_AFTER_MS);
  events.giveUp();
  if (isTold && end?.by === 'agent' && !isRoomGone) await room.delete();
}
