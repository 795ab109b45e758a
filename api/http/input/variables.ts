/** The variables of one call, from a dispatch's `metadata` or a row of a contact file: they are bounded, as pages of calls and contacts hold them. */
import type { JsonObject } from '../../../domain/json';
import { typed, type Field } from '../schema/field';
import { freeObject } from '../schema/kinds';

export const MAX_VARIABLES = 100;

/** Of all of them as JSON. */
export const MAX_VARIABLES_BYTES = 16 * 1024;

export const variablesBytes = (variables: object): number => Buffer.byteLength(JSON.stringify(variables));

/** As JSON writes them. */
export const callVariables = (): Field<JsonObject> =>
  typed(
    freeObject(MAX_VARIABLES).custom((given: JsonObject, helpers) =>
      variablesBytes(given) > MAX_VARIABLES_BYTES
        ? helpers.error('object.bytes', { limit: MAX_VARIABLES_BYTES })
        : given,
    ),
  );
