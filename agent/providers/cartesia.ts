import { STT, TTS } from '@livekit/agents-plugin-cartesia';
import { bareLanguage } from './languages';
import { apiKeyOf, type Provider } from './provider';
import { numberIn, textsIn } from './untyped';
import { voiceOf } from './voices';

const DEFAULTS = { stt: 'ink-whisper', tts: 'sonic-3' } as const;
const SPEEDS = { min: 0.6, max: 1.5 } as const;
const VOLUMES = { min: 0.5, max: 2 } as const;

/** Its recogniser has no keyword boost: `keywords` are ignored. */
export const cartesia: Provider = {
  stt(request) {
    const key = apiKeyOf('cartesia', request);
    if ('missing' in key) return key;
    const { requested, languages } = request;
    const { language: own } = requested.fields;
    const one = own === '' ? languages.first : own;
    return new STT({
      ...key,
      model: requested.model ?? DEFAULTS.stt,
      ...(one !== null && { language: bareLanguage(one) }),
    });
  },

  tts(request) {
    const key = apiKeyOf('cartesia', request);
    if ('missing' in key) return key;
    const { requested, brief, languages } = request;
    const voice = voiceOf(requested, brief.session);
    const volume = numberIn(voice.config.volume, VOLUMES);
    const emotion = textsIn(voice.config.emotion);
    return new TTS({
      ...key,
      model: requested.model ?? DEFAULTS.tts,
      ...(voice.id !== null && { voice: voice.id }),
      ...(languages.first !== null && { language: bareLanguage(languages.first) }),
      ...(voice.speed !== null && { speed: Math.min(Math.max(voice.speed, SPEEDS.min), SPEEDS.max) }),
      ...(volume !== null && { volume }),
      ...(emotion.length > 0 && { emotion }),
    });
  },
};
