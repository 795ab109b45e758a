import { randomUUID } from 'node:crypto';
import {
  contactListPage,
  findContactList,
  insertContactList,
  type ContactList,
} from '../../db/contact-lists/lists';
import { findImport, skippedKey } from '../../db/contact-lists/imports';
import { listContactPage, searchListContacts } from '../../db/contact-lists/contacts';
import type { Db } from '../../db/kernel/connection';
import { Shares } from '../../runtime/shares';
import { personSearch, soughtPerson } from '../campaigns/contacts';
import type { RouteTools } from '../dependencies';
import {
  answers,
  answersFile,
  answersInPieces,
  answersNothing,
  byKey,
  endpoint,
  type Endpoint,
} from '../http/endpoint';
import {
  contactExists,
  contactFileRefusals,
  contactListInUse,
  contactListNotFound,
  contactNotFound,
  fileTooLarge,
  idempotencyInProgress,
  idempotencyKeyReused,
  importNotFound,
  quotaRefusal,
} from '../http/errors/refusals';
import { idempotencyKey, presentIdempotent } from '../http/idempotency';
import { pageOf, paging } from '../http/input/fields';
import { pageStream, pagination, presentPagination } from '../http/responses';
import { list, object, optional } from '../http/schema/field';
import { changeContact, contactOf, deleteContact, deleteList } from './change';
import { addToList } from './import';
import { contactList, listContact, listImport, presentList, presentListContact } from './present';
import {
  addContactsBody,
  contactBody,
  contactParams,
  importParams,
  listParams,
  MAX_LIST_FILE_BYTES,
  newListBody,
} from './schema';

const LISTS = '/api/contact-lists';
const LIST = `${LISTS}/:list_id`;
const CONTACTS = `${LIST}/contacts`;
const CONTACT = `${CONTACTS}/:contact_id`;

/** An import takes up to a minute. Each organization may run one. */
const IMPORTS = { max: 2, maxPerOwner: 1, waiting: 40, waitingPerOwner: 10, waitMs: 8_000 };

export const contactListEndpoints = (tools: RouteTools): Endpoint[] => [
  creating(tools),
  listing(tools),
  reading(tools),
  deleting(tools),
  adding(tools, new Shares(IMPORTS)),
  listingContacts(tools),
  readingContact(tools),
  changingContact(tools),
  deletingContact(tools),
  downloadingSkipped(tools),
];

/** @throws ApiError 404, also for another organization's list */
async function listOfOrganization(db: Db, id: string, organizationId: string): Promise<ContactList> {
  const found = await findContactList(db, organizationId, id);
  if (found === undefined) throw contactListNotFound();
  return found;
}

const creating = ({ deps: { db, clock } }: RouteTools) =>
  endpoint({
    method: 'post',
    path: LISTS,
    tag: 'Contacts',
    summary: 'Create a contact list',
    access: byKey,
    scope: 'operate',
    input: { body: newListBody },
    answer: answers('The new list', contactList, { status: 201 }),
    handle: ({ body }, { id: organizationId, actor }) =>
      insertContactList(db, {
        id: randomUUID(),
        organizationId,
        name: body.name.trim(),
        actor,
        now: clock.now(),
      }),
    present: presentList,
  });

const listing = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: LISTS,
    tag: 'Contacts',
    summary: 'List contact lists, newest first',
    access: byKey,
    scope: 'read',
    input: { query: object(paging({ default: 50, max: 200 })) },
    answer: answers(
      'A page of lists',
      object({ data: list(contactList), pagination }, { name: 'ContactListPage' }),
    ),
    handle: ({ query }, organization) => contactListPage(db, organization.id, pageOf(query)),
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentList),
      pagination: presentPagination(query, total),
    }),
  });

const reading = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: LIST,
    tag: 'Contacts',
    summary: 'Get a contact list',
    access: byKey,
    scope: 'read',
    input: { params: listParams },
    answer: answers('The list', contactList),
    refusals: [contactListNotFound()],
    handle: ({ params }, organization) => listOfOrganization(db, params.list_id, organization.id),
    present: presentList,
  });

const deleting = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: LIST,
    tag: 'Contacts',
    summary: 'Delete a contact list',
    description: 'Its contacts are erased within a day. Campaigns that used the list keep theirs.',
    access: byKey,
    scope: 'operate',
    input: { params: listParams },
    answer: answersNothing('The list is deleted'),
    refusals: [contactListNotFound(), contactListInUse()],
    handle: ({ params }, organization) => deleteList(deps, params.list_id, organization),
    present: () => null,
  });

const adding = ({ deps }: RouteTools, imports: Shares) =>
  endpoint({
    method: 'post',
    path: CONTACTS,
    tag: 'Contacts',
    summary: 'Add contacts to a list',
    description:
      'A contact with the same `external_id` is updated; without one, a contact with the same number and no `external_id`. Rows at fault are skipped. With a file, `Idempotency-Key` is ignored, because a repeat adds nothing twice.',
    access: byKey,
    scope: 'operate',
    errors: 'envelope',
    input: {
      params: listParams,
      headers: object({ 'Idempotency-Key': idempotencyKey }),
      body: addContactsBody,
    },
    answer: answers('What was added, updated and skipped', listImport),
    refusals: [
      contactListNotFound(),
      ...contactFileRefusals(),
      fileTooLarge(MAX_LIST_FILE_BYTES),
      quotaRefusal(),
      idempotencyInProgress(),
      idempotencyKeyReused(),
    ],
    handle: ({ params, headers, body }, organization) =>
      addToList(deps, imports, {
        listId: params.list_id,
        key: headers['Idempotency-Key'] ?? null,
        given: body,
        organization,
      }),
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  });

const listingContacts = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: CONTACTS,
    tag: 'Contacts',
    summary: "List a list's contacts in the order in which they were added",
    description:
      'A search finds at most 1,000 contacts, by number or by the beginning of the name, in any case.',
    access: byKey,
    scope: 'read',
    input: {
      params: listParams,
      query: object({ ...paging({ default: 50, max: 200 }), search: optional(personSearch) }),
    },
    answer: answersInPieces(
      'A page of contacts',
      object({ data: list(listContact), pagination }, { name: 'ListContactPage' }),
    ),
    refusals: [contactListNotFound()],
    handle: async ({ params, query }, organization) => {
      const { id: listId, contacts } = await listOfOrganization(db, params.list_id, organization.id);
      const owner = { listId, organizationId: organization.id };
      return query.search === undefined
        ? listContactPage(db, owner, contacts, pageOf(query))
        : searchListContacts(db, owner, soughtPerson(query.search), pageOf(query));
    },
    present: ({ batches, total }, { input: { query } }) =>
      pageStream(batches, presentListContact, presentPagination(query, total)),
  });

const readingContact = ({ deps: { db } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: CONTACT,
    tag: 'Contacts',
    summary: 'Get a contact of a list',
    access: byKey,
    scope: 'read',
    input: { params: contactParams },
    answer: answers('The contact', listContact),
    refusals: [contactListNotFound(), contactNotFound()],
    handle: ({ params }, organization) => contactOf(db, params, organization.id),
    present: presentListContact,
  });

const changingContact = ({ deps }: RouteTools) =>
  endpoint({
    method: 'put',
    path: CONTACT,
    tag: 'Contacts',
    summary: 'Replace all fields of a contact',
    description: 'Fields that are left out become empty. Campaigns keep their copy of the contact.',
    access: byKey,
    scope: 'operate',
    input: { params: contactParams, body: contactBody },
    answer: answers('The changed contact', listContact),
    refusals: [contactListNotFound(), contactNotFound(), contactExists()],
    handle: ({ params, body }, organization) => changeContact(deps, params, body, organization),
    present: presentListContact,
  });

const deletingContact = ({ deps }: RouteTools) =>
  endpoint({
    method: 'delete',
    path: CONTACT,
    tag: 'Contacts',
    summary: 'Remove a contact from its list',
    access: byKey,
    scope: 'operate',
    input: { params: contactParams },
    answer: answersNothing('The contact is removed'),
    refusals: [contactListNotFound(), contactNotFound()],
    handle: ({ params }, organization) => deleteContact(deps, params, organization),
    present: () => null,
  });

const downloadingSkipped = ({ deps: { db, storage } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: `${LIST}/imports/:import_id/skipped.csv`,
    tag: 'Contacts',
    summary: 'Download the rows that an import skipped',
    description: 'Contains row numbers, columns and reasons, for 7 days after the import.',
    access: byKey,
    scope: 'read',
    input: { params: importParams },
    answer: answersFile('The rows', 'text/csv'),
    refusals: [importNotFound()],
    handle: async ({ params }, organization) => {
      const owner = { listId: params.list_id, organizationId: organization.id };
      const found = await findImport(db, owner, params.import_id);
      const file = found && (await storage.read(skippedKey(found.id)));
      if (file === undefined) throw importNotFound();
      return file;
    },
    present: ({ content, bytes }, { ctx, input: { params } }) => {
      ctx.type = 'text/csv; charset=utf-8';
      ctx.attachment(`skipped-${params.import_id}.csv`);
      ctx.set('Content-Length', String(bytes));
      return content;
    },
  });
