/** Reads which speech and language model providers the environment configures. */
import { PROVIDER_KEYS } from '../../config/agent';
import type { Settings } from '../../config/read';
import type { ModelKind } from '../../domain/usage-cost';

/** The name of a model in a setting: `<provider>/<model>`, or `local`. */
export interface ModelName {
  provider: string;
  /** Null for the provider's default. */
  model: string | null;
}

/** The speech server of this project, which has OpenAI's interface. */
export const LOCAL = 'local';
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
  // The local server accepts any model name, because it has one model of each kind.
  if (text.trim().toLowerCase() === LOCAL) return { provider: LOCAL, model: null };
  const slash = text.indexOf('/');
  const [provider, model] = [text.slice(0, slash).trim().toLowerCase(), text.slice(slash + 1).trim()];
  return slash <= 0 || provider === '' || model === '' ? null : { provider, model };
}

/** API keys of the providers with their own interface, by provider. */
type ProviderKeys = Readonly<Settings<typeof PROVIDER_KEYS, 'chat'>>;
export type KeyedProvider = keyof ProviderKeys;

/** The providers' keys, and the default models for agents that name no available provider. */
export interface SpeechSettings {
  /** OpenAI-compatible servers by provider name, including `openai`. */
  endpoints: Readonly<Record<string, Endpoint>>;
  keys: ProviderKeys;
  defaults: Readonly<Record<ModelKind, ModelName | null>>;
}

/** OpenAI's own server or an OpenAI-compatible one. */
interface Endpoint {
  /** Null for OpenAI's own server. */
  url: string | null;
  /** Null when the server needs no key. */
  apiKey: string | null;
}

/**
 * Returns the endpoints by provider: `local` always, and `openai` when it has a key or an address. `OPENAI_COMPATIBLE_<NAME>_URL` and
 * `OPENAI_COMPATIBLE_<NAME>_API_KEY` add a provider with this name, with hyphens in place of underscores. Invalid addresses are ignored.
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
 * Returns which variables to set when no agent could speak, or when a default model lacks its key. Returns null if nothing is missing. A
 * language model is optional, because an organization's own server can replace it.
 */
export function lackingModels({ endpoints, keys, defaults }: SpeechSettings): string | null {
  const isKnown = (provider: string): boolean =>
    provider in endpoints || Object.entries(keys).some(([one, key]) => one === provider && key !== null);
  const faults = DEFAULTS.flatMap(([kind, variable]) => {
    const provider = defaults[kind]?.provider;
    return provider === undefined || isKnown(provider)
      ? []
      : [`${variable} names ${provider}: set ${variableOf(provider)}`];
  });
  if (faults.length > 0) return faults.join('; ');
  const hasProvider = [...Object.keys(endpoints), ...Object.keys(keys)].some(
    (provider) => provider !== LOCAL && isKnown(provider),
  );
  const isSilent = defaults.stt === null || defaults.tts === null;
  return isSilent && !hasProvider ? NO_PROVIDER : null;
}

/** Returns the variable that makes a provider available. */
export function variableOf(provider: string): string {
  const key = Object.entries(PROVIDER_KEYS).find(([, { as }]) => as === provider);
  if (key !== undefined) return key[0];
  const name = provider.toUpperCase().replaceAll('-', '_');
  return provider === 'openai' ? 'OPENAI_API_KEY' : `OPENAI_COMPATIBLE_${name}_URL`;
}
