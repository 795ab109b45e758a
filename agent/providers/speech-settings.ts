import type { ModelKind } from '../../domain/usage-cost';
import type { Endpoint } from './endpoints';
import type { ModelName } from './model-name';

/** Providers with an interface of their own. The key of each is read from `<NAME>_API_KEY`. */
export const KEYED_PROVIDERS = ['deepgram', 'elevenlabs', 'cartesia', 'sarvam'] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

export const keyVariable = (provider: KeyedProvider): string => `${provider.toUpperCase()}_API_KEY`;

/** Keys of speech and language providers, and the defaults for agents that name no available provider. */
export interface SpeechSettings {
  /** OpenAI-compatible servers by provider, including `openai`. */
  endpoints: Readonly<Record<string, Endpoint>>;
  keys: Readonly<Record<KeyedProvider, string | null>>;
  defaults: Readonly<Record<ModelKind, ModelName | null>>;
}
