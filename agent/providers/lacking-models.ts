import { LOCAL } from './model-name';
import { KEYED_PROVIDERS, keyVariable, type SpeechSettings } from './speech-settings';

const DEFAULTS = [
  ['stt', 'AGENT_STT'],
  ['llm', 'AGENT_LLM'],
  ['tts', 'AGENT_TTS'],
] as const;

const NO_PROVIDER =
  'No agent can hear or speak: set AGENT_STT, AGENT_LLM and AGENT_TTS, and the key of their providers, such as OPENAI_API_KEY';

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
