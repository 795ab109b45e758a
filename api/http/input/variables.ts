/** The variables of one call, from a dispatch's `metadata` or a row of a contact file: they are bounded, as pages of calls and contacts hold them. */

export const MAX_VARIABLES = 100;

/** Of all of them as JSON. */
export const MAX_VARIABLES_BYTES = 16 * 1024;

export const variablesBytes = (variables: object): number => Buffer.byteLength(JSON.stringify(variables));
