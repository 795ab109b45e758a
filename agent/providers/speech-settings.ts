import type { ModelKind } from '../../workflows/domain/usage-cost';
import type { Endpoint } from './endpoints';
import type { ModelName } from './model-name';

/** The keys of speech and language providers, and the defaults for agents that name no available provider. */
export interface SpeechSettings {
  /** By provider: the OpenAI-compatible ones, `openai` among them. */
  endpoints: Readonly<Record<string, Endpoint>>;
  /** By provider. */
  keys: Readonly<Record<'deepgram' | 'elevenlabs' | 'cartesia' | 'sarvam', string | null>>;
  defaults: Readonly<Record<ModelKind, ModelName | null>>;
}
