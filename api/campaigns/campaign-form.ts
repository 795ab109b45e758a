import type { Reading } from '../http/endpoint';
import { flag } from '../http/input/fields';
import type { MultipartForm } from '../http/input/multipart';
import type { UploadedFile } from '../http/input/uploads';
import { check } from '../http/input/validate';
import { about, defaulting, object, typed, type Field } from '../http/schema/field';
import { campaignFields, integerAsText, type CampaignTerms } from './campaign-fields';
import Joi from 'joi';

const DEFAULT_MAX_RETRIES = 3;
const DEFAULT_RETRY_DELAY_MINS = 30;

/** A campaign as asked for: every field is of its type, none was yet held against a rule. */
export interface CampaignForm extends CampaignTerms {
  agentIdOrName: string;
  performDndCheck: boolean;
  file: UploadedFile;
}

const FIELDS = campaignFields(integerAsText, 'form');

/** The fields of create's form but for `csv_file`. */
export const campaignFormFields = {
  ...FIELDS,
  agent_id: about(
    typed<string>(
      Joi.string()
        .trim()
        .max(255)
        .meta({
          jsonSchema: { pattern: String.raw`^[^\s\u0000\ufffd]([^\u0000\ufffd]*[^\s\u0000\ufffd])?$` },
        }),
    ),
    'The agent that calls: its id or agent_name',
  ),
  perform_dnd_check: about(defaulting(flag(), false), 'Whether do-not-disturb lists are checked'),
  max_retries: defaulting(FIELDS.max_retries, DEFAULT_MAX_RETRIES),
  retry_delay_mins: defaulting(FIELDS.retry_delay_mins, DEFAULT_RETRY_DELAY_MINS),
  notification_emails: defaulting<string[], string[]>(FIELDS.notification_emails, []),
  campaign_webhook_url: none(FIELDS.campaign_webhook_url),
  per_call_webhook_url: none(FIELDS.per_call_webhook_url),
};

function none<T>(field: Field<T | null>): Field<T | null> {
  return defaulting(field, null);
}

const FORM = object(campaignFormFields);

const OPTIONAL = [
  'perform_dnd_check',
  'max_retries',
  'retry_delay_mins',
  'notification_emails',
  'campaign_webhook_url',
  'per_call_webhook_url',
];

/** Names every field that is missing or not of its type. */
export function readCampaignForm(form: MultipartForm): Reading<CampaignForm> {
  const checked = check(FORM, givenFields(form.fields), 'body');
  const file = readFile(form);
  if ('faults' in checked || 'faults' in file)
    return { faults: [checked, file].flatMap((part) => ('faults' in part ? part.faults : [])) };
  const { agent_id, perform_dnd_check: performDndCheck, ...terms } = checked.value;
  return { value: { ...terms, agentIdOrName: agent_id.trim(), performDndCheck, file: file.value } };
}

export const readFile = ({ file }: MultipartForm): Reading<UploadedFile> =>
  file === null
    ? { faults: [{ loc: ['body', 'csv_file'], msg: 'is required, as a file', type: 'any.required' }] }
    : { value: file };

/** Forms send optional fields that were left blank as empty text. */
function givenFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value.trim() !== '' || !OPTIONAL.includes(name)),
  );
}
