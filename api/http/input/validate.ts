import type { InputFault } from '../errors/api-error';
import type { Field } from '../schema/field';
import { MESSAGES } from '../schema/messages';
import { ENOUGH_FAULTS } from './faults';

export type InputPlace = 'body' | 'query' | 'path' | 'header';

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
