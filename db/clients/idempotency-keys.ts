/** A client's idempotency keys: reserved while the request runs, answered once it has succeeded, gone a day later. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * How long the request that reserved a key is taken to be at work: far longer than the slowest request, as each of its statements and calls of
 * Temporal ends within three seconds. Only a process that died in mid-request leaves a key to its lease.
 */
export const LEASE_MS = 30_000;

/** How many rows past their day each stored answer clears away: more than the one that it adds. */
const PRUNED_AT_ONCE = 10;

export interface KeyRequest {
  clientId: string;
  key: string;
  fingerprint: Buffer;
  /** The id to make the subject with, should the key be free. */
  subjectId: string;
  now: number;
}

export interface Reservation {
  clientId: string;
  key: string;
  /** Not the id that was asked with when the reservation was taken over. */
  subjectId: string;
  /** Milliseconds. Also distinguishes this reservation from the one that it took over, or that took it over. */
  leasedUntil: number;
  /** Somebody before did not come to an end, and may have made the subject. */
  isTakenOver: boolean;
}

export type KeyState =
  | { kind: 'reserved'; reservation: Reservation }
  | { kind: 'answered'; subjectId: string; answer: Buffer }
  | { kind: 'in_progress' }
  | { kind: 'other_request' };

/** One of any number of requests at once is given the key; so is one that finds it left by somebody whose lease is over. */
export async function reserveKey(db: Db, request: KeyRequest): Promise<KeyState> {
  const { clientId, key, subjectId } = request;
  const leasedUntil = request.now + LEASE_MS;
  const reserved = await firstRow<{ subjectId: string }>(db, RESERVE, {
    ...request,
    now: timestamp(request.now),
    leasedUntil: timestamp(leasedUntil),
    expired: expiredBy(request.now),
  });
  if (reserved === undefined) return stateOf(db, request);
  const isTakenOver = reserved.subjectId !== subjectId;
  return {
    kind: 'reserved',
    reservation: { clientId, key, subjectId: reserved.subjectId, leasedUntil, isTakenOver },
  };
}

/** Takes the key if it is new, past its day, or left unanswered by the same request. Otherwise answers no row. */
const RESERVE = `
insert into idempotency_keys as held (client_id, key, fingerprint, subject_id, created_at, leased_until)
values (:clientId, :key, :fingerprint, :subjectId, :now, :leasedUntil)
on conflict (client_id, key) do update set
  fingerprint = excluded.fingerprint,
  subject_id = case when held.created_at <= :expired then excluded.subject_id else held.subject_id end,
  created_at = case when held.created_at <= :expired then excluded.created_at else held.created_at end,
  leased_until = excluded.leased_until,
  answer = null
where (held.created_at <= :expired or (held.answer is null and held.fingerprint = excluded.fingerprint))
  and held.leased_until <= :now
returning subject_id as "subjectId"`;

async function stateOf(db: Db, { clientId, key, fingerprint }: KeyRequest): Promise<KeyState> {
  const held = await firstRow<{ isSame: boolean; subjectId: string; answer: Buffer | null }>(
    db,
    `select fingerprint = :fingerprint as "isSame", subject_id as "subjectId", answer from idempotency_keys
     where client_id = :clientId and key = :key`,
    { clientId, key, fingerprint },
  );
  // Freed since: it was being worked on when it was asked for.
  if (held === undefined) return { kind: 'in_progress' };
  if (!held.isSame) return { kind: 'other_request' };
  if (held.answer === null) return { kind: 'in_progress' };
  return { kind: 'answered', subjectId: held.subjectId, answer: held.answer };
}

/** Clears away some rows past their day too, so that the table stays as large as a day. */
export async function storeAnswer(
  db: Db,
  { clientId, key, subjectId }: Reservation,
  answer: Buffer,
  now: number,
): Promise<void> {
  // Rows that others hold are skipped, so that two of these statements never wait for each other.
  await rows(
    db,
    `with past as (
       select client_id, key from idempotency_keys where created_at <= :expired and leased_until <= :now
       order by created_at limit :pruned for update skip locked),
     gone as (delete from idempotency_keys k using past p where k.client_id = p.client_id and k.key = p.key)
     update idempotency_keys set answer = :answer
     where client_id = :clientId and key = :key and subject_id = :subjectId and answer is null`,
    {
      clientId,
      key,
      subjectId,
      answer,
      now: timestamp(now),
      expired: expiredBy(now),
      pruned: PRUNED_AT_ONCE,
    },
  );
}

/**
 * After a request that made nothing. A reservation that was taken over stays, with its lease ended: the request that held it before may
 * yet make the subject, and only the same id keeps that from happening twice.
 */
export async function freeKey(db: Db, reservation: Reservation, now: number): Promise<void> {
  const { clientId, key, leasedUntil, isTakenOver } = reservation;
  const held = { client_id: clientId, key, leased_until: timestamp(leasedUntil), answer: null };
  if (isTakenOver)
    await db('idempotency_keys')
      .where(held)
      .update({ leased_until: timestamp(now) });
  else await db('idempotency_keys').where(held).delete();
}

const expiredBy = (now: number): string => timestamp(now - KEPT_MS);
