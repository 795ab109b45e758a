/** The language model that the agent requests, a client's own server included. */
import type { llm } from '@livekit/agents';
import { CustomLlm } from '../custom-llm/custom-llm';
import { requestBodyOf } from '../custom-llm/request-body';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';
import type { Brief } from '../platform/brief';
import { languageModelFor } from '../providers';
import type { ModelResult, ModelRequest } from '../providers/provider';
import type { ModelSettings } from '../settings';

export interface LanguageModelChoice {
  model: llm.LLM | null;
  /** Why none is available, for the operator. */
  missing: string[];
}

export function languageModelOf(
  brief: Brief,
  settings: ModelSettings,
  { guard, log, onEndCall }: { guard: Guard; log: Log; onEndCall: () => void },
): LanguageModelChoice {
  const own = ({ requested }: ModelRequest<'llm'>): ModelResult<llm.LLM> => {
    const { url, auth_token: token } = requested.fields;
    if (url === '' || brief.customLlm === null) return { missing: 'the custom server has no address' };
    return new CustomLlm({
      url,
      authToken: token === '' ? null : token,
      callId: brief.callId,
      requestBody: requestBodyOf(brief.customLlm),
      firstTokenWithinMs: settings.customLlmFirstTokenMs,
      guard,
      log,
      onEndCall,
    });
  };
  const { llm: model, missing } = languageModelFor(brief, settings.speech, own);
  return { model, missing: missing.map(({ why }) => why) };
}
