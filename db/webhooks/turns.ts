/** How many requests may be under way to one client's endpoint, from all workers together. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

export const MAX_AT_ONCE = 20;

/** A request that may be under way until then. */
export interface Turn {
  id: number;
  until: number;
}

/**
 * SQL that takes a turn from `:now` until the binding `until` for the delivery of a common table expression, and answers its id: null while all are
 * taken, or where there is no delivery.
 */
export function takeTurn(delivery: string, until: string): string {
  return `(select take_turn(client_id, url, :now, ${until}, ${MAX_AT_ONCE}) from ${delivery})`;
}

/** One that ran out meanwhile may be another's: that one keeps it. */
export async function endTurn(db: Db, turn: Turn, now: number): Promise<void> {
  await rows(db, 'update receiver_turns set taken_until = :now where id = :id and taken_until = :until', {
    id: turn.id,
    until: timestamp(turn.until),
    now: timestamp(now),
  });
}

const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/** Of receivers to which nothing was sent for a day. */
export async function forgetIdleTurns(db: Db, now: number): Promise<void> {
  await rows(db, 'delete from receiver_turns where taken_until < :before', {
    before: timestamp(now - FORGOTTEN_AFTER_MS),
  });
}
