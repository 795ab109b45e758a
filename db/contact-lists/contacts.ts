import { MAX_PEOPLE_COUNTED } from '../../domain/count-limits';
import type { SoughtPerson } from '../campaigns/contacts';
import type { Db } from '../kernel/connection';
import { sortedBy, streamedPage, type Page, type StreamedPage } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';
import type { NewListContact } from './imports';

export interface ListContact {
  id: number;
  externalId: string | null;
  name: string;
  phoneNumber: string;
  timezone: string | null;
  language: string | null;
  consentAt: Date | null;
  consentSource: string | null;
  metadata: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

const CONTACT = `id, external_id as "externalId", name, phone_number as "phoneNumber", timezone, language, consent_at as "consentAt",
  consent_source as "consentSource", metadata, created_at as "createdAt", updated_at as "updatedAt"`;

/** A contact of a list of one organization. */
export interface ListContactKey {
  listId: string;
  organizationId: string;
  contactId: number;
}

const OF_KEY = 'id = :contactId and list_id = :listId and organization_id = :organizationId';

interface ListOwner {
  listId: string;
  organizationId: string;
}

const pageRows = (db: Db, { organizationId }: ListOwner, ids: number[]): Promise<ListContact[]> =>
  rows<ListContact>(
    db,
    `select ${CONTACT} from list_contacts where id = any(:ids) and organization_id = :organizationId order by id`,
    { ids, organizationId },
  );

/** Returns contacts in the order in which they were added. `total` is the number of the list's contacts. */
export const listContactPage = (
  db: Db,
  { ...owner }: ListOwner,
  total: number,
  page: Page,
): Promise<StreamedPage<ListContact>> =>
  streamedPage(page, Promise.resolve(total), {
    keys: async ({ limit, offset }) => {
      const found = await rows<{ id: number }>(
        db,
        `select id from list_contacts where list_id = :listId and organization_id = :organizationId ${sortedBy('asc', 'id')}`,
        { ...owner, limit, offset },
      );
      return found.map(({ id }) => id);
    },
    rows: (ids) => pageRows(db, owner, ids),
  });

/** Finds people by number or by the beginning of the name. Counts and lists at most 1,000, because a list can have a million contacts. */
export async function searchListContacts(
  db: Db,
  { ...owner }: ListOwner,
  person: SoughtPerson,
  page: Page,
): Promise<StreamedPage<ListContact>> {
  const [condition, sought] =
    'phoneNumber' in person
      ? ['phone_number = :sought', person.phoneNumber]
      : ['folded_name ^@ fold(:sought)', person.name];
  const found = await rows<{ id: number }>(
    db,
    // Without the order, Postgres uses the index of the number or the name.
    `select id from list_contacts where organization_id = :organizationId and list_id = :listId and ${condition} limit ${MAX_PEOPLE_COUNTED}`,
    { ...owner, sought },
  );
  const ids = found.map(({ id }) => id).sort((a, b) => a - b);
  return streamedPage(page, Promise.resolve(ids.length), {
    keys: ({ limit, offset }) => Promise.resolve(ids.slice(offset, offset + limit)),
    rows: (some) => pageRows(db, owner, some),
  });
}

export const findListContact = (db: Db, { ...key }: ListContactKey): Promise<ListContact | undefined> =>
  firstRow<ListContact>(db, `select ${CONTACT} from list_contacts where ${OF_KEY}`, key);

export type ListContactChange = ListContact | 'unknown' | 'taken';

/** Replaces all fields of a contact. Returns `taken` if another contact of the list has the new identity. */
export async function replaceListContact(
  trx: Db,
  { ...key }: ListContactKey,
  contact: NewListContact,
  now: number,
): Promise<ListContactChange> {
  const { externalId, name, phoneNumber, timezone, language, consentAt, consentSource, zoneKey } = contact;
  const fields = { externalId, name, phoneNumber, timezone, language, consentAt, consentSource, zoneKey };
  await rows(
    trx,
    'update contact_lists set updated_at = :now where id = :listId and organization_id = :organizationId',
    { listId: key.listId, organizationId: key.organizationId, now: timestamp(now) },
  );
  const found = await firstRow(trx, `select 1 from list_contacts where ${OF_KEY}`, key);
  if (found === undefined) return 'unknown';
  const other = await firstRow(
    trx,
    `select 1 from list_contacts where list_id = :listId and organization_id = :organizationId and id <> :contactId
     and coalesce('id ' || external_id, phone_number) = coalesce('id ' || :externalId::text, :phoneNumber::text)`,
    { ...key, externalId, phoneNumber },
  );
  if (other !== undefined) return 'taken';
  return onlyRow<ListContact>(
    trx,
    `update list_contacts set external_id = :externalId, name = :name, phone_number = :phoneNumber, timezone = :timezone,
       language = :language, consent_at = :consentAt, consent_source = :consentSource, metadata = :metadata, updated_at = :now,
       zone_key = :zoneKey, folded_name = fold(:name)
     where ${OF_KEY} returning ${CONTACT}`,
    { ...key, ...fields, metadata: JSON.stringify(contact.metadata), now: timestamp(now) },
  );
}

/** Deletes a contact. Returns false if it doesn't exist. `trx` must lock campaigns before, because the list is locked last. */
export async function removeListContact(trx: Db, { ...key }: ListContactKey, now: number): Promise<boolean> {
  const { listId, organizationId } = key;
  await rows(
    trx,
    'select 1 from contact_lists where id = :listId and organization_id = :organizationId for no key update',
    { listId, organizationId },
  );
  const gone = await rows(trx, `delete from list_contacts where ${OF_KEY} returning 1`, key);
  if (gone.length === 0) return false;
  await rows(
    trx,
    `update contact_lists set contacts = contacts - 1, updated_at = :now
     where id = :listId and organization_id = :organizationId`,
    { listId, organizationId, now: timestamp(now) },
  );
  return true;
}

/** Deletes the contacts with the number from all lists. Returns their number and the lists. */
export async function eraseListContacts(
  trx: Db,
  organizationId: string,
  number: string,
  now: number,
): Promise<{ contacts: number; listIds: string[] }> {
  await rows(
    trx,
    `select 1 from contact_lists where organization_id = :organizationId and id in
       (select list_id from list_contacts where organization_id = :organizationId and phone_number = :number)
     order by id for no key update`,
    { organizationId, number },
  );
  const gone = await rows<{ listId: string }>(
    trx,
    `delete from list_contacts where organization_id = :organizationId and phone_number = :number returning list_id as "listId"`,
    { organizationId, number },
  );
  const listIds = gone.map(({ listId }) => listId);
  await rows(
    trx,
    `update contact_lists l set contacts = l.contacts - n.gone, updated_at = :now
     from (select id, count(*)::integer as gone from unnest(:listIds::uuid[]) as id group by id) n
     where l.id = n.id and l.organization_id = :organizationId`,
    { organizationId, listIds, now: timestamp(now) },
  );
  return { contacts: gone.length, listIds: [...new Set(listIds)] };
}
