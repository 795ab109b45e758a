/** Appends contacts to a campaign that has not ended. */
import {
  appendContacts,
  contactsOfList,
  type AppendedContact,
  type ContactSource,
} from '../../db/campaigns/append';
import { randomUUID } from 'node:crypto';
import { isFinal } from '../../domain/campaign-status';
import { normalisePhone, type PhoneRules } from '../../domain/phone-number';
import { TimeSlice } from '../../runtime/loop-turn';
import type { ApiDependencies, RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, type Body, type Reading } from '../http/endpoint';
import { ENOUGH_FAULTS, type InputFault } from '../http/errors/api-error';
import {
  campaignNotEditable,
  campaignNotFound,
  contactListNotFound,
  idempotencyInProgress,
  idempotencyKeyReused,
  quotaRefusal,
} from '../http/errors/refusals';
import { idempotencyKey, idempotent, presentIdempotent } from '../http/idempotency';
import { instant, uuid } from '../http/input/fields';
import { jsonBody } from '../http/input/json-body';
import { assertRoom } from '../http/limits';
import {
  about,
  defaulting,
  exactlyOneOf,
  listOf,
  object,
  optional,
  type ValueOf,
} from '../http/schema/field';
import { anything, callVariables, integer, languageTag, nonEmptyText, notBlank } from '../http/schema/kinds';
import { check } from '../http/schema/validate';
import { timeZone } from '../rules/schema';
import { signalAppended } from './change';
import { MAX_CONTACT_NAME } from './contact-file/result';
import { campaignOf, campaignParams } from './schema';

const MAX_APPENDED = 1_000;
const MAX_EXTERNAL_ID = 255;
const MAX_NUMBER = 64;
/** More than the contacts of a body of the maximum size can have. */
const MAX_VALUES = 200_000;
const MAX_BYTES = 4 * 1024 * 1024;

const contact = object(
  {
    external_id: about(
      optional(nonEmptyText(MAX_EXTERNAL_ID)),
      'Your own id of the contact. Without one, the number identifies the contact within the campaign',
      'customer-4711',
    ),
    name: notBlank(MAX_CONTACT_NAME),
    phone_number: about(notBlank(MAX_NUMBER), 'In any form that contact files accept', '09876543210'),
    timezone: about(optional(timeZone()), 'IANA zone of the contact'),
    language: about(optional(languageTag()), 'Language of the contact', 'hi'),
    consent_at: about(optional(instant()), 'When the person agreed to be called'),
    metadata: about(
      defaulting(callVariables(), {}),
      'Variables of the calls, like the extra columns of a file',
    ),
  },
  { name: 'AppendedContact' },
);
type GivenContact = ValueOf<typeof contact>;

const LIST_ID = about(optional(uuid()), 'Contact list to copy all contacts from, at most 1,000,000');

/** `contacts` are checked one by one, because a thousand take a tenth of a second. */
const parts = object({
  contacts: optional(listOf(anything(), { min: 1, max: MAX_APPENDED })),
  contact_list_id: LIST_ID,
});

const appendBody = (rules: PhoneRules): Body<ContactSource> => ({
  content: {
    'application/json': exactlyOneOf(
      object(
        { contacts: optional(listOf(contact, { min: 1, max: MAX_APPENDED })), contact_list_id: LIST_ID },
        { name: 'AppendContacts' },
      ),
      ['contacts', 'contact_list_id'],
    ),
  },
  examples: {
    contacts: {
      summary: 'Two contacts',
      value: {
        contacts: [
          {
            external_id: 'customer-4711',
            name: 'Asha Rao',
            phone_number: '+919876543218',
            timezone: 'Asia/Kolkata',
            metadata: { city: 'Pune' },
          },
          { name: 'Dev Shah', phone_number: '09876543219' },
        ],
      },
    },
  },
  read: async (ctx) => readAppend(await jsonBody(ctx, { maxValues: MAX_VALUES, maxBytes: MAX_BYTES }), rules),
});

async function readAppend(body: object, rules: PhoneRules): Promise<Reading<ContactSource>> {
  const checked = check(parts, body, 'body');
  if ('faults' in checked) return checked;
  const { contacts: given, contact_list_id: listId } = checked.value;
  if (listId !== undefined && given === undefined) return { value: { listId } };
  if (listId !== undefined || given === undefined) {
    const msg = 'must have either `contacts` or `contact_list_id`';
    return { faults: [{ loc: ['body'], msg, type: 'object.xor' }] };
  }
  const contacts: AppendedContact[] = [];
  const faults: InputFault[] = [];
  const slice = new TimeSlice();
  for (const [index, each] of given.entries()) {
    await slice.end();
    if (faults.length >= ENOUGH_FAULTS) break;
    const reading = readContact(each, rules);
    if ('value' in reading) contacts.push(reading.value);
    else faults.push(...reading.faults.map((fault) => inContacts(fault, index)));
  }
  return faults.length > 0 ? { faults } : { value: { contacts } };
}

const inContacts = ({ loc: [place = 'body', ...path], ...fault }: InputFault, index: number): InputFault => ({
  ...fault,
  loc: [place, 'contacts', index, ...path],
});

function readContact(given: unknown, rules: PhoneRules): Reading<AppendedContact> {
  const checked = check(contact, given, 'body');
  if ('faults' in checked) return checked;
  const number = normalisePhone(checked.value.phone_number, rules);
  if ('fault' in number) {
    return { faults: [{ loc: ['body', 'phone_number'], msg: number.fault, type: 'phone_number' }] };
  }
  return { value: appendedContact(checked.value, number.e164) };
}

const appendedContact = (given: GivenContact, phoneNumber: string): AppendedContact => ({
  externalId: given.external_id ?? null,
  name: given.name.trim(),
  phoneNumber,
  timezone: given.timezone ?? null,
  language: given.language ?? null,
  consentAt: given.consent_at ?? null,
  variables: given.metadata,
});

const appended = object(
  {
    added: about(integer(0), 'Contacts that will be called'),
    duplicates: about(
      integer(0),
      'Other contacts of the request: the campaign already has the contact, or another contact with its number',
    ),
    total: about(integer(0), 'Contacts of the campaign afterwards'),
  },
  { name: 'ContactsAppended' },
);

export const appending = ({ deps }: RouteTools) => {
  const { allowedCountries, allowedNumberTypes } = deps.settings;
  return endpoint({
    method: 'post',
    path: '/api/campaigns/:campaign_id/contacts',
    tag: 'Campaigns',
    summary: 'Append contacts to a campaign that has not ended',
    description:
      "Accepts all contacts or none. The campaign keeps its status and doesn't complete before they have ended. Each contact is stored once per campaign, so repeating a request stores nothing twice.",
    access: byKey,
    scope: 'operate',
    input: {
      params: campaignParams,
      headers: object({ 'Idempotency-Key': idempotencyKey }),
      body: appendBody({ allowedCountries, allowedNumberTypes }),
    },
    answer: answers('The contacts are stored', appended),
    refusals: [
      campaignNotFound(),
      contactListNotFound(),
      campaignNotEditable('completed'),
      quotaRefusal(),
      idempotencyInProgress(),
      idempotencyKeyReused(),
    ],
    handle: ({ params, headers, body }, organization) =>
      idempotent(deps, {
        organization,
        key: headers['Idempotency-Key'] ?? null,
        operation: 'campaign.append',
        input: { campaignId: params.campaign_id, ...body },
        newId: () => randomUUID(),
        run: () => append(deps, params.campaign_id, body, organization),
        // A repeat stores nothing twice, so a request whose process died runs again.
        recover: () => Promise.resolve(undefined),
        present: ({ added, duplicates, total }): ValueOf<typeof appended> => ({ added, duplicates, total }),
      }),
    present: (answer, { ctx }) => presentIdempotent(answer, ctx),
  });
};

/** @throws ApiError 404 if the campaign or the list is unknown, 409 if the campaign has ended or a quota is exceeded */
export async function append(
  deps: Pick<ApiDependencies, 'db' | 'settings' | 'clock' | 'temporal' | 'log'>,
  campaignId: string,
  source: ContactSource,
  organization: ApiClient,
): Promise<{ added: number; duplicates: number; total: number }> {
  const { db, settings, clock } = deps;
  const { id: organizationId, actor } = organization;
  const { status } = await campaignOf(db, campaignId, organizationId);
  if (isFinal(status)) throw campaignNotEditable(status);
  await assertRoom({ db, settings }, organization, { contacts: await sizeOf(deps, source, organizationId) });
  const result = await appendContacts(db, { campaignId, organizationId, source, actor, now: clock.now() });
  if (result.kind === 'unknown') throw campaignNotFound();
  if (result.kind === 'refused') throw campaignNotEditable(result.status);
  await signalAppended(deps, campaignId);
  return result;
}

async function sizeOf(
  { db }: Pick<ApiDependencies, 'db'>,
  source: ContactSource,
  organizationId: string,
): Promise<number> {
  return 'contacts' in source ? source.contacts.length : listSize({ db }, source.listId, organizationId);
}

/** @throws ApiError 404 */
export async function listSize(
  { db }: Pick<ApiDependencies, 'db'>,
  listId: string,
  organizationId: string,
): Promise<number> {
  const contacts = await contactsOfList(db, organizationId, listId);
  if (contacts === undefined) throw contactListNotFound();
  return contacts;
}
