/** The kinds of field in JSON bodies and responses. Values are never converted between JSON types. */
import Joi from 'joi';
import { PATTERNS } from '../../../domain/agent-config/forms';
import type { JsonObject } from '../../../domain/json';
import { isLonger } from '../../../domain/json-faults';
import { typed, type Field } from './field';

/** Format of a body. A form can hold neither null nor numbers. */
export type Notation = 'json' | 'form';

/** May be empty. */
export const text = (): Field<string> => typed(Joi.string().allow(''));

/** Counts characters as people do; joi's own `max` counts an emoji as two. */
export const atMost = (schema: Joi.StringSchema, most: number): Joi.StringSchema =>
  schema
    .custom((given: string, helpers) =>
      isLonger(given, most) ? helpers.error('string.max', { limit: most }) : given,
    )
    .meta({ jsonSchema: { maxLength: most } });

/** May be empty. */
export const textUpTo = (most: number): Field<string> => typed(atMost(Joi.string().allow(''), most));

export const nonEmptyText = (most: number): Field<string> => typed(atMost(Joi.string(), most));

export const notBlank = (most: number): Field<string> =>
  typed(
    atMost(Joi.string(), most)
      .pattern(/\S/)
      .messages({ 'string.pattern.base': 'must not be blank' })
      .meta({ jsonSchema: { pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' } }),
  );

/** Accepts strict E.164 only. */
export const phoneNumber = (): Joi.StringSchema =>
  Joi.string()
    .pattern(PATTERNS.e164)
    .messages({ 'string.pattern.base': 'must be an E.164 number, such as +919876543210' });

export const oneOf = <T extends string>(...values: T[]): Field<T> => typed(Joi.string().valid(...values));

export const flag = (): Field<boolean> => typed(Joi.boolean());

export const integer = (least?: number, most?: number): Field<number> =>
  typed(bounded(Joi.number().integer(), least, most));

export const number = (least?: number, most?: number): Field<number> =>
  typed(bounded(Joi.number(), least, most));

function bounded(schema: Joi.NumberSchema, least?: number, most?: number): Joi.NumberSchema {
  const fromBelow = least === undefined ? schema : schema.min(least);
  return most === undefined ? fromBelow : fromBelow.max(most);
}

/** An object with arbitrary keys, at most `most` of them. */
export const freeObject = (most?: number): Field<JsonObject> => {
  const schema = Joi.object().unknown(true);
  return typed(most === undefined ? schema : schema.max(most));
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
