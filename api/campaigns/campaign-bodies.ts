/** Request bodies of create and update. */
import Joi from 'joi';
import type { Body, Reading, RequestExample } from '../http/endpoint';
import { jsonBody } from '../http/input/json-body';
import { hasBody } from '../http/input/text-body';
import { contactFileForm } from './contact-file/file-shares';
import { multipartForm } from '../http/input/multipart';
import type { UploadedFile } from '../http/input/uploads';
import { unsupportedMediaType } from '../http/errors/refusals';
import { urlencodedForm } from '../http/input/urlencoded';
import { about, object, typed } from '../http/schema/field';
import {
  campaignEditForm,
  campaignEditJson,
  editFromForm,
  editFromJson,
  type CampaignEdit,
} from './campaign-edit';
import { campaignFormFields, readCampaignForm, type CampaignForm } from './campaign-form';

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

const CREATE = object({ csv_file: contactFile, ...campaignFormFields }, { name: 'CreateCampaign' });

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

const CREATE_EXAMPLES: Record<string, RequestExample> = {
  weekdays: { summary: 'Two contacts, called on weekdays', value: EXAMPLE_CAMPAIGN },
};

export const createCampaignBody: Body<CampaignForm> = {
  content: { 'multipart/form-data': CREATE },
  encoding: contactFileEncoding,
  examples: CREATE_EXAMPLES,
  read: async (ctx) => readCampaignForm(await contactFileForm(ctx)),
};

const UPDATE_EXAMPLES: Record<string, RequestExample> = {
  window: { summary: 'Change the calling window', value: { start_time: '05:00', end_time: '11:00' } },
  name: {
    summary: 'Change the name and a webhook URL',
    value: { campaign_name: 'Reminders', campaign_webhook_url: 'https://example.com/hooks' },
  },
};

const JSON_TYPES = ['json', '+json'];

/** JSON, urlencoded or multipart. */
export const updateCampaignBody: Body<CampaignEdit> = {
  content: {
    'application/json': campaignEditJson,
    'application/x-www-form-urlencoded': campaignEditForm,
    'multipart/form-data': campaignEditForm,
  },
  examples: UPDATE_EXAMPLES,
  read: async (ctx): Promise<Reading<CampaignEdit>> => {
    if (ctx.is('multipart/form-data'))
      return editFromForm((await multipartForm(ctx, { fileField: 'csv_file' })).fields);
    if (ctx.is('urlencoded')) return editFromForm(await urlencodedForm(ctx));
    if (!hasBody(ctx)) return editFromJson({});
    if (ctx.is(JSON_TYPES)) return editFromJson(await jsonBody(ctx));
    throw unsupportedMediaType('application/json, application/x-www-form-urlencoded or multipart/form-data');
  },
};
