import type { CustomLlmBrief } from '../../workflows/domain/call-brief';
import type { JsonObject } from '../../workflows/domain/json';

/** `req_body` of each turn. The platform's own fields override columns of a contact file with the same name. */
export const requestBodyOf = ({ metadata, ...call }: CustomLlmBrief): JsonObject => ({
  ...metadata,
  ...call,
});
