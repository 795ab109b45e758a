import type { ModelKind } from '../../domain/usage-cost';
import type { Endpoint } from './endpoints';
import type { ModelName } from './model-name';

/** Providers with an interface of their own; the key of each is the variable `<NAME>_API_KEY`. */
export const KEYED_PROVIDERS = ['deepgram', 'elevenlabs', 'cartesia', 'sarvam'] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

export const keyVariable = (provider: KeyedProvider): string => `${provider.toUpperCase()}_API_KEY`;

/** The keys of speech and language providers, and the defaults for agents that name no available provider. */
export interface SpeechSettings {
  /** By provider: the OpenAI-compatible ones, `openai` among them. */
  endpoints: Readonly<Record<string, Endpoint>>;
  keys: Readonly<Record<KeyedProvider, string | null>>;
  defaults: Readonly<Record<ModelKind, ModelName | null>>;
}
