/** Path parameters and request bodies. */
import Joi from 'joi';
import type { ApiContext } from '../http/context';
import { json, type Body, type Reading } from '../http/endpoint';
import { unsupportedMediaType } from '../http/errors/refusals';
import { jsonBody } from '../http/input/json-body';
import type { UploadedFile } from '../http/input/uploads';
import { uuid, uuidParam } from '../http/input/fields';
import { about, listOf, nullable, object, optional, typed } from '../http/schema/field';
import { anything, callVariables, notBlank, textUpTo } from '../http/schema/kinds';
import { check } from '../http/schema/validate';
import { contactFileForm } from '../campaigns/contact-file/file-shares';
import { contactFileEncoding, readFile } from '../campaigns/schema';
import type { GivenContact } from './read-contact';

const MAX_LIST_NAME = 255;
const MAX_CONTACTS = 1_000;
/** More than a body of the maximum size can contain. */
const MAX_VALUES = 100_000;
export const MAX_LIST_FILE_BYTES = 256 * 1024 * 1024;

const listId = about(uuid(), 'Identifier of the list');

export const listParams = uuidParam('list_id', 'Identifier of the list');

export const contactParams = object({
  list_id: listId,
  contact_id: about(
    typed<string>(Joi.string().meta({ jsonSchema: { pattern: '^\\d{1,15}$' } })),
    'Identifier of the contact',
  ),
});

export const importParams = object({ list_id: listId, import_id: about(uuid(), 'Identifier of the import') });

export const newListBody = json(
  object({ name: about(notBlank(MAX_LIST_NAME), 'Name of the list') }, { name: 'NewContactList' }),
  { examples: { customers: { summary: 'A list', value: { name: 'Customers' } } } },
);

const maybe = (max: number, description: string, example?: string) =>
  about(optional(nullable(textUpTo(max))), description, example);

/** Documents a contact. `readListContact` checks it. */
const contact = object(
  {
    external_id: maybe(255, 'Your own id of the contact', 'crm-7'),
    name: about(notBlank(255), 'Name'),
    phone_number: about(notBlank(64), 'Phone number in any form that a contact file accepts'),
    timezone: maybe(64, 'IANA time zone. Null for the zones of the number', 'Asia/Kolkata'),
    language: maybe(35, 'Language', 'hi'),
    consent_at: maybe(
      255,
      'When the person agreed to be called: a date or an ISO 8601 timestamp. Null if they did not',
    ),
    consent_source: maybe(255, 'How they agreed', 'web form'),
    metadata: about(optional(nullable(callVariables())), 'Further data'),
  },
  { name: 'NewListContact' },
);

const EXAMPLE: Record<string, string> = {
  external_id: 'crm-7',
  name: 'Asha Rao',
  phone_number: '+919876543210',
  timezone: 'Asia/Kolkata',
};

/** Contacts as JSON, not yet checked, or a file. */
export type ContactsToAdd = { contacts: unknown[] } | { file: UploadedFile };

const ADDITION = object({ contacts: listOf(anything(), { min: 1, max: MAX_CONTACTS }) });

const listFile = about(
  typed<UploadedFile>(Joi.any().meta({ jsonSchema: { type: 'string', format: 'binary' } })),
  'Up to 1,000,000 contacts as .csv (UTF-8, at most 256 MiB), or up to 10,000 as .xlsx or .xls (at most 10 MiB), with the columns name and phone_number',
);

export const addContactsBody: Body<ContactsToAdd> = {
  content: {
    'application/json': object(
      { contacts: listOf(contact, { min: 1, max: MAX_CONTACTS }) },
      { name: 'AddContacts' },
    ),
    'multipart/form-data': object({ csv_file: listFile }, { name: 'ImportContacts' }),
  },
  encoding: contactFileEncoding,
  // Each content type ignores the field of the other.
  examples: {
    contact: {
      summary: 'One contact, as JSON or as a file',
      value: {
        contacts: [EXAMPLE],
        csv_file: 'name,phone_number,external_id,city\nDev Shah,+919876543211,crm-8,Nashik\n',
      },
    },
  },
  read: async (ctx): Promise<Reading<ContactsToAdd>> => {
    if (ctx.is('multipart/form-data')) {
      allowLongImport(ctx);
      const reading = readFile(await contactFileForm(ctx, MAX_LIST_FILE_BYTES));
      return 'faults' in reading ? reading : { value: { file: reading.value } };
    }
    if (ctx.is('json', '+json'))
      return check(ADDITION, await jsonBody(ctx, { maxValues: MAX_VALUES }), 'body');
    throw unsupportedMediaType('application/json or multipart/form-data');
  },
};

/** Longer than an import of the largest file takes. Meanwhile, no bytes move on the connection. */
const IMPORT_MS = 600_000;

/** Keeps the server from closing the connection until the request is handled. */
function allowLongImport(ctx: ApiContext): void {
  const { socket } = ctx.req;
  const before = socket.timeout ?? 0;
  socket.setTimeout(IMPORT_MS);
  ctx.state.releases.push(() => void socket.setTimeout(before));
}

export const contactBody: Body<GivenContact> = {
  content: { 'application/json': contact },
  examples: {
    contact: { summary: 'All fields of the contact', value: { ...EXAMPLE, external_id: 'crm-9' } },
  },
  read: async (ctx) => ({ value: await jsonBody(ctx) }),
};
