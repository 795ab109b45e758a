/**
 * Variables of a call, from the `metadata` of a dispatch or from a contact row. Their size is limited because lists of calls and contacts
 * contain them.
 */
import type { JsonObject } from '../../../domain/json';
import { typed, type Field } from '../schema/field';
import { freeObject } from '../schema/kinds';

export const MAX_VARIABLES = 100;

/** Limit for all variables of a call together, as JSON. */
export const MAX_VARIABLES_BYTES = 16 * 1024;

export const variablesBytes = (variables: object): number => Buffer.byteLength(JSON.stringify(variables));

export const callVariables = (): Field<JsonObject> =>
  typed(
    freeObject(MAX_VARIABLES).custom((given: JsonObject, helpers) =>
      variablesBytes(given) > MAX_VARIABLES_BYTES
        ? helpers.error('object.bytes', { limit: MAX_VARIABLES_BYTES })
        : given,
    ),
  );
