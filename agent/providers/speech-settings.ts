/** The providers of speech and language that the environment sets up. */
import type { ModelKind } from '../../domain/usage-cost';

/** A model as the configuration names it: `<provider>/<model>`, or `local`. */
export interface ModelName {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
}

/** This project's speech models, which have OpenAI's interface. */
export const LOCAL = 'local';
/** Providers with an interface of their own. The key of each is read from `<NAME>_API_KEY`. */
export const KEYED_PROVIDERS = ['deepgram', 'elevenlabs', 'cartesia', 'sarvam'] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];
const NAMED = /^OPENAI_COMPATIBLE_([A-Z0-9_]+)_URL$/;
const DEFAULTS = [
  ['stt', 'AGENT_STT'],
  ['llm', 'AGENT_LLM'],
  ['tts', 'AGENT_TTS'],
] as const;
const NO_PROVIDER =
  'No agent can hear or speak: set AGENT_STT, AGENT_LLM and AGENT_TTS, and the key of their providers, such as OPENAI_API_KEY';

/** Returns null for an invalid name. The model part can contain slashes. */
export function parseModelName(text: string): ModelName | null {
  // The local server has one model of each kind, under any name.
  if (text.trim().toLowerCase() === LOCAL) return { provider: LOCAL, model: null };
  const slash = text.indexOf('/');
  const [provider, model] = [text.slice(0, slash).trim().toLowerCase(), text.slice(slash + 1).trim()];
  return slash <= 0 || provider === '' || model === '' ? null : { provider, model };
}

export const keyVariable = (provider: KeyedProvider): string => `${provider.toUpperCase()}_API_KEY`;

/** Keys of speech and language providers, and the defaults for agents that name no available provider. */
export interface SpeechSettings {
  /** OpenAI-compatible servers by provider, including `openai`. */
  endpoints: Readonly<Record<string, Endpoint>>;
  keys: Readonly<Record<KeyedProvider, string | null>>;
  defaults: Readonly<Record<ModelKind, ModelName | null>>;
}

/** An OpenAI-compatible server: OpenAI's own, or one that the environment names. */
interface Endpoint {
  /** Null for OpenAI's own. */
  url: string | null;
  /** Null when the server needs none. */
  apiKey: string | null;
}

/**
 * Returns the endpoints by provider: `local` always, and `openai` when it has a key or an address. `OPENAI_COMPATIBLE_<NAME>_URL` and its
 * `_API_KEY` add the provider `<name>`, with hyphens for underscores; invalid addresses are ignored.
 */
export function readEndpoints(
  env: Readonly<Record<string, string | undefined>>,
  own: Endpoint,
  local: Endpoint,
): Record<string, Endpoint> {
  const named = Object.entries(env).flatMap(([key, url]) => {
    const name = NAMED.exec(key)?.[1];
    if (name === undefined || url === undefined || !URL.canParse(url)) return [];
    const apiKey = env[`OPENAI_COMPATIBLE_${name}_API_KEY`];
    const endpoint: Endpoint = {
      url: url.replace(/\/+$/, ''),
      apiKey: apiKey === '' ? null : (apiKey ?? null),
    };
    return [[providerNamed(name), endpoint] as const];
  });
  const isOwnKnown = own.url !== null || own.apiKey !== null;
  return { ...Object.fromEntries(named), [LOCAL]: local, ...(isOwnKnown && { openai: own }) };
}

const providerNamed = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/**
 * Returns which variables to set when the environment lets no agent speak, or names a default without its key; otherwise null. A language
 * model is not required, because an organization's own server can be the model.
 */
export function lackingModels({ endpoints, keys, defaults }: SpeechSettings): string | null {
  const isKnown = (provider: string): boolean =>
    provider in endpoints || KEYED_PROVIDERS.some((one) => one === provider && keys[one] !== null);
  const faults = DEFAULTS.flatMap(([kind, variable]) => {
    const provider = defaults[kind]?.provider;
    return provider === undefined || isKnown(provider)
      ? []
      : [`${variable} names ${provider}: set ${variableOf(provider)}`];
  });
  if (faults.length > 0) return faults.join('; ');
  const hasProvider = [...Object.keys(endpoints), ...KEYED_PROVIDERS].some(
    (provider) => provider !== LOCAL && isKnown(provider),
  );
  const isSilent = defaults.stt === null || defaults.tts === null;
  return isSilent && !hasProvider ? NO_PROVIDER : null;
}

function variableOf(provider: string): string {
  const keyed = KEYED_PROVIDERS.find((one) => one === provider);
  if (keyed !== undefined) return keyVariable(keyed);
  const name = provider.toUpperCase().replaceAll('-', '_');
  return provider === 'openai' ? 'OPENAI_API_KEY' : `OPENAI_COMPATIBLE_${name}_URL`;
}
