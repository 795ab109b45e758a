import { STT, TTS } from '@livekit/agents-plugin-deepgram';
import { recognitionLanguage } from './languages';
import { apiKeyOf, type Provider, numberIn, voiceOf } from './provider';
import { SpeechTokenizer } from './speech-pieces';

const VOICES = { female: 'aura-2-thalia-en', male: 'aura-2-apollo-en' };
const DEFAULTS = { stt: 'nova-3', tts: 'aura-2-thalia-en' } as const;
/** Recognises several languages in one stream. Models since nova-2 support it. */
const MANY = 'multi';
const SPEEDS = { min: 0.7, max: 1.5 } as const;

export const deepgram: Provider = {
  stt(request) {
    const key = apiKeyOf('deepgram', request);
    if ('missing' in key) return key;
    const { requested, languages } = request;
    const model = requested.model ?? DEFAULTS.stt;
    const { keywords } = requested.fields;
    const language = recognitionLanguage(requested.fields.language, languages);
    return new STT({
      ...key,
      model,
      language: languages.detects || languages.second !== null ? MANY : (language ?? 'en'),
      // Newer models take a list of terms, older ones take words with weights.
      ...(model.startsWith('nova-3')
        ? { keyterm: [...keywords] }
        : { keywords: keywords.map((word): [string, number] => [word, 1.5]) }),
    });
  },

  tts(request) {
    const key = apiKeyOf('deepgram', request);
    if ('missing' in key) return key;
    const { requested, callContext } = request;
    const voice = voiceOf(requested, callContext.session, VOICES);
    const speed = numberIn(voice.speed, SPEEDS);
    // At Deepgram, each voice is a separate model.
    const model = voice.id ?? requested.model ?? DEFAULTS.tts;
    const sentenceTokenizer = new SpeechTokenizer();
    return new TTS({ ...key, model, sentenceTokenizer, ...(speed !== null && { speed }) });
  },
};
