/** Takes what is personal out of rows and leaves what is counted: statuses, times, costs, tags. Run again it changes nothing. */
import type { Db } from '../kernel/connection';
import { rows } from '../kernel/query';
import { inMonthsOf } from '../calls/months';

/** What was said, and what was read from it. */
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

/** Who was called, or rang, and all that was given for the call. */
export async function erasePeople(trx: Db, callIds: readonly string[]): Promise<void> {
  await rows(
    trx,
    `update all_calls k set name = null, metadata = '{}', modify_agent = null, session = null, x_agent_id = null,
       to_number = case when direction = 'Outbound' then null else to_number end,
       from_number = case when direction = 'Incoming' and medium = 'telephony' then null else from_number end,
       -- A carrier may name a call by who rings.
       carrier_id = case when direction = 'Incoming' and medium = 'telephony' then 'erased-' || call_id else carrier_id end
     where call_id = any(:callIds) and ${inMonthsOf('k', ':callIds')}`,
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

/** Returns the keys of those that were known; their files are the caller's to list for removal. */
export async function forgetRecordings(trx: Db, callIds: readonly string[]): Promise<string[]> {
  const gone = await rows<{ key: string }>(
    trx,
    'delete from recordings where call_id = any(:callIds) returning storage_key as key',
    { callIds: [...callIds] },
  );
  return gone.map(({ key }) => key);
}

/**
 * The uploaded files hold people; from now on each campaign's is made from its contacts. Returns the keys of those that were there, which are
 * the caller's to list for removal.
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
