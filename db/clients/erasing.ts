/** Takes what is personal out of rows and leaves what is counted: statuses, times, costs, tags. Run again it changes nothing. */
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';

/** What was said, and what was read from it. */
export async function eraseTranscripts(trx: Db, callIds: readonly string[]): Promise<void> {
  await rows(trx, 'delete from call_segments where call_id = any(:callIds)', { callIds: [...callIds] });
  await rows(
    trx,
    'update call_analyses set answer = null where call_id = any(:callIds) and answer is not null',
    {
      callIds: [...callIds],
    },
  );
  await rows(
    trx,
    `update calls set summary = null, entity = null, conversation_eval = null where call_id = any(:callIds)
       and (summary is not null or entity is not null or conversation_eval is not null)`,
    { callIds: [...callIds] },
  );
  await blankInWebhooks(trx, callIds, { transcript: '', summary: '' });
}

/** Who was called, or rang, and all that was given for the call. */
export async function erasePeople(trx: Db, callIds: readonly string[]): Promise<void> {
  await rows(
    trx,
    `update calls set name = null, metadata = '{}', modify_agent = null, session = null,
       to_number = case when direction = 'Outbound' then null else to_number end,
       from_number = case when direction = 'Incoming' and medium = 'telephony' then null else from_number end,
       -- A carrier may name a call by who rings.
       carrier_id = case when direction = 'Incoming' and medium = 'telephony' then 'erased-' || call_id else carrier_id end
     where call_id = any(:callIds)`,
    { callIds: [...callIds] },
  );
  await blankInWebhooks(trx, callIds, { contact: { name: '', phone: '' } });
}

/** The ledger stays, and can be delivered again: without what is erased. */
async function blankInWebhooks(trx: Db, callIds: readonly string[], blank: object): Promise<void> {
  await rows(
    trx,
    `update webhook_deliveries set body = (body::jsonb || :blank::jsonb)::text
     where call_id = any(:callIds) and not body::jsonb @> :blank::jsonb`,
    { callIds: [...callIds], blank: JSON.stringify(blank) },
  );
}

/** The keys of the recordings of calls, for the caller that deletes the files. */
export async function recordingsOf(db: Db, callIds: readonly string[]): Promise<string[]> {
  const found = await rows<{ key: string }>(
    db,
    'select storage_key as key from recordings where call_id = any(:callIds) order by call_id',
    { callIds: [...callIds] },
  );
  return found.map(({ key }) => key);
}

/** Returns the keys of those that were known. */
export async function forgetRecordings(trx: Db, callIds: readonly string[]): Promise<string[]> {
  const gone = await rows<{ key: string }>(
    trx,
    'delete from recordings where call_id = any(:callIds) returning storage_key as key',
    { callIds: [...callIds] },
  );
  return gone.map(({ key }) => key);
}
