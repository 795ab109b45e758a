/** Changes and deletes lists and single contacts. */
import {
  findListContact,
  removeListContact,
  replaceListContact,
  type ListContact,
  type ListContactKey,
} from '../../db/contact-lists/contacts';
import { findContactList, removeContactList } from '../../db/contact-lists/lists';
import type { Db } from '../../db/kernel/connection';
import { recordAudit } from '../../db/organizations/audit';
import type { ApiDependencies } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import {
  contactExists,
  contactListInUse,
  contactListNotFound,
  contactNotFound,
  invalidInput,
} from '../http/errors/refusals';
import { phoneRules } from './import';
import { readListContact, type GivenContact } from './read-contact';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'settings'>;

interface ContactParams {
  list_id: string;
  contact_id: string;
}

/** @throws ApiError 404 for an unknown list, 409 for one that an open campaign uses */
export async function deleteList(
  { db, clock }: Dependencies,
  id: string,
  { id: organizationId, actor }: ApiClient,
): Promise<void> {
  const result = await removeContactList(db, { id, organizationId, actor, now: clock.now() });
  if (result === 'unknown') throw contactListNotFound();
  if (result === 'in_use') throw contactListInUse();
}

/** @throws ApiError 404 for an unknown list or contact */
export async function contactOf(db: Db, params: ContactParams, organizationId: string): Promise<ListContact> {
  const found = await findListContact(db, await keyOf(db, params, organizationId));
  if (found === undefined) throw contactNotFound();
  return found;
}

async function keyOf(
  db: Db,
  { list_id: listId, contact_id: contactId }: ContactParams,
  organizationId: string,
): Promise<ListContactKey> {
  if ((await findContactList(db, organizationId, listId)) === undefined) throw contactListNotFound();
  if (!/^\d{1,15}$/.test(contactId)) throw contactNotFound();
  return { listId, organizationId, contactId: Number(contactId) };
}

/** @throws ApiError 404 for an unknown contact, 409 if another contact has the new id or number, 422 for a field at fault */
export async function changeContact(
  deps: Dependencies,
  params: ContactParams,
  given: GivenContact,
  { id: organizationId, actor }: ApiClient,
): Promise<ListContact> {
  const { db, clock } = deps;
  const key = await keyOf(db, params, organizationId);
  const contact = readListContact(given, phoneRules(deps));
  if ('reason' in contact) {
    const { column, reason } = contact;
    throw invalidInput([{ loc: ['body', column], msg: reason, type: 'contact' }]);
  }
  const now = clock.now();
  return db.transaction(async (trx) => {
    const result = await replaceListContact(trx, key, contact, now);
    if (result === 'unknown') throw contactNotFound();
    if (result === 'taken') throw contactExists();
    await recordAudit(trx, {
      organizationId,
      actor,
      action: 'contact.update',
      subjectId: key.listId,
      now,
    });
    return result;
  });
}

/** @throws ApiError 404 for an unknown list or contact */
export async function deleteContact(
  { db, clock }: Dependencies,
  params: ContactParams,
  { id: organizationId, actor }: ApiClient,
): Promise<void> {
  const key = await keyOf(db, params, organizationId);
  const now = clock.now();
  await db.transaction(async (trx) => {
    // Withdraw the contact from open campaigns here, because campaigns are locked before lists.
    if (!(await removeListContact(trx, key, now))) throw contactNotFound();
    await recordAudit(trx, {
      organizationId,
      actor,
      action: 'contact.remove',
      subjectId: key.listId,
      now,
    });
  });
}
