/** Cached answers of the do-not-disturb registry, for all organizations and workers. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

/** Expired answers that each new answer deletes. More than one, so that the table can't grow forever. */
const PRUNED_AT_ONCE = 10;

export interface RegistryAnswer {
  /** E.164. */
  phoneNumber: string;
  listed: boolean;
  askedAt: number;
  keptForMs: number;
}

/** Returns whether the number is listed according to an answer after `notBefore`; undefined without such an answer. */
export async function freshAnswer(
  db: Db,
  phoneNumber: string,
  notBefore: number,
): Promise<boolean | undefined> {
  const answer = await firstRow<{ listed: boolean }>(
    db,
    'select listed from dnd_registry_answers where phone_number = :phoneNumber and asked_at > :notBefore',
    { phoneNumber, notBefore: timestamp(notBefore) },
  );
  return answer?.listed;
}

/**
 * Keeps the newest answer, in whatever order workers write. Writes its row before it locks expired ones, and skips locked rows, so that writers
 * don't deadlock.
 */
export async function keepAnswer(db: Db, answer: RegistryAnswer): Promise<void> {
  const { phoneNumber, listed, askedAt, keptForMs } = answer;
  await rows(
    db,
    `with written as (
       insert into dnd_registry_answers as kept (phone_number, listed, asked_at) values (:phoneNumber, :listed, :askedAt)
       on conflict (phone_number) do update set listed = excluded.listed, asked_at = excluded.asked_at
       where kept.asked_at <= excluded.asked_at returning 1),
     past as (
       select phone_number from dnd_registry_answers
       where (select count(*) from written) >= 0 and asked_at <= :expired and phone_number <> :phoneNumber
       order by asked_at limit :pruned for update skip locked)
     delete from dnd_registry_answers a using past p where a.phone_number = p.phone_number`,
    {
      phoneNumber,
      listed,
      askedAt: timestamp(askedAt),
      expired: timestamp(askedAt - keptForMs),
      pruned: PRUNED_AT_ONCE,
    },
  );
}

/** Returns the number to check; null for an unknown call or a call without a number. */
export async function numberOfCall(db: Db, callId: string): Promise<string | null> {
  const call = await firstRow<{ toNumber: string | null }>(
    db,
    'select to_number as "toNumber" from calls where call_id = :callId',
    { callId },
  );
  return call?.toNumber ?? null;
}
