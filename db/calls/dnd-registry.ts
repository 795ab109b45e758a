/** What the do-not-disturb registry answered, for all clients and workers. */
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';

/** How many answers past their time each new one clears away: more than the one that it adds. */
const PRUNED_AT_ONCE = 10;

export interface RegistryAnswer {
  /** E.164. */
  phoneNumber: string;
  listed: boolean;
  askedAt: number;
  keptForMs: number;
}

/** Whether the number is listed, as answered after `notBefore`; undefined where nobody asked since. */
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
 * The newest answer stays, whatever the order in which two workers write theirs. Its row is written before any other is locked, and
 * rows that others hold are skipped, so that two writers never wait for each other in a circle.
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

/** Whom the registry is asked about; null for a call that is not there, or has no number. */
export async function numberOfCall(db: Db, callId: string): Promise<string | null> {
  const call = await firstRow<{ toNumber: string | null }>(
    db,
    'select to_number as "toNumber" from calls where call_id = :callId',
    { callId },
  );
  return call?.toNumber ?? null;
}
