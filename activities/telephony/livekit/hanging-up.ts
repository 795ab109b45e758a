/**
 * Hangs phones up. The SIP bridge hangs up an answered call and confirms it. A ringing call ends when its room is deleted, provided that
 * the bridge is alive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RoomServiceClient } from 'livekit-server-sdk';
import type { NamedParticipant, Presence } from '../../../runtime/livekit/presence';
import type { HangUpProof } from '../../../domain/participant-proof';
import { isMarkedAnswered, isPhone, personIn } from '../../../domain/room-participants';
import type { HangUpAnswer, Retrieved } from '../port';
import { isNotFound, unreachable } from './fault';

export interface RoomAccess {
  rooms: RoomServiceClient;
  /** Checks which of the listed participants are really in the room. */
  presence: (
    room: string,
    listed: readonly NamedParticipant[],
    options?: { asksAnswer: boolean },
  ) => Promise<Presence>;
  askToHangUp: (room: string, identity: string, left: Promise<void>) => Promise<HangUpProof>;
}

const CHECK_EVERY_MS = 50;

/** Returns no participants for a room that does not exist. */
async function listedIn({ rooms }: RoomAccess, room: string): Promise<readonly NamedParticipant[]> {
  return rooms.listParticipants(room).catch((error: unknown) => {
    if (isNotFound(error)) return [];
    throw error;
  });
}

export async function hangUp(access: RoomAccess, room: string): Promise<HangUpAnswer> {
  try {
    const listed = await listedIn(access, room);
    const { person } = await access.presence(room, listed, { asksAnswer: true });
    const phone = listed.find((one) => one === personIn(listed) && isPhone(one));
    const isTalking = person?.kind === 'there' && person.isAnswered === true;
    const proof = phone !== undefined && isTalking ? await bridgeHangsUp(access, room, phone) : null;
    const answer = await deleteRoom(access.rooms, room);
    if (proof === 'hungUp') return 'ended';
    if (proof === 'lost') return 'orphaned';
    return person === null || person.kind === 'there' ? answer : 'orphaned';
  } catch (error) {
    throw unreachable('LiveKit did not respond to a hang-up', error);
  }
}

async function bridgeHangsUp(
  access: RoomAccess,
  room: string,
  { identity }: NamedParticipant,
): Promise<HangUpProof> {
  const isKnown = new AbortController();
  const left = untilLeft(access.rooms, { room, identity }, isKnown.signal);
  try {
    return await access.askToHangUp(room, identity, left);
  } finally {
    isKnown.abort();
  }
}

/** Waits until the phone is no longer listed. If its bridge has died, this takes 20 s. */
async function untilLeft(
  rooms: RoomServiceClient,
  { room, identity }: { room: string; identity: string },
  isKnown: AbortSignal,
): Promise<void> {
  while (!isKnown.aborted) {
    const listed = await rooms.listParticipants(room).catch(() => null);
    if (listed?.every((one) => one.identity !== identity) === true) return;
    await sleep(CHECK_EVERY_MS);
  }
}

export async function retrieve(access: RoomAccess, room: string): Promise<Retrieved> {
  try {
    const listed = await listedIn(access, room);
    const { person, agent } = await access.presence(room, listed);
    if (person?.kind !== 'there') return { kind: 'absent', wasAnswered: listed.some(isMarkedAnswered) };
    if (agent) return { kind: 'talks' };
    await deleteRoom(access.rooms, room);
    return { kind: 'released', isAnswered: person.isAnswered };
  } catch (error) {
    throw unreachable('LiveKit did not say whether a phone is back', error);
  }
}

/** Deletes the room, which also removes its participants. */
export async function deleteRoom(
  rooms: RoomServiceClient,
  room: string,
): Promise<Extract<HangUpAnswer, 'ended' | 'over'>> {
  try {
    await rooms.deleteRoom(room);
    return 'ended';
  } catch (error) {
    if (isNotFound(error)) return 'over';
    throw error;
  }
}
