import Joi from 'joi';
import { typed, type Field } from './field';
import type { Broken } from './messages';

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
