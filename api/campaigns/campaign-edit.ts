/** Fields that an update of a campaign can change, from JSON or a form. Other fields are ignored. */
import type { InputFault } from '../http/errors/api-error';
import { noFieldsToUpdate } from '../http/errors/refusals';
import { check } from '../http/input/validate';
import {
  atLeastOneOf,
  object,
  optional,
  type Field,
  type Fields,
  type OptionalField,
  type ValueOf,
} from '../http/schema/field';
import { integer } from '../http/schema/kinds';
import { campaignFields, integerAsText, type CampaignTerms } from './campaign-fields';

/** Contains only the supplied fields, at least one. */
export type CampaignEdit = Partial<CampaignTerms>;

type Optionals<F extends Fields> = { [Name in keyof F]: OptionalField<ValueOf<F[Name]>> };

function allOptional<F extends Fields>(fields: F): Optionals<F> {
  const entries = Object.entries<Field<unknown>>(fields).map(([name, field]) => [name, optional(field)]);
  return Object.fromEntries(entries) as Optionals<F>;
}

function edit(fields: ReturnType<typeof campaignFields>, name: string): Field<CampaignEdit> {
  return atLeastOneOf(object(allOptional(fields), { name }), Object.keys(fields));
}

export const campaignEditJson = edit(campaignFields(integer, 'json'), 'CampaignEdit');
export const campaignEditForm = edit(campaignFields(integerAsText, 'form'), 'CampaignEditForm');

export type EditReading = { value: CampaignEdit } | { faults: InputFault[] };

/** Strict about types: numbers are JSON numbers, lists are comma-separated text. */
export function editFromJson(body: unknown): EditReading {
  return notEmpty(check(campaignEditJson, body, 'body'));
}

/** A blank number counts as not supplied. A blank list of e-mail addresses or webhook URL clears the stored value. */
export function editFromForm(fields: Readonly<Record<string, string>>): EditReading {
  const supplied = Object.entries(fields).filter(
    ([name, value]) => value.trim() !== '' || !NUMBERS.includes(name),
  );
  return notEmpty(check(campaignEditForm, Object.fromEntries(supplied), 'body'));
}

const NUMBERS = ['max_retries', 'retry_delay_mins'];

function notEmpty(reading: EditReading): EditReading {
  if ('value' in reading && Object.keys(reading.value).length === 0) throw noFieldsToUpdate();
  return reading;
}
