/** The language model that the agent requests, a client's own server included. */
import { initializeLogger, type llm } from '@livekit/agents';
import { CustomServer } from '../custom-llm/custom-server';
import type { Log } from '../log';
import type { Guard } from '../network/guarded-agent';
import type { Brief } from '../platform/brief';
import { languageModelFor } from '../providers';
import type { ModelSettings } from '../settings';

export interface LanguageModelChoice {
  model: llm.LLM | null;
  /** Why none is available, for the operator. */
  missing: string[];
  /** The client's own server, where the agent's configuration names one. */
  server: CustomServer;
}

export function languageModelOf(
  brief: Brief,
  settings: ModelSettings,
  { guard, log }: { guard: Guard; log: Log },
): LanguageModelChoice {
  // The SDK requires a logger before a model is built. It stays silent, because its lines contain what was said.
  initializeLogger({ pretty: false, level: 'silent' });
  const server = new CustomServer({ guard, log, firstTokenWithinMs: settings.customLlmFirstTokenMs });
  const { llm: model, missing } = languageModelFor(brief, settings.speech, server.create);
  return { model, missing: missing.map(({ why }) => why), server };
}
