import Joi from 'joi';
import { minuteOfDay, WEEKDAYS, type Weekday } from '../../workflows/domain/calling-window';
import type { InputFault } from '../errors/api-error';
import { invalidInput } from '../errors/refusals';
import { flag, isDate } from '../input/fields';
import type { MultipartForm, UploadedFile } from '../input/multipart';
import { check } from '../input/validate';

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_RETRY_DELAY_MINS = 30;

/** A campaign as asked for: every field is of its type, none was yet held against a rule. */
export interface CampaignForm {
  campaignName: string;
  agentIdOrName: string;
  concurrency: number;
  fromDate: string;
  toDate: string;
  startMinute: number;
  endMinute: number;
  daysOfWeek: Weekday[];
  performDndCheck: boolean;
  maxRetries: number;
  retryDelayMins: number;
  notificationEmails: string[];
  campaignWebhookUrl: string | null;
  perCallWebhookUrl: string | null;
  file: UploadedFile;
}

/** Signed, so that a negative number is out of range rather than no number. */
const integer = (least = -Infinity): Joi.Schema =>
  Joi.string().custom((text: string, helpers) => {
    if (!/^-?\d{1,15}$/.test(text)) return helpers.message({ custom: 'must be an integer' });
    return Number(text) < least ? helpers.message({ custom: `must be at least ${least}` }) : Number(text);
  });

const timeOfDay = (): Joi.Schema =>
  Joi.string().custom(
    (text: string, helpers) => minuteOfDay(text) ?? helpers.message({ custom: 'must be a time, HH:MM' }),
  );

const date = (): Joi.Schema =>
  Joi.string().custom((text: string, helpers) =>
    isDate(text) ? text : helpers.message({ custom: 'must be a date, YYYY-MM-DD' }),
  );

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Empty is a list of none: which days were meant is a rule's question, not a type's. */
const weekdays = (): Joi.Schema =>
  Joi.string()
    .allow('')
    .custom((text: string, helpers) => {
      const names = listed(text);
      const unknown = names.find((name) => !WEEKDAYS.some((day) => day === name));
      if (unknown !== undefined) return helpers.message({ custom: 'must be lowercase weekday names' });
      return WEEK.filter((day) => names.includes(day));
    });

/** As a week is written. */
const WEEK: readonly Weekday[] = [...WEEKDAYS.slice(1), 'sunday'];

const EMAIL = Joi.string().email({ tlds: false });

const emails = (): Joi.Schema =>
  Joi.string().custom((text: string, helpers) => {
    const addresses = listed(text);
    const wrong = addresses.some((address) => EMAIL.validate(address).error !== undefined);
    return wrong ? helpers.message({ custom: 'must be e-mail addresses, comma-separated' }) : addresses;
  });

const httpUrl = (): Joi.Schema =>
  Joi.string()
    .max(MAX_URL_LENGTH)
    .custom((text: string, helpers) =>
      isHttpUrl(text) ? text : helpers.message({ custom: 'must be an http or https address' }),
    );

function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  return new URL(text).hostname !== '';
}

const campaignName = Joi.string().custom((text: string, helpers) => {
  const name = text.trim();
  if (name === '') return helpers.error('string.empty');
  if ([...name].length > MAX_NAME_LENGTH) return helpers.error('string.max', { limit: MAX_NAME_LENGTH });
  return name;
});

interface FormFields {
  campaign_name: string;
  agent_id: string;
  concurrency: number;
  from_date: string;
  to_date: string;
  start_time: number;
  end_time: number;
  days_of_week: Weekday[];
  perform_dnd_check: boolean;
  max_retries: number;
  retry_delay_mins: number;
  notification_emails: string[];
  campaign_webhook_url: string | null;
  per_call_webhook_url: string | null;
}

const FORM = Joi.object<FormFields>({
  campaign_name: campaignName.required(),
  agent_id: Joi.string().trim().max(255).required(),
  // Above the organisation's maximum is a rule's question, below one is no number of lines at all.
  concurrency: integer(1).required(),
  from_date: date().required(),
  to_date: date().required(),
  start_time: timeOfDay().required(),
  end_time: timeOfDay().required(),
  days_of_week: weekdays().required(),
  perform_dnd_check: flag().default(false),
  max_retries: integer().default(DEFAULT_MAX_RETRIES),
  retry_delay_mins: integer().default(DEFAULT_RETRY_DELAY_MINS),
  notification_emails: emails().default([]),
  campaign_webhook_url: httpUrl().default(null),
  per_call_webhook_url: httpUrl().default(null),
});

const OPTIONAL = [
  'perform_dnd_check',
  'max_retries',
  'retry_delay_mins',
  'notification_emails',
  'campaign_webhook_url',
  'per_call_webhook_url',
];

/** Throws one refusal that names every field that is missing or not of its type. */
export function readCampaignForm(form: MultipartForm): CampaignForm {
  const checked = check(FORM, givenFields(form.fields), 'body');
  const faults: InputFault[] = 'faults' in checked ? [...checked.faults] : [];
  if (form.file === null) {
    faults.push({ loc: ['body', 'csv_file'], msg: 'is required, as a file', type: 'any.required' });
  }
  if ('faults' in checked || form.file === null || faults.length > 0) throw invalidInput(faults);
  return toForm(checked.value, form.file);
}

/** Forms send optional fields that were left blank as empty text. */
function givenFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value.trim() !== '' || !OPTIONAL.includes(name)),
  );
}

function toForm(fields: FormFields, file: UploadedFile): CampaignForm {
  return {
    campaignName: fields.campaign_name,
    agentIdOrName: fields.agent_id.trim(),
    concurrency: fields.concurrency,
    fromDate: fields.from_date,
    toDate: fields.to_date,
    startMinute: fields.start_time,
    endMinute: fields.end_time,
    daysOfWeek: fields.days_of_week,
    performDndCheck: fields.perform_dnd_check,
    maxRetries: fields.max_retries,
    retryDelayMins: fields.retry_delay_mins,
    notificationEmails: fields.notification_emails,
    campaignWebhookUrl: fields.campaign_webhook_url,
    perCallWebhookUrl: fields.per_call_webhook_url,
    file,
  };
}
