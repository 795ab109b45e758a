import type { CustomLlmBrief, TurnRequest } from '../../domain/custom-llm-messages';

/** Builds the `req_body` of each turn. The platform's own fields override columns of a contact file with the same name. */
export const requestBodyOf = ({ metadata, ...call }: CustomLlmBrief): TurnRequest['req_body'] => ({
  ...metadata,
  ...call,
});
