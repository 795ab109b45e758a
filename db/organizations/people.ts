/** Finds a person by phone number in all stored data, and erases them. */
import type { Db } from '../kernel/connection';
import { holdMonths, inMonthsOf } from '../calls/months';
import { recordingKeys } from '../calls/recordings';
import { eraseListContacts } from '../contact-lists/contacts';
import {
  type ErasureOptions,
  ERASED_DETAILS,
  erasePeople,
  eraseTranscripts,
  forgetRecordings,
  takeContactFiles,
} from './erasing';
import { listForRemoval } from './files-to-remove';
import { onlyRow, rows, timestamp } from '../kernel/query';

export interface Person {
  /** E.164. */
  number: string;
  /** Digits of every spelling that a network may use for the number. */
  spellings: string[];
}

interface PersonCalls {
  /** Finished and processed calls. */
  done: string[];
  /** Calls that are live or being processed, which can't be erased. */
  open: string[];
}

/** SQL for outbound calls to the person and inbound calls from them. Each half has its own index. */
const THEIR_CALLS = `(select call_id, organization_id, concluded_at from all_calls where direction = 'Outbound' and to_number = :number
  union all
  select call_id, organization_id, concluded_at from all_calls
    where direction = 'Incoming' and medium = 'telephony' and regexp_replace(split_part(from_number, '@', 1), '\\D', '', 'g') = any(:spellings))`;

export async function callsOf(
  db: Db,
  organizationId: string,
  { number, spellings }: Person,
): Promise<PersonCalls> {
  return onlyRow<PersonCalls>(
    db,
    `select coalesce(array_agg(k.call_id) filter (where k.concluded_at is not null), '{}') as done,
       coalesce(array_agg(k.call_id) filter (where k.concluded_at is null), '{}') as open
     from ${THEIR_CALLS} k where k.organization_id = :organizationId`,
    { organizationId, number, spellings },
  );
}

/** Returns ids in the order in which they must be locked. */
async function campaignsOf(db: Db, organizationId: string, { number }: Person): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select id from campaigns where organization_id = :organizationId
       and id in (select campaign_id from contacts where organization_id = :organizationId and phone_number = :number) order by id`,
    { organizationId, number },
  );
  return found.map(({ id }) => id);
}

export interface ErasedPerson {
  calls: number;
  /** Contacts of campaigns and of lists. */
  contacts: number;
  /** Campaigns whose contact file is now generated without the person. */
  contactFiles: number;
  recordings: number;
  /** Webhooks about the person's calls, whose personal data was removed. */
  webhooks: number;
}

/**
 * Erases a person in one transaction and lists their files for `removeListedFiles`. Returns undefined if one of their calls is open.
 * Pending contacts are no longer called, and later events of the calls aren't stored.
 */
export async function erasePerson(
  trx: Db,
  organizationId: string,
  person: Person,
  { now, hashOf }: ErasureOptions,
): Promise<ErasedPerson | undefined> {
  const { number } = person;
  await holdMonths(trx);
  // Lock order: organization, campaigns, calls. From here on, no call to the person can be claimed.
  await rows(trx, 'select 1 from organizations where id = :organizationId for no key update', {
    organizationId,
  });
  const campaignIds = await campaignsOf(trx, organizationId, person);
  await rows(trx, 'select 1 from campaigns where id = any(:campaignIds) order by id for no key update', {
    campaignIds,
  });
  const { done, open } = await callsOf(trx, organizationId, person);
  if (open.length > 0) return undefined;
  // An exclusive lock. Storing a recording waits for it and then rejects the recording.
  await rows(
    trx,
    `select 1 from all_calls k where call_id = any(:done) and ${inMonthsOf('k', ':done')} order by call_id for update`,
    { done },
  );
  await rows(
    trx,
    `update all_calls k set erased_at = coalesce(erased_at, :now) where call_id = any(:done) and ${inMonthsOf('k', ':done')}`,
    { done, now: timestamp(now) },
  );
  const { webhooks } = await onlyRow<{ webhooks: number }>(
    trx,
    'select count(*) as webhooks from webhook_deliveries where call_id = any(:done)',
    { done },
  );
  await eraseTranscripts(trx, done);
  await erasePeople(trx, done, { now, hashOf });
  const recordings = await forgetRecordings(trx, done);
  // Includes recordings whose file was stored but whose row was lost in a crash.
  const audio = [...recordings, ...done.flatMap(recordingKeys)];
  const files = [...new Set([...audio, ...(await takeContactFiles(trx, campaignIds))])];
  await listForRemoval(trx, files, now);
  await endPendingContacts(trx, campaignIds, number, now);
  const inLists = await eraseListContacts(trx, organizationId, number, now);
  await forgetRequests(trx, organizationId, { callIds: done, listIds: inLists.listIds });
  const contacts = await rows(
    trx,
    `update contacts set name = '', phone_number = '', variables = '{}', ${ERASED_DETAILS}
     where campaign_id = any(:campaignIds) and phone_number = :number returning 1`,
    { campaignIds, number },
  );
  return {
    calls: done.length,
    contacts: contacts.length + inLists.contacts,
    contactFiles: campaignIds.length,
    recordings: recordings.length,
    webhooks,
  };
}

/** Idempotency keys of dispatches and imports contain a fingerprint of the request, and the response. */
async function forgetRequests(
  trx: Db,
  organizationId: string,
  of: { callIds: string[]; listIds: string[] },
): Promise<void> {
  await rows(
    trx,
    `delete from idempotency_keys where organization_id = :organizationId and subject_id = any(
       array(select id::text from list_imports where list_id = any(:listIds)) || :callIds::text[])`,
    { organizationId, ...of },
  );
}

/** Ends pending contacts with the number. A contact that waits for a callback is completed, because it was reached before. */
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
       -- Wakes the campaign, because this may have been its last contact.
       refill_requested_at = coalesce(refill_requested_at, :now)
     from (select campaign_id, count(*) filter (where state = 'completed') as completed, count(*) filter (where state = 'cancelled') as cancelled
           from ended group by campaign_id) n
     where c.id = n.campaign_id`,
    { campaignIds, number, now: timestamp(now) },
  );
}

/** Deletes the registry's answer about the number, which all organizations share. */
export async function forgetRegistryAnswer(db: Db, { number }: Person): Promise<void> {
  await rows(db, 'delete from dnd_registry_answers where phone_number = :number', { number });
}

/**
 * Erases where the number on the do-not-disturb list came from, and returns whether it is listed. The number itself stays, because the
 * person would be called again otherwise.
 */
export async function keepOnDndList(trx: Db, organizationId: string, { number }: Person): Promise<boolean> {
  const kept = await rows(
    trx,
    `update dnd_numbers set source = 'erased person' where organization_id = :organizationId and phone_number = :number returning 1`,
    { organizationId, number },
  );
  return kept.length > 0;
}

export async function allOrganizationIds(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(db, 'select id from organizations order by id');
  return found.map(({ id }) => id);
}
