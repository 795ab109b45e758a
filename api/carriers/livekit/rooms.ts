import { RoomServiceClient, ServerError } from 'livekit-server-sdk';
import type { Db } from '../../../db/kernel/connection';
import { presenceIn, type Presence } from '../../../runtime/livekit/presence';
import type { CarrierEvent } from '../http/event';

/** Requests to LiveKit about a room. */
export interface Rooms {
  /** Returns an empty presence if the room doesn't exist. */
  whoIsIn(room: string): Promise<Presence>;
  /** Also succeeds if the room doesn't exist. */
  delete(room: string): Promise<void>;
}

const REQUEST_TIMEOUT_S = 3;

export function livekitRooms(access: Record<'url' | 'apiKey' | 'apiSecret', string>): Rooms {
  const { url, apiKey, apiSecret } = access;
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, {
    requestTimeout: REQUEST_TIMEOUT_S,
    failover: false,
  });
  return {
    async whoIsIn(room) {
      return presenceIn(access, room, (await unlessGone(rooms.listParticipants(room))) ?? []);
    },
    async delete(room) {
      await unlessGone(rooms.deleteRoom(room));
    },
  };
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServerError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Dependencies of the code that handles LiveKit's webhooks. */
export interface RoomEventDependencies {
  db: Db;
  rooms: Rooms;
  receive: (event: CarrierEvent) => Promise<unknown>;
  clock: { now(): number };
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}
