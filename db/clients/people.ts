/** Finding one person by their number in all that is stored, and taking them out of it. */
import type { Db } from '../kernel/connection';
import { holdMonths, inMonthsOf } from '../calls/months';
import { recordingKeys } from '../calls/recordings';
import { erasePeople, eraseTranscripts, forgetRecordings, takeContactFiles } from './erasing';
import { listForRemoval } from './files-to-remove';
import { onlyRow, rows, timestamp } from '../kernel/query';

export interface Person {
  /** E.164. */
  number: string;
  /** The digits of all the ways in which a network may write it. */
  spellings: string[];
}

export interface PersonCalls {
  /** Over and processed. */
  done: string[];
  /** Not over yet, or still being processed: these cannot be erased. */
  open: string[];
}

/** Whose number was dialled, or who rang: an own number at the other end is no person. Each half is read from its index. */
const THEIR_CALLS = `(select call_id, client_id, concluded_at from all_calls where direction = 'Outbound' and to_number = :number
  union all
  select call_id, client_id, concluded_at from all_calls
    where direction = 'Incoming' and medium = 'telephony' and regexp_replace(split_part(from_number, '@', 1), '\\D', '', 'g') = any(:spellings))`;

export async function callsOf(db: Db, clientId: string, { number, spellings }: Person): Promise<PersonCalls> {
  return onlyRow<PersonCalls>(
    db,
    `select coalesce(array_agg(k.call_id) filter (where k.concluded_at is not null), '{}') as done,
       coalesce(array_agg(k.call_id) filter (where k.concluded_at is null), '{}') as open
     from ${THEIR_CALLS} k where k.client_id = :clientId`,
    { clientId, number, spellings },
  );
}

/** In the order in which they are locked. */
async function campaignsOf(db: Db, clientId: string, { number }: Person): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from campaigns where client_id = :clientId
       and id in (select campaign_id from contacts where client_id = :clientId and phone_number = :number) order by id`,
    { clientId, number },
  );
  return found.map(({ id }) => id);
}

export interface ErasedPerson {
  calls: number;
  contacts: number;
  /** Campaigns whose contact file is made without them from now on. */
  contactFiles: number;
  recordings: number;
  /** Webhooks about their calls, stripped of what was theirs. */
  webhooks: number;
}

/**
 * One transaction, which leaves the files to `removeListedFiles`; undefined where a call of theirs is open, as one may have begun since it was
 * looked. A contact that was to be called is called no more. Later events of the calls are not stored. All that is read under the lock of
 * the client is read from indexes by the person's number or by the ids of their calls.
 */
export async function erasePerson(
  trx: Db,
  clientId: string,
  person: Person,
  now: number,
): Promise<ErasedPerson | undefined> {
  const { number } = person;
  await holdMonths(trx);
  // The order of all transactions: client, campaigns, calls. No call of theirs can be made ready from here on.
  await rows(trx, 'select 1 from clients where id = :clientId for no key update', { clientId });
  const campaignIds = await campaignsOf(trx, clientId, person);
  await rows(trx, 'select 1 from campaigns where id = any(:campaignIds) order by id for no key update', {
    campaignIds,
  });
  const { done, open } = await callsOf(trx, clientId, person);
  if (open.length > 0) return undefined;
  // Alone: a recording that is being stored waits for this, and then finds that it is not wanted.
  await rows(
    trx,
    `select 1 from all_calls k where call_id = any(:done) and ${inMonthsOf('k', ':done')} order by call_id for update`,
    { done },
  );
  await rows(
    trx,
    `update all_calls k set erased_at = coalesce(erased_at, :now) where call_id = any(:done) and ${inMonthsOf('k', ':done')}`,
    {
      done,
      now: timestamp(now),
    },
  );
  const { webhooks } = await onlyRow<{ webhooks: number }>(
    trx,
    'select count(*) as webhooks from webhook_deliveries where call_id = any(:done)',
    { done },
  );
  await eraseTranscripts(trx, done);
  await erasePeople(trx, done);
  const recordings = await forgetRecordings(trx, done);
  // Also of a recording that was stored and, as a process died then, never recorded.
  const audio = [...recordings, ...done.flatMap(recordingKeys)];
  const files = [...new Set([...audio, ...(await takeContactFiles(trx, campaignIds))])];
  await listForRemoval(trx, files, now);
  // Hold the request's fingerprint and its answer, for a day.
  await rows(trx, 'delete from idempotency_keys where client_id = :clientId and subject_id = any(:done)', {
    clientId,
    done,
  });
  await endPendingContacts(trx, campaignIds, number, now);
  const contacts = await rows(
    trx,
    `update contacts set name = '', phone_number = '', variables = '{}'
     where campaign_id = any(:campaignIds) and phone_number = :number returning 1`,
    { campaignIds, number },
  );
  return {
    calls: done.length,
    contacts: contacts.length,
    contactFiles: campaignIds.length,
    recordings: recordings.length,
    webhooks,
  };
}

/** Nobody is called who has no number any more. A person who waited for a callback was reached before. */
async function endPendingContacts(
  trx: Db,
  campaignIds: string[],
  number: string,
  now: number,
): Promise<void> {
  await rows(
    trx,
    `update calls set callback_status = 'cancelled' where callback_status = 'scheduled' and call_id in (
       select callback_of from contacts where campaign_id = any(:campaignIds) and phone_number = :number and state = 'pending')`,
    { campaignIds, number },
  );
  await rows(
    trx,
    `with ended as (
       update contacts set state = case when callback_of is null then 'cancelled' else 'completed' end, reason = 'erased',
         next_attempt_at = null, callback_of = null
       where campaign_id = any(:campaignIds) and phone_number = :number and state = 'pending' and call_id is null
       returning campaign_id, state
     )
     update campaigns c set completed_contacts = completed_contacts + n.completed, failed_contacts = failed_contacts + n.cancelled,
       -- It may have been the last.
       refill_asked_at = coalesce(refill_asked_at, :now)
     from (select campaign_id, count(*) filter (where state = 'completed') as completed, count(*) filter (where state = 'cancelled') as cancelled
           from ended group by campaign_id) n
     where c.id = n.campaign_id`,
    { campaignIds, number, now: timestamp(now) },
  );
}

/** What a registry answered about the number; it belongs to no client. */
export async function forgetRegistryAnswer(db: Db, { number }: Person): Promise<void> {
  await rows(db, 'delete from dnd_registry_answers where phone_number = :number', { number });
}

/**
 * The list of numbers that must not be called keeps the number, or the person would be called again; nothing else of them. True where it is
 * on it.
 */
export async function keepOnDndList(trx: Db, clientId: string, { number }: Person): Promise<boolean> {
  const kept = await rows(
    trx,
    `update dnd_numbers set source = 'erased person' where client_id = :clientId and phone_number = :number returning 1`,
    { clientId, number },
  );
  return kept.length > 0;
}

export async function allClientIds(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(db, 'select id from clients order by id');
  return found.map(({ id }) => id);
}
