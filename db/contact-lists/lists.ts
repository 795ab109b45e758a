import type { Db } from '../kernel/connection';
import { countOf, ofOrganization } from '../kernel/conditions';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';
import { recordAudit, type Actor } from '../organizations/audit';
import { listForRemoval } from '../organizations/files-to-remove';
import { skippedKey } from './imports';

export interface ContactList {
  id: string;
  name: string;
  contacts: number;
  createdAt: Date;
  updatedAt: Date;
}

const LIST = `select id, name, contacts, created_at as "createdAt", updated_at as "updatedAt" from contact_lists`;

interface ListChange {
  id: string;
  organizationId: string;
  actor: Actor;
  now: number;
}

export function insertContactList(
  db: Db,
  { id, organizationId, name, actor, now }: ListChange & { name: string },
): Promise<ContactList> {
  return db.transaction(async (trx) => {
    await rows(
      trx,
      `insert into contact_lists (id, organization_id, name, created_at, updated_at)
       values (:id, :organizationId, :name, :now, :now)`,
      { id, organizationId, name, now: timestamp(now) },
    );
    await recordAudit(trx, { organizationId, actor, action: 'contact_list.create', subjectId: id, now });
    return onlyRow<ContactList>(trx, `${LIST} where id = :id`, { id });
  });
}

/** Returns undefined for a list of another organization. */
export function findContactList(
  db: Db,
  organizationId: string,
  id: string,
): Promise<ContactList | undefined> {
  return firstRow<ContactList>(db, `${LIST} where id = :id and organization_id = :organizationId`, {
    id,
    organizationId,
  });
}

/** Returns the organization's lists, newest first. */
export async function contactListPage(
  db: Db,
  organizationId: string,
  page: Page,
): Promise<Listed<ContactList>> {
  const { where, bindings } = ofOrganization(organizationId, {});
  return listed(
    page,
    countOf(db, 'contact_lists', { where, bindings }, 'created_at desc, id desc'),
    ({ limit, offset }) =>
      rows<ContactList>(db, `${LIST} where ${where} ${sortedBy('desc', 'created_at', 'id')}`, {
        ...bindings,
        limit,
        offset,
      }),
  );
}

export type ListRemoval = 'removed' | 'in_use' | 'unknown';

/** Deletes a list, unless an open campaign uses it. `removeListContacts` deletes its contacts later. */
export function removeContactList(
  db: Db,
  { id, organizationId, actor, now }: ListChange,
): Promise<ListRemoval> {
  return db.transaction(async (trx) => {
    const bindings = { id, organizationId };
    // A campaign that is being created from the list holds a lock on it through its foreign key.
    const found = await firstRow(
      trx,
      'select 1 from contact_lists where id = :id and organization_id = :organizationId for update',
      bindings,
    );
    if (found === undefined) return 'unknown';
    const user = await firstRow(
      trx,
      `select 1 from campaigns
       where contact_list_id = :id and organization_id = :organizationId and ended_at is null limit 1`,
      bindings,
    );
    if (user !== undefined) return 'in_use';
    const imports = await rows<{ id: string }>(
      trx,
      'select id from list_imports where list_id = :id and organization_id = :organizationId and skipped > 0',
      bindings,
    );
    const keys = imports.map((each) => skippedKey(each.id));
    if (keys.length > 0) await listForRemoval(trx, keys, now);
    await rows(
      trx,
      `insert into removed_lists (list_id, organization_id, removed_at) values (:id, :organizationId, :now)`,
      { ...bindings, now: timestamp(now) },
    );
    await rows(
      trx,
      'delete from contact_lists where id = :id and organization_id = :organizationId',
      bindings,
    );
    await recordAudit(trx, { organizationId, actor, action: 'contact_list.delete', subjectId: id, now });
    return 'removed';
  });
}

const CONTACTS_PER_PAGE = 2_000;

/** Deletes the contacts of deleted lists, in pages. Returns their number. */
export async function removeListContacts(db: Db, reportProgress: () => void): Promise<number> {
  const lists = await rows<{ id: string }>(
    db,
    'select list_id as id from removed_lists order by removed_at, list_id',
  );
  let removed = 0;
  for (const { id } of lists) {
    for (let last = CONTACTS_PER_PAGE; last === CONTACTS_PER_PAGE; removed += last) {
      reportProgress();
      const gone = await rows(
        db,
        `delete from list_contacts where id in
           (select id from list_contacts where list_id = :id order by id limit ${CONTACTS_PER_PAGE}) returning 1`,
        { id },
      );
      last = gone.length;
    }
    await rows(db, 'delete from removed_lists where list_id = :id', { id });
  }
  return removed;
}
