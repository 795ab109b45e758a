/** The kinds of field in JSON bodies and responses. Values are never converted between JSON types. */
import Joi from 'joi';
import { PATTERNS } from '../../../domain/agent-config/forms';
import { LANGUAGE_TAG } from '../../../domain/contact-file-format';
import type { JsonObject } from '../../../domain/json';
import { isLonger } from '../../../domain/json-faults';
import { typed, type Field } from './field';

/** Format of a body. A form can hold neither null nor numbers. */
export type Notation = 'json' | 'form';

/** May be empty. */
export const text = (): Field<string> => typed(Joi.string().allow(''));

/** Counts characters as people do; joi's own `max` counts an emoji as two. */
export const atMost = (schema: Joi.StringSchema, max: number): Joi.StringSchema =>
  schema
    .custom((given: string, helpers) =>
      isLonger(given, max) ? helpers.error('string.max', { limit: max }) : given,
    )
    .meta({ jsonSchema: { maxLength: max } });

/** May be empty. */
export const textUpTo = (max: number): Field<string> => typed(atMost(Joi.string().allow(''), max));

export const nonEmptyText = (max: number): Field<string> => typed(atMost(Joi.string(), max));

export const notBlank = (max: number): Field<string> =>
  typed(
    atMost(Joi.string(), max)
      .pattern(/\S/)
      .messages({ 'string.pattern.base': 'must not be blank' })
      .meta({ jsonSchema: { pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' } }),
  );

/** Accepts strict E.164 only. */
export const phoneNumber = (): Joi.StringSchema =>
  Joi.string()
    .pattern(PATTERNS.e164)
    .messages({ 'string.pattern.base': 'must be an E.164 number, such as +919876543210' });

export const languageTag = (): Field<string> =>
  typed(
    Joi.string()
      .pattern(LANGUAGE_TAG)
      .messages({ 'string.pattern.base': 'must be a language tag, such as hi or en-IN' }),
  );

export const oneOf = <T extends string>(...values: T[]): Field<T> => typed(Joi.string().valid(...values));

export const flag = (): Field<boolean> => typed(Joi.boolean());

export const integer = (min?: number, max?: number): Field<number> =>
  typed(bounded(Joi.number().integer(), min, max));

export const number = (min?: number, max?: number): Field<number> => typed(bounded(Joi.number(), min, max));

function bounded(schema: Joi.NumberSchema, min?: number, max?: number): Joi.NumberSchema {
  const fromBelow = min === undefined ? schema : schema.min(min);
  return max === undefined ? fromBelow : fromBelow.max(max);
}

/** An object with arbitrary keys, at most `max` of them. */
export const freeObject = (max?: number): Field<JsonObject> => {
  const schema = Joi.object().unknown(true);
  return typed(max === undefined ? schema : schema.max(max));
};

export const anything = (): Field<unknown> => typed(Joi.any());

export const constant = <T extends string | boolean>(value: T): Field<T> =>
  typed(Joi.valid(value).meta({ jsonSchema: { const: value } }));

export const nothing = (): Field<null> => typed(Joi.valid(null).meta({ jsonSchema: { type: 'null' } }));

/** UTC with milliseconds and `Z`. */
export const timestamp = (): Field<string> =>
  typed(
    Joi.string()
      .pattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      .meta({ jsonSchema: { format: 'date-time' } }),
  );

export const id = (): Field<string> =>
  typed(
    Joi.string()
      .pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
      .meta({ jsonSchema: { format: 'uuid' } }),
  );

export const address = (): Field<string> => typed(Joi.string().meta({ jsonSchema: { format: 'uri' } }));

export const MAX_VARIABLES = 100;

/** Limit for all variables of a call together, as JSON. */
export const MAX_VARIABLES_BYTES = 16 * 1024;

export const variablesBytes = (variables: object): number => Buffer.byteLength(JSON.stringify(variables));

/**
 * Variables of a call, from the `metadata` of a dispatch or from a contact row. Their size is limited because lists of calls and contacts
 * contain them.
 */
export const callVariables = (): Field<JsonObject> =>
  typed(
    freeObject(MAX_VARIABLES).custom((given: JsonObject, helpers) =>
      variablesBytes(given) > MAX_VARIABLES_BYTES
        ? helpers.error('object.bytes', { limit: MAX_VARIABLES_BYTES })
        : given,
    ),
  );
