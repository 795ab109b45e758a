/** Adds contacts to a list in batches, and keeps the results of additions for a week. */
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';
import { recordAudit, type Actor } from '../organizations/audit';
import { listForRemoval } from '../organizations/files-to-remove';

/** How long the result of an import and the file with its skipped rows are kept. */
const IMPORT_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export interface NewListContact {
  externalId: string | null;
  name: string;
  /** E.164. */
  phoneNumber: string;
  timezone: string | null;
  language: string | null;
  /** ISO 8601. Null if the person didn't agree to be called. */
  consentAt: string | null;
  consentSource: string | null;
  metadata: object;
  /** Key of its time zones (`zoneKeyOf`). */
  zoneKey: string;
}

interface ListOwner {
  listId: string;
  organizationId: string;
}

/** Returns what identifies the contact in its list, as the index `list_contacts_of_identity` does. */
const identityOf = ({ externalId, phoneNumber }: NewListContact): string =>
  externalId === null ? phoneNumber : `id ${externalId}`;

const MERGE = `with given as (
    select * from jsonb_to_recordset(:contacts::jsonb) as g ("externalId" text, name text, "phoneNumber" text, timezone text, language text,
      "consentAt" timestamptz, "consentSource" text, metadata jsonb, "zoneKey" text)
  ), merged as (
    insert into list_contacts as c (list_id, organization_id, external_id, name, phone_number, timezone, language, consent_at, consent_source,
      metadata, created_at, updated_at, zone_key, folded_name)
    select :listId, :organizationId, "externalId", name, "phoneNumber", timezone, language, "consentAt", "consentSource", metadata,
      :now, :now, "zoneKey", fold(name) from given
    on conflict (list_id, (coalesce('id ' || external_id, phone_number))) do update set
      name = excluded.name, phone_number = excluded.phone_number, timezone = excluded.timezone, language = excluded.language,
      consent_at = excluded.consent_at, consent_source = excluded.consent_source, metadata = excluded.metadata,
      updated_at = excluded.updated_at, zone_key = excluded.zone_key, folded_name = excluded.folded_name
    -- Rows that don't change aren't written again.
    where (c.name, c.phone_number, c.timezone, c.language, c.consent_at, c.consent_source, c.metadata)
      is distinct from (excluded.name, excluded.phone_number, excluded.timezone, excluded.language, excluded.consent_at,
        excluded.consent_source, excluded.metadata)
    returning (xmax = 0) as added
  ), counted as (
    select count(*) filter (where added)::integer as added, count(*) as written from merged
  )
  update contact_lists l set contacts = contacts + counted.added,
    updated_at = case when counted.written > 0 then :now else updated_at end
  from counted where l.id = :listId and l.organization_id = :organizationId returning counted.added`;

/**
 * Adds the contacts or updates those with the same identity. If two contacts have the same identity, the later one counts. Returns the number
 * of new contacts, or null if the list doesn't exist.
 */
export async function mergeListContacts(
  trx: Db,
  { listId, organizationId }: ListOwner,
  contacts: readonly NewListContact[],
  now: number,
): Promise<number | null> {
  // Imports into the same list wait for each other, so that they can't deadlock. Nothing is added to a deleted list.
  const found = await firstRow(
    trx,
    'select 1 from contact_lists where id = :listId and organization_id = :organizationId for no key update',
    { listId, organizationId },
  );
  if (found === undefined) return null;
  const distinct = new Map(contacts.map((contact) => [identityOf(contact), contact]));
  const { added } = await onlyRow<{ added: number }>(trx, MERGE, {
    listId,
    organizationId,
    contacts: JSON.stringify([...distinct.values()]),
    now: timestamp(now),
  });
  return added;
}

export interface SkippedRow {
  /** Row of the file, or place in the request's contacts, starting at 1. */
  row: number;
  /** Null if the whole row is at fault. */
  column: string | null;
  reason: string;
}

/** The result of an addition. It holds no data of a contact. */
export interface ListImport {
  id: string;
  added: number;
  updated: number;
  skipped: number;
  skippedByReason: { reason: string; count: number }[];
  /** The first hundred. */
  skippedRows: SkippedRow[];
}

/** Storage key of the file with all skipped rows. */
export const skippedKey = (importId: string): string => `skipped-${importId}.csv`;

/** Stores the result and deletes those of the list that are older than a week. `trx` fails if the list was deleted. */
export async function recordImport(
  trx: Db,
  { listId, organizationId }: ListOwner,
  result: ListImport,
  { actor, now }: { actor: Actor; now: number },
): Promise<void> {
  const { id, added, updated, skipped } = result;
  await rows(
    trx,
    `delete from list_imports where list_id = :listId and organization_id = :organizationId and created_at < :before`,
    { listId, organizationId, before: timestamp(now - IMPORT_KEPT_MS) },
  );
  await rows(
    trx,
    `insert into list_imports (id, list_id, organization_id, added, updated, skipped, skipped_by_reason, skipped_rows, created_at)
     values (:id, :listId, :organizationId, :added, :updated, :skipped, :reasons, :skippedRows, :now)`,
    {
      ...{ id, listId, organizationId, added, updated, skipped },
      reasons: JSON.stringify(result.skippedByReason),
      skippedRows: JSON.stringify(result.skippedRows),
      now: timestamp(now),
    },
  );
  if (skipped > 0) await listForRemoval(trx, [skippedKey(id)], now + IMPORT_KEPT_MS);
  await recordAudit(trx, { organizationId, actor, action: 'contact_list.import', subjectId: listId, now });
}

/** Returns undefined for an import into another list or organization. */
export function findImport(
  db: Db,
  { listId, organizationId }: ListOwner,
  id: string,
): Promise<ListImport | undefined> {
  return firstRow<ListImport>(
    db,
    `select id, added, updated, skipped, skipped_by_reason as "skippedByReason", skipped_rows as "skippedRows"
     from list_imports where id = :id and list_id = :listId and organization_id = :organizationId`,
    { id, listId, organizationId },
  );
}
