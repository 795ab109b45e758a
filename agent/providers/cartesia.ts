import { STT, TTS } from '@livekit/agents-plugin-cartesia';
import { bareLanguage, recognitionLanguage } from './languages';
import { apiKeyOf, type Provider, numberIn, textsIn, voiceOf } from './provider';

const VOICES = {
  female: '794f9389-aac1-45b6-b726-9d9369183238',
  male: 'a0e99841-438c-4a64-b679-ae501e7d6091',
};
const DEFAULTS = { stt: 'ink-whisper', tts: 'sonic-3' } as const;
const SPEEDS = { min: 0.6, max: 1.5 } as const;
const VOLUMES = { min: 0.5, max: 2 } as const;

/** Ignores `keywords`, because Cartesia's recogniser has no keyword boost. */
export const cartesia: Provider = {
  stt(request) {
    const key = apiKeyOf('cartesia', request);
    if ('missing' in key) return key;
    const { requested, languages } = request;
    const language = recognitionLanguage(requested.fields.language, languages);
    return new STT({
      ...key,
      model: requested.model ?? DEFAULTS.stt,
      ...(language !== null && { language: bareLanguage(language) }),
    });
  },

  tts(request) {
    const key = apiKeyOf('cartesia', request);
    if ('missing' in key) return key;
    const { requested, callContext, languages } = request;
    const voice = voiceOf(requested, callContext.session, VOICES);
    const speed = numberIn(voice.speed, SPEEDS);
    const volume = numberIn(voice.config.volume, VOLUMES);
    const emotion = textsIn(voice.config.emotion);
    return new TTS({
      ...key,
      model: requested.model ?? DEFAULTS.tts,
      ...(voice.id !== null && { voice: voice.id }),
      ...(languages.first !== null && { language: bareLanguage(languages.first) }),
      ...(speed !== null && { speed }),
      ...(volume !== null && { volume }),
      ...(emotion.length > 0 && { emotion }),
    });
  },
};
