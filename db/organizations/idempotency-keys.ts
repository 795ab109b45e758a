/** Idempotency keys. A key is reserved while its request runs, stores the response once it succeeds, and expires after a day. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * How long a request can hold a key. Far longer than the slowest request, whose statements and Temporal calls end within 3 s each. A lease
 * therefore expires only if the process died.
 */
export const LEASE_MS = 30_000;

/** Number of expired rows to delete with each stored response. More than 1, so that the table can't grow forever. */
const PRUNED_AT_ONCE = 10;

export interface KeyRequest {
  organizationId: string;
  key: string;
  fingerprint: Buffer;
  /** Id for the new resource if the key is free. */
  subjectId: string;
  now: number;
}

export interface Reservation {
  organizationId: string;
  key: string;
  /** Id for the new resource. Differs from the one in `KeyRequest` if the reservation was taken over. */
  subjectId: string;
  /** Milliseconds since the epoch. Also distinguishes this reservation from earlier and later holders of the key. */
  leasedUntil: number;
  /** An earlier request with this key didn't finish, and may have created the resource. */
  isTakenOver: boolean;
}

export type KeyState =
  | { kind: 'reserved'; reservation: Reservation }
  | { kind: 'answered'; subjectId: string; answer: Buffer }
  | { kind: 'in_progress' }
  | { kind: 'other_request' };

/** Reserves a key, which only one of several simultaneous requests can get. Takes over a reservation whose lease has expired. */
export async function reserveKey(db: Db, request: KeyRequest): Promise<KeyState> {
  const { organizationId, key, subjectId } = request;
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
    reservation: { organizationId, key, subjectId: reserved.subjectId, leasedUntil, isTakenOver },
  };
}

/** Takes the key if it is new, expired, or abandoned by the same request. Otherwise returns no row. */
const RESERVE = `
insert into idempotency_keys as held (organization_id, key, fingerprint, subject_id, created_at, leased_until)
values (:organizationId, :key, :fingerprint, :subjectId, :now, :leasedUntil)
on conflict (organization_id, key) do update set
  fingerprint = excluded.fingerprint,
  subject_id = case when held.created_at <= :expired then excluded.subject_id else held.subject_id end,
  created_at = case when held.created_at <= :expired then excluded.created_at else held.created_at end,
  leased_until = excluded.leased_until,
  answer = null
where (held.created_at <= :expired or (held.answer is null and held.fingerprint = excluded.fingerprint))
  and held.leased_until <= :now
returning subject_id as "subjectId"`;

async function stateOf(db: Db, { organizationId, key, fingerprint }: KeyRequest): Promise<KeyState> {
  const held = await firstRow<{ isSame: boolean; subjectId: string; answer: Buffer | null }>(
    db,
    `select fingerprint = :fingerprint as "isSame", subject_id as "subjectId", answer from idempotency_keys
     where organization_id = :organizationId and key = :key`,
    { organizationId, key, fingerprint },
  );
  // Another request held the key when this one tried to reserve it, and has freed it since.
  if (held === undefined) return { kind: 'in_progress' };
  if (!held.isSame) return { kind: 'other_request' };
  if (held.answer === null) return { kind: 'in_progress' };
  return { kind: 'answered', subjectId: held.subjectId, answer: held.answer };
}

/** Stores the response. Also deletes some expired rows, so that the table holds about a day's keys. */
export async function storeAnswer(
  db: Db,
  { organizationId, key, subjectId }: Reservation,
  answer: Buffer,
  now: number,
): Promise<void> {
  // Skips locked rows, so that two of these statements never wait for each other.
  await rows(
    db,
    `with past as (
       select organization_id, key from idempotency_keys where created_at <= :expired and leased_until <= :now
       order by created_at limit :pruned for update skip locked),
     gone as (delete from idempotency_keys k using past p where k.organization_id = p.organization_id and k.key = p.key)
     update idempotency_keys set answer = :answer
     where organization_id = :organizationId and key = :key and subject_id = :subjectId and answer is null`,
    {
      organizationId,
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
 * Frees the key of a request that created nothing. If the reservation was taken over, it only ends the lease, because the earlier request
 * may still create the resource. The next request then reuses the id, which prevents a duplicate.
 */
export async function freeKey(db: Db, reservation: Reservation, now: number): Promise<void> {
  const { organizationId, key, leasedUntil, isTakenOver } = reservation;
  const held = { organization_id: organizationId, key, leased_until: timestamp(leasedUntil), answer: null };
  if (isTakenOver)
    await db('idempotency_keys')
      .where(held)
      .update({ leased_until: timestamp(now) });
  else await db('idempotency_keys').where(held).delete();
}

const expiredBy = (now: number): string => timestamp(now - KEPT_MS);
