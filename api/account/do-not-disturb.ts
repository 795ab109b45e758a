import {
  addDndNumbers,
  dndPage,
  findDndNumber,
  removeDndNumber,
  type DndNumber,
} from '../../db/calls/do-not-disturb';
import { recordAudit, type AuditAction } from '../../db/organizations/audit';
import { ANY_NUMBER, normalisePhone } from '../../domain/phone-number';
import { contactPattern } from '../calls/dispatch/schema';
import type { ApiDependencies, RouteTools } from '../dependencies';
import type { ApiClient } from '../http/auth/api-key';
import { answers, byKey, endpoint, json, type Endpoint } from '../http/endpoint';
import { pageOf, paging } from '../http/input/fields';
import { assertRoom } from '../http/limits';
import { iso, presentPagination, done, pagination } from '../http/responses';
import { nonEmptyText, notBlank, text, timestamp } from '../http/schema/kinds';
import { invalidInput, quotaRefusal } from '../http/errors/refusals';
import { about, defaulting, list, nullable, object, optional, typed } from '../http/schema/field';

const PATH = '/api/do-not-disturb';
const EXAMPLE = '+919876543210';
const MAX_NUMBER = 64;
const MAX_SOURCE = 200;
const listed = object(
  {
    phone_number: about(text(), 'E.164', EXAMPLE),
    source: about(text(), 'Source of the entry'),
    added_at: timestamp(),
    call_id: about(nullable(text()), 'Call in which the person asked not to be called again'),
  },
  { name: 'DoNotDisturbNumber' },
);

/** Accepts the same formats as a dispatch, and numbers from any country. */
const numberOf = ({ deps }: RouteTools) =>
  about(
    typed<string>(nonEmptyText(MAX_NUMBER).meta({ jsonSchema: { pattern: contactPattern(deps.settings) } })),
    'Phone number in any form that dispatch accepts',
    EXAMPLE,
  );

export const doNotDisturbEndpoints = (tools: RouteTools): Endpoint[] => [
  listing(tools),
  adding(tools),
  removing(tools),
];

const listing = (tools: RouteTools) =>
  endpoint({
    method: 'get',
    path: PATH,
    tag: 'Account',
    summary: "List the organization's do-not-disturb numbers, newest first",
    access: byKey,
    scope: 'read',
    input: {
      query: object({ ...paging({ default: 50, max: 200 }), phone_number: optional(numberOf(tools)) }),
    },
    answer: answers(
      'A page of numbers',
      object({ data: list(listed), pagination }, { name: 'DoNotDisturbPage' }),
    ),
    handle: ({ query }, organization) => {
      const { phone_number: given } = query;
      const phoneNumber = given === undefined ? undefined : e164Of(given, 'query');
      return dndPage(tools.deps.db, { organizationId: organization.id, phoneNumber }, pageOf(query));
    },
    present: ({ items, total }, { input: { query } }) => ({
      data: items.map(presentNumber),
      pagination: presentPagination(query, total),
    }),
  });

const adding = (tools: RouteTools) =>
  endpoint({
    method: 'post',
    path: PATH,
    tag: 'Account',
    summary: 'Add a number to the do-not-disturb list',
    description: 'Has no effect if the number is already listed.',
    access: byKey,
    scope: 'operate',
    input: {
      body: json(
        object(
          {
            phone_number: numberOf(tools),
            source: about(defaulting(notBlank(MAX_SOURCE), 'api'), 'Source of the entry'),
          },
          { name: 'NewDoNotDisturbNumber' },
        ),
        {
          examples: {
            mail: {
              summary: 'A person asked by e-mail',
              value: { phone_number: EXAMPLE, source: 'asked by e-mail' },
            },
          },
        },
      ),
    },
    answer: answers('The entry', listed),
    refusals: [quotaRefusal()],
    handle: ({ body }, organization) =>
      add(tools.deps, { ...body, phone_number: e164Of(body.phone_number) }, organization),
    present: presentNumber,
  });

const removing = (tools: RouteTools) =>
  endpoint({
    method: 'post',
    // The number isn't part of the path, because proxies log paths.
    path: `${PATH}/remove`,
    tag: 'Account',
    summary: 'Remove a number from the do-not-disturb list',
    description: 'Also succeeds if the number is not listed.',
    access: byKey,
    scope: 'configure',
    input: {
      body: json(object({ phone_number: numberOf(tools) }, { name: 'DoNotDisturbRemoval' }), {
        examples: {
          agreed: { summary: 'A person agreed to be called again', value: { phone_number: EXAMPLE } },
        },
      }),
    },
    answer: answers('The number is not on the list', done),
    handle: ({ body }, organization) => remove(tools.deps, e164Of(body.phone_number), organization),
    present: () => ({ success: true }) as const,
  });

function e164Of(given: string, place = 'body'): string {
  const reading = normalisePhone(given, ANY_NUMBER);
  if ('e164' in reading) return reading.e164;
  throw invalidInput([{ loc: [place, 'phone_number'], msg: reading.fault, type: 'phone_number' }]);
}

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'settings'>;

async function add(
  { db, clock, settings }: Dependencies,
  { phone_number: phoneNumber, source }: { phone_number: string; source: string },
  organization: ApiClient,
): Promise<DndNumber> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    if ((await findDndNumber(trx, organization.id, phoneNumber)) === undefined)
      await assertRoom({ db: trx, settings }, organization, { dnd_numbers: 1 });
    const addition = { organizationId: organization.id, numbers: [phoneNumber], source: source.trim(), now };
    if ((await addDndNumbers(trx, addition)) > 0) await record(trx, 'dnd.add', organization, now);
    const found = await findDndNumber(trx, organization.id, phoneNumber);
    // If a concurrent request has already removed the number, respond as if it were still there.
    return found ?? { phoneNumber, source, addedAt: new Date(now), optedOutInCall: null };
  });
}

async function remove(
  { db, clock }: Dependencies,
  phoneNumber: string,
  organization: ApiClient,
): Promise<void> {
  await db.transaction(async (trx) => {
    const wasListed = await removeDndNumber(trx, organization.id, phoneNumber);
    if (wasListed) await record(trx, 'dnd.remove', organization, clock.now());
  });
}

/** The audit log must not contain phone numbers, so the subject is the organization. */
const record = (trx: ApiDependencies['db'], action: AuditAction, { id, actor }: ApiClient, now: number) =>
  recordAudit(trx, { organizationId: id, actor, action, subjectId: id, now });

const presentNumber = ({ phoneNumber, source, addedAt, optedOutInCall }: DndNumber) => ({
  phone_number: phoneNumber,
  source,
  added_at: iso(addedAt),
  call_id: optedOutInCall,
});
