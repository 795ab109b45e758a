/** Adds contacts to a campaign, and withdraws contacts that were removed from their list. */
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, timestamp } from '../kernel/query';

/** A contact as an API client sends it. The number is in E.164. */
export interface AppendedContact {
  externalId: string | null;
  name: string;
  phoneNumber: string;
  timezone: string | null;
  language: string | null;
  /** ISO 8601. Null if the person didn't agree to be called. */
  consentAt: string | null;
  variables: object;
}

export type ContactSource = { contacts: readonly AppendedContact[] } | { listId: string };

export interface Append {
  campaignId: string;
  organizationId: string;
  source: ContactSource;
  actor: Actor;
  now: number;
}

interface Appended {
  /** Contacts that will be called. */
  added: number;
  /** The other contacts: stored as duplicates of a number, or not stored because the campaign already had them. */
  duplicates: number;
  /** Contacts of the campaign afterwards. */
  total: number;
}

export type AppendResult =
  ({ kind: 'appended' } & Appended) | { kind: 'refused'; status: string } | { kind: 'unknown' };

/** Undoes the transaction, because the campaign ended or doesn't exist. */
class NotAdmitted extends Error {
  constructor(readonly result: Exclude<AppendResult, { kind: 'appended' }>) {
    super(`the contacts were not admitted: ${result.kind}`);
  }
}

/**
 * Appends all contacts in one transaction, or none. A repeat stores nothing twice. Signal the campaign's workflow afterwards. If the process
 * dies before that, reconciliation does it.
 */
export async function appendContacts(db: Db, append: Append): Promise<AppendResult> {
  const { campaignId, organizationId, actor, now } = append;
  try {
    return await db.transaction(async (trx) => {
      const known = await firstRow(
        trx,
        'select 1 from campaigns where id = :campaignId and organization_id = :organizationId and ended_at is null',
        { campaignId, organizationId },
      );
      // A campaign that is unknown or has ended is refused before a whole list is copied.
      const appended = await storeAndAdmit(
        trx,
        known === undefined ? { ...append, source: { contacts: [] } } : append,
      );
      await recordAudit(trx, {
        organizationId,
        actor,
        action: 'campaign.append',
        subjectId: campaignId,
        now,
      });
      return { kind: 'appended', ...appended };
    });
  } catch (error) {
    if (error instanceof NotAdmitted) return error.result;
    throw error;
  }
}

/** Stores the contacts while the campaign keeps dialling, and then counts them under its lock. @throws NotAdmitted */
export async function storeAndAdmit(
  trx: Db,
  { campaignId, organizationId, source, now }: Omit<Append, 'actor'>,
): Promise<Appended> {
  const target = { campaignId, organizationId };
  const stored =
    'listId' in source
      ? await storeList(trx, target, source.listId)
      : { ...(await storeContacts(trx, target, { contacts: source.contacts })), list: null };
  const admission = await admitContacts(trx, target, stored, now);
  if (admission.kind !== 'admitted') throw new NotAdmitted(admission);
  const added = admission.stored - admission.failed;
  return { added, duplicates: stored.read - added, total: admission.total };
}

type Admission =
  | { kind: 'admitted'; stored: number; failed: number; total: number }
  | Exclude<AppendResult, { kind: 'appended' }>;

interface Target {
  campaignId: string;
  organizationId: string;
}

interface Stored {
  read: number;
  afterRow: number;
  stored: number;
  failed: number;
  zoneKeys: string[];
  columns: string[];
}

type StoredFrom = Stored & { list: { id: string; version: string | null } | null };

async function admitContacts(trx: Db, target: Target, stored: StoredFrom, now: number): Promise<Admission> {
  const { decision } = await onlyRow<{ decision: Admission }>(
    trx,
    'select admit_contacts(:organizationId, :campaignId, :stored, :now) as decision',
    { ...target, stored: JSON.stringify(stored), now: timestamp(now) },
  );
  return decision;
}

type StoredPage =
  | { contacts: readonly AppendedContact[] }
  /** Contacts of a list with higher ids than `after`. */
  | { listId: string; after: number; limit: number };

async function storeContacts(
  trx: Db,
  target: Target,
  page: StoredPage,
): Promise<Stored & { lastId: number | null }> {
  const isGiven = 'contacts' in page;
  const { stored } = await onlyRow<{ stored: Stored & { lastId: number | null } }>(
    trx,
    'select store_contacts(:organizationId, :campaignId, :contacts, :listId, :after, :limit) as stored',
    {
      ...target,
      contacts: isGiven ? JSON.stringify(page.contacts.map(columnsOf)) : null,
      listId: isGiven ? null : page.listId,
      after: isGiven ? null : page.after,
      limit: isGiven ? 0 : page.limit,
    },
  );
  return stored;
}

const columnsOf = (contact: AppendedContact): Record<string, unknown> => ({
  external_id: contact.externalId,
  name: contact.name,
  phone_number: contact.phoneNumber,
  metadata: contact.variables,
  timezone: contact.timezone,
  language: contact.language,
  consent_at: contact.consentAt,
});

/** A statement of this many contacts takes a fraction of the time limit of a statement. */
const CONTACTS_PER_STATEMENT = 2_000;

async function storeList(trx: Db, target: Target, listId: string): Promise<StoredFrom> {
  const list = await firstRow<{ version: string }>(
    trx,
    'select updated_at::text || contacts as version from contact_lists where id = :listId and organization_id = :organizationId',
    { listId, organizationId: target.organizationId },
  );
  const page = { listId, limit: CONTACTS_PER_STATEMENT };
  let next = await storeContacts(trx, target, { ...page, after: 0 });
  const { afterRow } = next;
  const sum = { read: 0, stored: 0, failed: 0 };
  const zoneKeys = new Set<string>();
  const columns = new Set<string>();
  for (;;) {
    sum.read += next.read;
    sum.stored += next.stored;
    sum.failed += next.failed;
    for (const key of next.zoneKeys) zoneKeys.add(key);
    for (const column of next.columns) columns.add(column);
    if (next.read < page.limit || next.lastId === null) break;
    next = await storeContacts(trx, target, { ...page, after: next.lastId });
  }
  return {
    ...sum,
    afterRow,
    zoneKeys: [...zoneKeys],
    columns: [...columns],
    list: { id: listId, version: list?.version ?? null },
  };
}

/** Returns the number of contacts of a list. Undefined if the list is unknown. */
export async function contactsOfList(
  db: Db,
  organizationId: string,
  listId: string,
): Promise<number | undefined> {
  const list = await firstRow<{ contacts: number }>(
    db,
    'select contacts from contact_lists where id = :listId and organization_id = :organizationId',
    { listId, organizationId },
  );
  return list?.contacts;
}

export interface Withdrawn {
  /** Calls whose workflows must be signalled. */
  ended: string[];
  /** Campaigns whose workflows must be signalled. */
  campaigns: string[];
}

/**
 * Ends what open campaigns have copied from a contact that was removed from its list. Call it in the transaction that removes the contact.
 * A contact with a live call isn't changed.
 */
export async function withdrawListContact(
  trx: Db,
  { organizationId, listContactId, now }: { organizationId: string; listContactId: number; now: number },
): Promise<Withdrawn> {
  const { decision } = await onlyRow<{ decision: Withdrawn }>(
    trx,
    'select withdraw_list_contact(:organizationId, :listContactId, :now) as decision',
    { organizationId, listContactId, now: timestamp(now) },
  );
  return decision;
}
