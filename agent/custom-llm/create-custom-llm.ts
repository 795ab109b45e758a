import type { ModelRequest, ModelResult } from '../providers/provider';
import { CustomLlm, type CustomLlmOptions } from './custom-llm';
import { requestBodyOf } from './request-body';

export type CustomLlmDependencies = Pick<
  CustomLlmOptions,
  'firstTokenWithinMs' | 'guard' | 'log' | 'onEndCall'
>;

/** Connects the organization's own server, as named in the agent's configuration. */
export function createCustomLlm(
  { requested, callContext }: Pick<ModelRequest<'llm'>, 'requested' | 'callContext'>,
  dependencies: CustomLlmDependencies,
): ModelResult<CustomLlm> {
  const { url, auth_token: token } = requested.fields;
  if (url === '' || callContext.customLlm === null) return { missing: 'the custom server has no address' };
  return new CustomLlm({
    ...dependencies,
    url,
    authToken: token === '' ? null : token,
    callId: callContext.callId,
    requestBody: requestBodyOf(callContext.customLlm),
  });
}
