/** Erases personal data from rows but keeps statuses, times, costs and tags. Safe to repeat. */
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';
import { inMonthsOf } from '../calls/months';

/** Assignments that erase the details of a contact besides its name, number and variables. */
export const ERASED_DETAILS =
  'external_id = null, list_contact_id = null, timezone = null, language = null, consent_at = null';

/** Erases transcripts and data derived from them. */
export async function eraseTranscripts(trx: Db, callIds: readonly string[]): Promise<void> {
  await rows(
    trx,
    `delete from all_call_segments s where call_id = any(:callIds) and ${inMonthsOf('s', ':callIds')}`,
    {
      callIds: [...callIds],
    },
  );
  await rows(trx, 'delete from call_words where call_id = any(:callIds)', { callIds: [...callIds] });
  await rows(
    trx,
    'update call_analyses set answer = null where call_id = any(:callIds) and answer is not null',
    {
      callIds: [...callIds],
    },
  );
  await rows(
    trx,
    `update all_calls k set summary = null, entity = null, conversation_eval = null
     where call_id = any(:callIds) and ${inMonthsOf('k', ':callIds')}
       and (summary is not null or entity is not null or conversation_eval is not null)`,
    { callIds: [...callIds] },
  );
  await blankInWebhooks(trx, callIds, { transcript: '', summary: '' });
}

export interface ErasureOptions {
  now: number;
  /** Returns the keyed hash of a number in hexadecimal. */
  hashOf: (organizationId: string, number: string) => string;
}

/** Erases callers and callees, and all data supplied for the call. */
export async function erasePeople(
  trx: Db,
  callIds: readonly string[],
  options: ErasureOptions,
): Promise<void> {
  await keepAttempts(trx, callIds, options);
  await rows(
    trx,
    `update all_calls k set name = null, metadata = '{}', modify_agent = null, session = null, x_agent_id = null,
       to_number = case when direction = 'Outbound' then null else to_number end,
       from_number = case when direction = 'Incoming' and medium = 'telephony' then null else from_number end,
       -- A carrier's id can contain the caller's number.
       carrier_id = case when direction = 'Incoming' and medium = 'telephony' then 'erased-' || call_id else carrier_id end
     where call_id = any(:callIds) and ${inMonthsOf('k', ':callIds')}`,
    { callIds: [...callIds] },
  );
  await blankInWebhooks(trx, callIds, { contact: { name: '', phone: '' } });
}

/** Keeps the times of the last seven days' attempts under hashes of the numbers, so that the caps of rule profiles count them. */
async function keepAttempts(
  trx: Db,
  callIds: readonly string[],
  { now, hashOf }: ErasureOptions,
): Promise<void> {
  const calls = await rows<{ organizationId: string; number: string | null; at: Date }>(
    trx,
    `select organization_id as "organizationId", to_number as number, requested_at as at from calls
     where call_id = any(:callIds) and direction = 'Outbound' and not_after is not null
       and requested_at > :now::timestamptz - interval '7 days'`,
    { callIds: [...callIds], now: timestamp(now) },
  );
  const attempts = calls.flatMap(({ number, ...call }) => (number === null ? [] : [{ ...call, number }]));
  if (attempts.length === 0) return;
  await rows(
    trx,
    `insert into erased_attempts (organization_id, number_hash, attempted_at)
     select organization_id, decode(hash, 'hex'), at
       from unnest(:owners::uuid[], :hashes::text[], :times::timestamptz[]) attempt (organization_id, hash, at)`,
    {
      owners: attempts.map(({ organizationId }) => organizationId),
      hashes: attempts.map(({ organizationId, number }) => hashOf(organizationId, number)),
      times: attempts.map(({ at }) => at),
    },
  );
}

/** Removes the data from webhook bodies, which can still be redelivered. */
async function blankInWebhooks(trx: Db, callIds: readonly string[], blank: object): Promise<void> {
  await rows(
    trx,
    `update webhook_deliveries set body = (body::jsonb || :blank::jsonb)::text
     where call_id = any(:callIds) and not body::jsonb @> :blank::jsonb`,
    { callIds: [...callIds], blank: JSON.stringify(blank) },
  );
}

/** Deletes the rows of recordings and returns the keys of their files. List the files for removal in the same transaction. */
export async function forgetRecordings(trx: Db, callIds: readonly string[]): Promise<string[]> {
  const gone = await rows<{ key: string }>(
    trx,
    'delete from recordings where call_id = any(:callIds) returning storage_key as key',
    { callIds: [...callIds] },
  );
  return gone.map(({ key }) => key);
}

/**
 * Detaches uploaded contact files, which contain personal data. From then on, downloads are generated from the contacts. Returns the keys
 * of the files. List them for removal in the same transaction.
 */
export async function takeContactFiles(trx: Db, campaignIds: readonly string[]): Promise<string[]> {
  const taken = await rows<{ key: string }>(
    trx,
    `update campaigns c set contact_file_key = null from campaigns o
     where c.id = o.id and c.id = any(:campaignIds) and o.contact_file_key is not null returning o.contact_file_key as key`,
    { campaignIds: [...campaignIds] },
  );
  return taken.map(({ key }) => key);
}
