import type { Db } from '../../../db/kernel/connection';
import type { CarrierEvent } from '../http/event';
import type { Rooms } from './rooms';

/** Dependencies of the code that handles LiveKit's webhooks. */
export interface RoomEventDependencies {
  db: Db;
  rooms: Rooms;
  receive: (event: CarrierEvent) => Promise<unknown>;
  clock: { now(): number };
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}
