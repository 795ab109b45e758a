/** Creates the language model that the agent requests, including an organization's own server. */
import { initializeLogger, type llm } from '@livekit/agents';
import { CustomServer } from '../custom-llm/custom-llm';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';
import type { CallContext } from '../platform/call-context';
import { languageModelFor } from '../providers';
import type { ModelSettings } from '../settings';

export interface LanguageModelChoice {
  model: llm.LLM | null;
  /** Why no model is available, for the operator. */
  missing: string[];
  /** The organization's own server, if the agent's configuration names one. */
  server: CustomServer;
}

export function languageModelOf(
  callContext: CallContext,
  settings: ModelSettings,
  { guard, log }: { guard: Guard; log: Log },
): LanguageModelChoice {
  // The SDK requires a logger before a model is created. It is silent because its lines contain what was said.
  initializeLogger({ pretty: false, level: 'silent' });
  const server = new CustomServer({ guard, log, firstTokenWithinMs: settings.customLlmFirstTokenMs });
  const { llm: model, missing } = languageModelFor(callContext, settings.speech, server.create);
  return { model, missing: missing.map(({ why }) => why), server };
}
