import Joi from 'joi';
import { type InputFault, ENOUGH_FAULTS } from '../errors/api-error';
import { type Field, typed } from './field';

type InputPlace = 'body' | 'query' | 'path' | 'header';

/** Returns the value with defaults filled in, or all faults. */
export function check<T>(
  schema: Field<T>,
  input: unknown,
  place: InputPlace,
): { value: T } | { faults: InputFault[] } {
  const result = schema.validate(input, {
    abortEarly: false,
    convert: false,
    errors: { label: false },
    messages: MESSAGES,
    stripUnknown: true,
  });
  if (result.error === undefined) return { value: result.value as T };
  const faults = result.error.details
    .slice(0, ENOUGH_FAULTS)
    .map((detail) => ({ loc: [place, ...detail.path], msg: detail.message, type: detail.type }));
  return { faults };
}

/** The parsed value, or the rule that it breaks. */
export type Interpretation<T> = { value: T } | Broken;

/** A field that is checked by code, with a JSON Schema for the OpenAPI document. */
export function interpreted<T>(
  jsonSchema: object,
  interpret: (given: unknown) => Interpretation<T>,
): Field<T> {
  const schema = Joi.any().custom((given: unknown, helpers) => {
    const result = interpret(given);
    return 'value' in result ? result.value : helpers.error(result.rule, { limit: result.limit });
  });
  return typed<T>(schema.meta({ jsonSchema }));
}

/** Messages for broken rules. They replace joi's own, and checks written in code use them too. A rule has the same message in bodies, forms and queries. */
export const MESSAGES = {
  'any.invalid': 'must not be `__proto__`, `constructor` or `prototype`',
  'boolean.base': 'must be true or false',
  'number.base': 'must be a number',
  'number.integer': 'must be an integer',
  'number.max': 'must be at most {#limit}',
  'number.min': 'must be at least {#limit}',
  'number.unsafe': 'is too large',
  'array.max': 'must have at most {#limit} entries',
  'array.openHours': 'must be a start and a later end, such as ["09:00", "20:00"]. The end can be 24:00',
  'array.min': 'must have at least {#limit} entries',
  'object.base': 'must be an object',
  'object.bytes': 'must be at most {#limit} bytes as JSON',
  'object.max': 'must have at most {#limit} keys',
  'string.base': 'must be a string',
  'string.date': 'must be a date in the form YYYY-MM-DD',
  'string.email': 'must be a comma-separated list of e-mail addresses',
  'string.empty': 'must not be empty',
  'string.guid': 'must be a UUID',
  'string.instant':
    'must be a timestamp in the years 2000 to 2099 with `Z` or an offset, such as 2026-11-30T17:00:00Z',
  'string.isoDate': 'must be a date or an ISO 8601 timestamp',
  'string.max': 'must be at most {#limit} characters long',
  'string.profileName': 'must be 1 to 64 lowercase letters, digits and hyphens',
  'string.timeZone': 'must be the name of an IANA time zone, such as Asia/Kolkata',
  'string.time': 'must be a time in the form HH:MM',
  'string.uri': 'must be an http or https URL',
  'turn.user':
    'must have `user` in every turn except the first. Leave it out of the first turn if the agent speaks first',
  'string.windowTimezone': 'must be utc, contact or the name of an IANA time zone, such as America/Denver',
  'string.weekdays': 'must be a comma-separated list of lowercase weekday names',
};

/** A broken rule. It is the `type` of the fault and selects the message. */
interface Broken {
  rule: keyof typeof MESSAGES;
  limit?: number;
}
