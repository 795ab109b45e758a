import type Joi from 'joi';
import { invalidInput } from '../errors/refusals';
import type { InputFault } from '../errors/api-error';

/** Enough to correct a request by. */
const MAX_FAULTS = 100;

export type InputPlace = 'body' | 'query' | 'path' | 'header';

/** The value as the schema leaves it, defaults filled in; throws one refusal that names every fault. */
export function validated<Value>(schema: Joi.ObjectSchema<Value>, input: unknown, place: InputPlace): Value {
  const checked = check(schema, input, place);
  if ('faults' in checked) throw invalidInput(checked.faults);
  return checked.value;
}

export function check<Value>(
  schema: Joi.ObjectSchema<Value>,
  input: unknown,
  place: InputPlace,
): { value: Value } | { faults: InputFault[] } {
  const result = schema.validate(input, {
    abortEarly: false,
    convert: false,
    errors: { label: false },
    stripUnknown: true,
  });
  if (result.error === undefined) return { value: result.value };
  const faults = result.error.details
    .slice(0, MAX_FAULTS)
    .map((detail) => ({ loc: [place, ...detail.path], msg: detail.message, type: detail.type }));
  return { faults };
}
