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

/** A create request with correct types, not yet checked against the campaign rules. */
export interface CampaignForm extends CampaignTerms {
  agentIdOrName: string;
  performDndCheck: boolean;
  file: UploadedFile;
}

const FIELDS = campaignFields(integerAsText, 'form');

/** The fields of the create form except `csv_file`. */
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
    'Id or `agent_name` of the agent',
  ),
  perform_dnd_check: about(
    defaulting(flag(), false),
    'If true, contacts on the do-not-disturb list are not called',
  ),
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

/** Reports every field that is missing or has the wrong type. */
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
    ? { faults: [{ loc: ['body', 'csv_file'], msg: 'is required and must be a file', type: 'any.required' }] }
    : { value: file };

/** Drops blank optional fields, which forms send as empty text. */
function givenFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value.trim() !== '' || !OPTIONAL.includes(name)),
  );
}
