/** Queries for retention. They work in pages, so that each statement touches a few hundred rows at most. */
import type { Db } from '../kernel/connection';
import { ERASED_DETAILS } from './erasing';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

export const RETENTION_KINDS = ['recordings', 'transcripts', 'contacts'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days to keep each kind. Null keeps it forever. */
export type Retention = Record<RetentionKind, number | null>;

const RETENTION = `recordings_days as recordings, transcripts_days as transcripts, contacts_days as contacts`;

export function retentionOf(db: Db, organizationId: string): Promise<Retention> {
  return onlyRow<Retention>(db, `select ${RETENTION} from organizations where id = :organizationId`, {
    organizationId,
  });
}

/** Returns the columns of the given kinds. */
export const retentionColumns = (wanted: Partial<Retention>): string[] =>
  RETENTION_KINDS.filter((kind) => wanted[kind] !== undefined).map((kind) => `${kind}_days`);

/** Sets the retention of these kinds, of which there must be at least one. */
export async function setRetention(
  trx: Db,
  organizationId: string,
  wanted: Partial<Retention>,
): Promise<void> {
  const given = RETENTION_KINDS.filter((kind) => wanted[kind] !== undefined);
  await trx('organizations')
    .where({ id: organizationId })
    .update(Object.fromEntries(given.map((kind) => [`${kind}_days`, wanted[kind]])));
}

export interface ForgetfulOrganization {
  organizationId: string;
  retention: Retention;
}

export async function forgetfulOrganizations(db: Db): Promise<ForgetfulOrganization[]> {
  const found = await rows<Retention & { organizationId: string }>(
    db,
    `select id as "organizationId", ${RETENTION} from organizations where coalesce(recordings_days, transcripts_days, contacts_days) is not null order by id`,
  );
  return found.map(({ organizationId, ...retention }) => ({ organizationId, retention }));
}

interface EndedCallPage {
  callIds: string[];
  /** Calls that aren't processed yet. Processing needs their transcripts, so a later run erases them. */
  left: string[];
  /** Last call of the page. Null if the page is empty. */
  until: { endedAt: string; callId: string } | null;
}

interface PastPage {
  organizationId: string;
  kind: RetentionKind;
  limit: number;
}

/** Returns calls that ended before `endedBefore`, oldest first, starting after the previous page. */
export async function callsPast(
  db: Db,
  { organizationId, kind, endedBefore, limit }: PastPage & { endedBefore: number },
): Promise<EndedCallPage> {
  const position = await firstRow<{ endedAt: string; callId: string }>(
    db,
    // Read as a string, because a Date would lose the microseconds.
    'select ended_at::text as "endedAt", call_id as "callId" from retention_marks where organization_id = :organizationId and kind = :kind',
    { organizationId, kind },
  );
  const page = await rows<{ callId: string; endedAt: string; isProcessed: boolean }>(
    db,
    `select call_id as "callId", ended_at::text as "endedAt", concluded_at is not null as "isProcessed" from all_calls
     where organization_id = :organizationId and stage = 'over' and (ended_at, call_id) > (:positionAt::timestamptz, :positionId::text) and ended_at < :before
     order by ended_at, call_id limit :limit`,
    {
      organizationId,
      positionAt: position?.endedAt ?? '-infinity',
      positionId: position?.callId ?? '',
      before: timestamp(endedBefore),
      limit,
    },
  );
  const last = page.at(-1);
  return {
    callIds: page.filter(({ isProcessed }) => isProcessed).map(({ callId }) => callId),
    left: page.filter(({ isProcessed }) => !isProcessed).map(({ callId }) => callId),
    until: last === undefined ? null : { endedAt: last.endedAt, callId: last.callId },
  };
}

/** Stores the last call of the page, so that the next page starts after it, and the calls that are left for later. */
export async function storePosition(
  trx: Db,
  { organizationId, kind }: { organizationId: string; kind: RetentionKind },
  { endedAt, callId }: { endedAt: string; callId: string },
  left: readonly string[] = [],
): Promise<void> {
  await rows(
    trx,
    `with passed as (
       insert into retention_left (organization_id, kind, call_id) select :organizationId, :kind, unnest(:left::text[]) on conflict do nothing
     )
     insert into retention_marks (organization_id, kind, ended_at, call_id) values (:organizationId, :kind, :endedAt, :callId)
     on conflict (organization_id, kind) do update set ended_at = excluded.ended_at, call_id = excluded.call_id`,
    { organizationId, kind, endedAt, callId, left: [...left] },
  );
}

/** Returns calls that were left for later and have been processed since. */
export async function processedSince(db: Db, { organizationId, kind, limit }: PastPage): Promise<string[]> {
  const found = await rows<{ callId: string }>(
    db,
    `select l.call_id as "callId" from retention_left l join calls k on k.call_id = l.call_id
     where l.organization_id = :organizationId and l.kind = :kind and k.concluded_at is not null order by l.call_id limit :limit`,
    { organizationId, kind, limit },
  );
  return found.map(({ callId }) => callId);
}

export async function forgetLeft(
  trx: Db,
  { organizationId, kind }: { organizationId: string; kind: RetentionKind },
  callIds: readonly string[],
): Promise<void> {
  await rows(
    trx,
    'delete from retention_left where organization_id = :organizationId and kind = :kind and call_id = any(:callIds)',
    { organizationId, kind, callIds: [...callIds] },
  );
}

/**
 * Returns campaigns that ended before `endedBefore` and still have their contacts. A campaign that is open only because some of its calls
 * can't be processed counts as ended with its last call.
 */
export async function campaignsPast(
  db: Db,
  { organizationId, endedBefore, limit }: { organizationId: string; endedBefore: number; limit: number },
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select c.id from campaigns c
     where c.organization_id = :organizationId and c.contacts_erased_at is null
       and (c.ended_at < :before
         or (c.ended_at is null and c.completed_contacts + c.failed_contacts = c.total_contacts
           and exists (select 1 from calls k where k.campaign_id = c.id and k.stage = 'over' and k.concluded_at is null)
           and not exists (
             select 1 from calls k where k.campaign_id = c.id and (k.stage <> 'over' or k.ended_at >= :before))))
     order by c.ended_at limit :limit`,
    { organizationId, before: timestamp(endedBefore), limit },
  );
  return found.map(({ id }) => id);
}

/** Erases the next page of the campaign's contacts, which starts after `row`. Returns the last row and the count. Null at the end. */
export async function eraseContactsAfter(
  db: Db,
  campaignId: string,
  { afterRow, limit }: { afterRow: number; limit: number },
): Promise<{ lastRow: number; count: number } | null> {
  const { lastRow, count } = await onlyRow<{ lastRow: number | null; count: number }>(
    db,
    `with page as (
       select id, row_number from contacts where campaign_id = :campaignId and row_number > :afterRow order by row_number limit :limit
     ), erased as (
       update contacts c set name = '', phone_number = '', variables = '{}', ${ERASED_DETAILS}
       from page where c.id = page.id and (c.state not in ('pending', 'in_progress')
         or exists (select from campaigns where id = :campaignId and ended_at is not null)) returning 1
     )
     select max(row_number) as "lastRow", (select count(*) from erased) as count from page`,
    { campaignId, afterRow, limit },
  );
  return lastRow === null ? null : { lastRow, count };
}

/** Does nothing if contacts were appended to an open campaign since the erasure began. */
export async function markContactsErased(db: Db, campaignId: string, now: number): Promise<void> {
  await rows(
    db,
    `update campaigns set contacts_erased_at = :now
     where id = :campaignId and (ended_at is not null or completed_contacts + failed_contacts = total_contacts)`,
    { campaignId, now: timestamp(now) },
  );
}

/**
 * Deletes the callback limits of numbers whose last callback was scheduled more than seven days ago and is over, and attempts to call
 * erased numbers from before that.
 */
export async function forgetCaps(db: Db, now: number): Promise<void> {
  await rows(db, "delete from erased_attempts where attempted_at < :now::timestamptz - interval '7 days'", {
    now: timestamp(now),
  });
  await rows(
    db,
    `delete from callback_caps where day < (:now::timestamptz at time zone 'UTC')::date - 7
       and not exists (select from calls k where k.call_id = last_call_id and k.callback_status = 'scheduled')`,
    { now: timestamp(now) },
  );
}
