/** OpenAI, and every server that speaks its interface: a self-hosted one needs no account. */
import { LLM, STT, TTS } from '@livekit/agents-plugin-openai';
import { textIn } from './untyped';
import { bareLanguage } from './languages';
import type { Making, Provider } from './provider';
import { voiceOf } from './voices';

const USUAL = { stt: 'gpt-4o-mini-transcribe', llm: 'gpt-4.1-mini', tts: 'gpt-4o-mini-tts' } as const;
/** A client insists on a key, also for servers that ask for none. */
const NO_KEY = 'none';

interface Access {
  apiKey: string;
  baseURL?: string;
}

function accessOf({ wanted, settings }: Pick<Making, 'wanted' | 'settings'>): Access | { missing: string } {
  const endpoint = settings.endpoints[wanted.provider];
  if (endpoint === undefined) return { missing: `no address or key of ${wanted.provider} is configured` };
  return { apiKey: endpoint.apiKey ?? NO_KEY, ...(endpoint.url !== null && { baseURL: endpoint.url }) };
}

type OpenAiVoice = NonNullable<NonNullable<ConstructorParameters<typeof TTS>[0]>['voice']>;
/** Any name: the server knows. */
const isVoice = (name: string): name is OpenAiVoice => name !== '';

export const openaiCompatible: Provider = {
  stt(making) {
    const access = accessOf(making);
    if ('missing' in access) return access;
    const { wanted, languages } = making;
    const { keywords, language: own } = wanted.fields;
    const language = own === '' ? languages.first : own;
    return new STT({
      ...access,
      model: wanted.model ?? USUAL.stt,
      // Whole utterances over HTTP: compatible servers have no more.
      useRealtime: false,
      detectLanguage: languages.detects,
      language: language === null || languages.detects ? '' : bareLanguage(language),
      ...(keywords.length > 0 && { prompt: keywords.join(', ') }),
    });
  },

  llm(making) {
    const access = accessOf(making);
    if ('missing' in access) return access;
    const { wanted } = making;
    const { temperature, top_p: topP, max_tokens: maxTokens } = wanted.fields.parameters;
    return new LLM({
      ...access,
      model: wanted.model ?? USUAL.llm,
      ...(temperature !== null && { temperature }),
      ...(topP !== null && { topP }),
      ...(maxTokens !== null && { maxCompletionTokens: maxTokens }),
    });
  },

  tts(making) {
    const access = accessOf(making);
    if ('missing' in access) return access;
    const { wanted, brief } = making;
    const voice = voiceOf(wanted, brief.session);
    const instructions = textIn(voice.config.instructions);
    return new TTS({
      ...access,
      model: wanted.model ?? USUAL.tts,
      // The SDK lists OpenAI's own voices; other servers have others.
      ...(voice.id !== null && isVoice(voice.id) && { voice: voice.id }),
      ...(voice.speed !== null && { speed: voice.speed }),
      ...(instructions !== '' && { instructions }),
    });
  },
};
