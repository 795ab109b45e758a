/** The language model that the agent requests, a client's own server included. */
import type { llm } from '@livekit/agents';
import { createCustomLlm } from '../custom-llm/create-custom-llm';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';
import type { Brief } from '../platform/brief';
import { languageModelFor } from '../providers';
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
  const { llm: model, missing } = languageModelFor(brief, settings.speech, (request) =>
    createCustomLlm(request, {
      firstTokenWithinMs: settings.customLlmFirstTokenMs,
      guard,
      log,
      onEndCall,
    }),
  );
  return { model, missing: missing.map(({ why }) => why) };
}
