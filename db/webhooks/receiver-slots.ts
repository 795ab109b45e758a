/** Limits concurrent webhook requests to one receiver across all workers. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

export const MAX_AT_ONCE = 20;

/** A slot for one request, valid until `until`. */
export interface ReceiverSlot {
  id: number;
  until: number;
}

/**
 * Returns SQL that takes a slot, until the instant bound to `until`, for the delivery in a common table expression. It returns the slot's
 * id, or null if all slots are taken or there is no delivery.
 */
export function takeReceiverSlot(delivery: string, until: string): string {
  return `(select take_receiver_slot(organization_id, url, :now, ${until}, ${MAX_AT_ONCE}) from ${delivery})`;
}

/** Releases the slot. An expired slot may have a new holder, who keeps it. */
export async function releaseSlot(db: Db, slot: ReceiverSlot, now: number): Promise<void> {
  await rows(db, 'update receiver_slots set taken_until = :now where id = :id and taken_until = :until', {
    id: slot.id,
    until: timestamp(slot.until),
    now: timestamp(now),
  });
}

const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/** Deletes slots of receivers that got no request for a day. */
export async function removeIdleSlots(db: Db, now: number): Promise<void> {
  await rows(db, 'delete from receiver_slots where taken_until < :before', {
    before: timestamp(now - FORGOTTEN_AFTER_MS),
  });
}
