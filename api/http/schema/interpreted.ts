import Joi from 'joi';
import { typed, type Field } from './field';
import type { Broken } from './messages';

/** What a value is read as, or the rule that it breaks. */
export type Interpretation<T> = { value: T } | Broken;

/** A check that is code, and what the document says of the value it takes. */
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
