/** Path parameter and request bodies: contact file, create, update, simulate. The fields of create and update are in `terms.ts`. */
import Joi from 'joi';
import { findCampaign, type Campaign } from '../../db/campaigns/campaigns';
import type { Db } from '../../db/kernel/connection';
import type { Body, Reading, RequestExample } from '../http/endpoint';
import { decimal, flag, instant, uuid, uuidParam } from '../http/input/fields';
import { multipartForm, type MultipartForm, urlencodedForm } from '../http/input/forms';
import { check } from '../http/schema/validate';
import { integer, type Notation } from '../http/schema/kinds';
import { campaignNotFound, noFieldsToUpdate, unsupportedMediaType } from '../http/errors/refusals';
import { jsonBody } from '../http/input/json-body';
import { hasBody } from '../http/input/text-body';
import type { UploadedFile } from '../http/input/uploads';
import {
  about,
  atLeastOneOf,
  defaulting,
  exactlyOneOf,
  object,
  optional,
  typed,
  type Field,
  type Fields,
  type OptionalField,
  type ValueOf,
} from '../http/schema/field';
import { contactFileForm } from './contact-file/file-shares';
import { campaignFields, integerAsText, type CampaignEdit, type CampaignTerms } from './terms';

export const campaignParams = uuidParam('campaign_id', 'Identifier of the campaign');

/** @throws ApiError 404, also for another organization's campaign */
export async function campaignOf(db: Db, id: string, organizationId: string): Promise<Campaign> {
  const campaign = await findCampaign(db, organizationId, id);
  if (campaign === undefined) throw campaignNotFound();
  return campaign;
}

export const contactFile = about(
  typed<UploadedFile>(Joi.any().meta({ jsonSchema: { type: 'string', format: 'binary' } })),
  '1 to 10,000 contacts as .csv (UTF-8), .xlsx or .xls, at most 10 MiB, with the columns name and phone_number',
);

/** The format is detected from the content, but the file's name must still have one of the three extensions. */
export const contactFileEncoding = {
  csv_file: {
    contentType:
      'text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.ms-excel',
    headers: {
      'Content-Disposition': {
        schema: { type: 'string' },
        example: 'form-data; name="csv_file"; filename="contacts.csv"',
      },
    },
  },
};

export const readFile = ({ file }: MultipartForm): Reading<UploadedFile> =>
  file === null
    ? { faults: [{ loc: ['body', 'csv_file'], msg: 'is required and must be a file', type: 'any.required' }] }
    : { value: file };

/** A valid example of a campaign form. */
export const EXAMPLE_CAMPAIGN: RequestExample['value'] = {
  csv_file: 'name,phone_number,city\nAsha Rao,+919876543210,Pune\nDev Shah,09876543211,Nashik\n',
  campaign_name: 'November reminders',
  agent_id: 'check-up-reminder',
  concurrency: '2',
  from_date: '2026-11-02',
  to_date: '2099-12-31',
  start_time: '04:00',
  end_time: '10:30',
  days_of_week: 'monday,tuesday,wednesday,thursday,friday',
  max_retries: '3',
  retry_delay_mins: '30',
  notification_emails: 'ops@example.com',
  per_call_webhook_url: 'https://example.com/hooks/calls',
};

/** A create request with correct types, not yet checked against the campaign rules. */
export interface CampaignForm extends CampaignTerms {
  agentIdOrName: string;
  performDndCheck: boolean;
  source: ContactOrigin;
}

/** Source of the contacts of a new campaign. */
export type ContactOrigin = { file: UploadedFile } | { listId: string };

export type FileForm = CampaignForm & { source: { file: UploadedFile } };
export type ListForm = CampaignForm & { source: { listId: string } };

const TERMS = campaignFields(integerAsText, 'form', defaulting);

/** The fields of the create form except `csv_file`. */
const campaignFormFields = {
  ...TERMS,
  agent_id: about(
    typed<string>(
      Joi.string()
        .trim()
        .max(255)
        .meta({
          jsonSchema: { pattern: String.raw`^[^\s\u0000\ufffd]([^\u0000\ufffd]*[^\s\u0000\ufffd])?$` },
        }),
    ),
    'Id or `agent_name` of the agent',
  ),
  perform_dnd_check: about(
    defaulting(flag(), false),
    'If true, contacts on the do-not-disturb list are not called',
  ),
};

const FORM = object(campaignFormFields);

const LIST = {
  contact_list_id: about(optional(uuid()), 'Contact list to copy the contacts from, in place of `csv_file`'),
};

const OPTIONAL = namesOf(campaignFormFields, (preset) => preset !== undefined);

/** Returns the names of the fields whose default `accepts` returns true for. A required field has none. */
function namesOf(fields: Fields, accepts: (preset: unknown) => boolean): string[] {
  return Object.keys(fields).filter((name) => accepts(fields[name]?.$_getFlag('default')));
}

export const createCampaignBody: Body<CampaignForm> = {
  content: {
    'multipart/form-data': exactlyOneOf(
      object({ csv_file: optional(contactFile), ...LIST, ...campaignFormFields }, { name: 'CreateCampaign' }),
      ['csv_file', 'contact_list_id'],
    ),
  },
  encoding: contactFileEncoding,
  examples: { weekdays: { summary: 'Two contacts, called on weekdays', value: EXAMPLE_CAMPAIGN } },
  read: async (ctx) => {
    const form = await contactFileForm(ctx);
    return readCampaignForm(form, readSource(form));
  },
};

/** Exactly one of the two sources must be given. A blank `contact_list_id` is missing. */
function readSource(form: MultipartForm): Reading<ContactOrigin> {
  const list = check(object(LIST), withoutBlanks(form.fields, ['contact_list_id']), 'body');
  if ('faults' in list) return list;
  const { contact_list_id: listId } = list.value;
  if (listId === undefined) return fileSource(form);
  if (form.file === null) return { value: { listId } };
  const msg = 'must have either `csv_file` or `contact_list_id`, not both';
  return { faults: [{ loc: ['body'], msg, type: 'object.xor' }] };
}

function fileSource(form: MultipartForm): Reading<{ file: UploadedFile }> {
  const file = readFile(form);
  return 'faults' in file ? file : { value: { file: file.value } };
}

/** Reports every field that is missing or has the wrong type. */
function readCampaignForm<Source extends ContactOrigin>(
  form: MultipartForm,
  source: Reading<Source>,
): Reading<CampaignForm & { source: Source }> {
  const checked = check(FORM, withoutBlanks(form.fields, OPTIONAL), 'body');
  if ('faults' in checked || 'faults' in source)
    return { faults: [checked, source].flatMap((part) => ('faults' in part ? part.faults : [])) };
  const { agent_id, perform_dnd_check: performDndCheck, ...terms } = checked.value;
  return { value: { ...terms, agentIdOrName: agent_id.trim(), performDndCheck, source: source.value } };
}

/** Drops blank fields, which forms send as empty text. */
function withoutBlanks(
  fields: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value.trim() !== '' || !names.includes(name)),
  );
}

type Optionals<F extends Fields> = { [Name in keyof F]: OptionalField<ValueOf<F[Name]>> };

function allOptional<F extends Fields>(fields: F): Optionals<F> {
  const entries = Object.entries<Field<unknown>>(fields).map(([name, field]) => [name, optional(field)]);
  return Object.fromEntries(entries) as Optionals<F>;
}

function edit(integerKind: typeof integerAsText, notation: Notation, name: string): Field<CampaignEdit> {
  const fields = campaignFields(integerKind, notation, (field) => field);
  return atLeastOneOf(object(allOptional(fields), { name }), Object.keys(fields));
}

const campaignEditJson = edit(integer, 'json', 'CampaignEdit');
const campaignEditForm = edit(integerAsText, 'form', 'CampaignEditForm');

const OPTIONAL_NUMBERS = namesOf(TERMS, (preset) => typeof preset === 'number');

const JSON_TYPES = ['json', '+json'];

/** JSON, urlencoded or multipart. */
export const updateCampaignBody: Body<CampaignEdit> = {
  content: {
    'application/json': campaignEditJson,
    'application/x-www-form-urlencoded': campaignEditForm,
    'multipart/form-data': campaignEditForm,
  },
  examples: {
    window: { summary: 'Change the calling window', value: { start_time: '05:00', end_time: '11:00' } },
    name: {
      summary: 'Change the name and a webhook URL',
      value: { campaign_name: 'Reminders', campaign_webhook_url: 'https://example.com/hooks' },
    },
  },
  read: async (ctx): Promise<Reading<CampaignEdit>> => {
    if (ctx.is('multipart/form-data'))
      return editFromForm((await multipartForm(ctx, { fileField: 'csv_file' })).fields);
    if (ctx.is('urlencoded')) return editFromForm(await urlencodedForm(ctx));
    if (!hasBody(ctx)) return editFromJson({});
    if (ctx.is(JSON_TYPES)) return editFromJson(await jsonBody(ctx));
    throw unsupportedMediaType('application/json, application/x-www-form-urlencoded or multipart/form-data');
  },
};

/** Strict about types: numbers are JSON numbers, lists are comma-separated text. */
export function editFromJson(body: unknown): Reading<CampaignEdit> {
  return notEmpty(check(campaignEditJson, body, 'body'));
}

/** A blank number is ignored. Any other optional field that is blank clears the stored value. */
export function editFromForm(fields: Readonly<Record<string, string>>): Reading<CampaignEdit> {
  return notEmpty(check(campaignEditForm, withoutBlanks(fields, OPTIONAL_NUMBERS), 'body'));
}

function notEmpty(reading: Reading<CampaignEdit>): Reading<CampaignEdit> {
  if ('value' in reading && Object.keys(reading.value).length === 0) throw noFieldsToUpdate();
  return reading;
}

const MAX_RING_SECONDS = 120;
const MAX_TALK_SECONDS = 3600;

const rate = () => decimal(0, 1);

/** Default assumptions about calls. */
export const USUAL = { answerRate: 0.6, talkSeconds: 60, ringSeconds: 15 } as const;

const assumptionFields = {
  assumed_answer_rate: about(
    defaulting(rate(), USUAL.answerRate),
    'Share of first attempts that are answered, voicemail included',
    0.6,
  ),
  assumed_redial_answer_rate: about(
    optional(rate()),
    'Share of redials that are answered. Default: the share of first attempts',
    0.4,
  ),
  assumed_talk_seconds: about(
    defaulting(decimal(0, MAX_TALK_SECONDS), USUAL.talkSeconds),
    "Talk time of an answered call, in seconds. Limited by the agent's maximum call duration",
    90,
  ),
  assumed_ring_seconds: about(
    defaulting(decimal(0, MAX_RING_SECONDS), USUAL.ringSeconds),
    'Seconds from the dial to the answer, or to the end of an unanswered attempt',
    15,
  ),
  assumed_dnd_rate: about(
    defaulting(rate(), 0),
    'Share of contacts on a do-not-disturb list. Used only with perform_dnd_check',
    0.05,
  ),
  starts_at: about(optional(instant()), 'Simulated time of creation. Default: now'),
};

const ASSUMPTIONS = object(assumptionFields);

export interface Simulation {
  campaign: FileForm;
  assumed: ValueOf<typeof ASSUMPTIONS>;
}

function simulatedSource(form: MultipartForm): Reading<{ file: UploadedFile }> {
  if (form.file !== null || (form.fields.contact_list_id ?? '').trim() === '') return fileSource(form);
  const msg = 'cannot be simulated. Send the contacts as `csv_file`';
  return { faults: [{ loc: ['body', 'contact_list_id'], msg, type: 'any.unknown' }] };
}

export const simulateCampaignBody: Body<Simulation> = {
  content: {
    'multipart/form-data': object(
      { csv_file: contactFile, ...campaignFormFields, ...assumptionFields },
      { name: 'SimulateCampaign' },
    ),
  },
  encoding: contactFileEncoding,
  examples: {
    as_create: { summary: 'The same request as for create', value: EXAMPLE_CAMPAIGN },
    assumptions: {
      summary: 'Other assumptions',
      value: { ...EXAMPLE_CAMPAIGN, assumed_answer_rate: '0.35', assumed_talk_seconds: '90' },
    },
  },
  read: async (ctx): Promise<Reading<Simulation>> => {
    const form = await contactFileForm(ctx);
    const campaign = readCampaignForm(form, simulatedSource(form));
    const assumed = check(ASSUMPTIONS, withoutBlanks(form.fields, Object.keys(assumptionFields)), 'body');
    if ('value' in campaign && 'value' in assumed) {
      return { value: { campaign: campaign.value, assumed: assumed.value } };
    }
    return { faults: [campaign, assumed].flatMap((part) => ('faults' in part ? part.faults : [])) };
  },
};
