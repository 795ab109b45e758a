/** Supports OpenAI and every server with OpenAI's interface. A self-hosted server needs no account. */
import { LLM, STT } from '@livekit/agents-plugin-openai';
import { bareLanguage, recognitionLanguage } from './languages';
import { API, OpenAiTts } from './openai-voice';
import { type ModelRequest, type Provider, textIn, voiceOf } from './provider';
import { LOCAL } from './speech-settings';
import { SpokenLlm } from './spoken-llm';

const VOICES = { female: 'nova', male: 'onyx' };
const DEFAULTS = { stt: 'gpt-4o-mini-transcribe', llm: 'gpt-4.1-mini', tts: 'gpt-4o-mini-tts' } as const;
/** Our local server accepts any model name, because it has one model of each kind. */
const LOCAL_DEFAULTS = { stt: 'whisper', tts: 'piper' } as const;
/** The client library requires a key, even for servers that need none. */
const NO_KEY = 'none';
/** Used when the agent names no voice. */
const ANY_VOICE = 'alloy';

interface Access {
  apiKey: string;
  baseURL?: string;
}

function accessOf({
  requested,
  settings,
}: Pick<ModelRequest, 'requested' | 'settings'>): Access | { missing: string } {
  const endpoint = settings.endpoints[requested.provider];
  if (endpoint === undefined) return { missing: `no address or key is configured for ${requested.provider}` };
  return { apiKey: endpoint.apiKey ?? NO_KEY, ...(endpoint.url !== null && { baseURL: endpoint.url }) };
}

const defaultsOf = (provider: string): Record<'stt' | 'tts', string> =>
  provider === LOCAL ? LOCAL_DEFAULTS : DEFAULTS;

export const openaiCompatible: Provider = {
  address: ({ requested, settings }) => settings.endpoints[requested.provider]?.url ?? API,

  stt(request) {
    const access = accessOf(request);
    if ('missing' in access) return access;
    const { requested, languages } = request;
    const { keywords } = requested.fields;
    const language = recognitionLanguage(requested.fields.language, languages);
    return new STT({
      ...access,
      model: requested.model ?? defaultsOf(requested.provider).stt,
      // Compatible servers only recognise whole utterances over HTTP.
      useRealtime: false,
      detectLanguage: languages.detects,
      language: language === null || languages.detects ? '' : bareLanguage(language),
      ...(keywords.length > 0 && { prompt: keywords.join(', ') }),
    });
  },

  llm(request) {
    const access = accessOf(request);
    if ('missing' in access) return access;
    const { requested } = request;
    const { temperature, top_p: topP, max_tokens: maxTokens } = requested.fields.parameters;
    const model = new LLM({
      ...access,
      model: requested.model ?? DEFAULTS.llm,
      ...(temperature !== null && { temperature }),
      ...(topP !== null && { topP }),
      ...(maxTokens !== null && { maxCompletionTokens: maxTokens }),
    });
    // OpenAI's own service never puts reasoning into answers.
    return new SpokenLlm(model, { mayReasonUnmarked: access.baseURL !== undefined });
  },

  tts(request) {
    const access = accessOf(request);
    if ('missing' in access) return access;
    const { requested, callContext } = request;
    const voice = voiceOf(requested, callContext.session, VOICES);
    const instructions = textIn(voice.config.instructions);
    return new OpenAiTts({
      ...access,
      model: requested.model ?? defaultsOf(requested.provider).tts,
      voice: voice.id ?? ANY_VOICE,
      ...(voice.speed !== null && { speed: voice.speed }),
      ...(instructions !== '' && { instructions }),
    });
  },
};

const { stt, tts, address } = openaiCompatible;
/** The local provider supports speech only. It has no language model. */
export const localSpeech: Provider = {
  ...(stt && { stt }),
  ...(tts && { tts }),
  ...(address && { address }),
};
