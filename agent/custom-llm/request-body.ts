import type { CustomLlmBrief } from '../../workflows/domain/call-brief';
import type { JsonObject } from '../../workflows/domain/json';

/** What each turn tells the server of the call. Columns of a contact file cannot pass for the fields that are ours. */
export const requestBodyOf = ({ metadata, ...call }: CustomLlmBrief): JsonObject => ({
  ...metadata,
  ...call,
});
