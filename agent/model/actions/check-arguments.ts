/** Checks the arguments of a tool call against the JSON schema of its action. */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../../../domain/json';
import { rounded } from './exact-numbers';

/** Returns null when the arguments match, otherwise a sentence for the model. */
export type ArgumentCheck = (args: JsonObject) => string | null;

/** The first faults usually cause the others. */
const MOST_FAULTS = 5;

/** Returns null for a schema that cannot be compiled. */
export function argumentCheck(schema: JsonObject): ArgumentCheck | null {
  const validate = compiled(schema);
  if (validate === null) return null;
  return (args) => (validate(rounded(args)) ? null : describe(validate.errors ?? []));
}

function compiled(schema: JsonObject): ValidateFunction | null {
  // Some patterns are only valid without the `u` flag.
  for (const unicodeRegExp of [true, false]) {
    try {
      const options = {
        allErrors: true,
        strict: false,
        validateFormats: false,
        unicodeRegExp,
        logger: false,
      } as const;
      return new Ajv(options).compile(schema);
    } catch {
      // Try without the flag; if that fails too, the action is ignored.
    }
  }
  return null;
}

function describe(errors: readonly ErrorObject[]): string {
  const faults = errors.slice(0, MOST_FAULTS).map(({ instancePath, message = 'is wrong', params }) => {
    const where = instancePath === '' ? 'the arguments' : instancePath.slice(1);
    const detail: unknown = params.allowedValues ?? params.additionalProperty;
    return `${where} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`;
  });
  return `${faults.join('; ')}. Correct the arguments, or ask the caller`;
}
