import { STT, TTS } from '@livekit/agents-plugin-deepgram';
import { keyOf, type Provider } from './provider';
import { voiceOf } from './voices';

const USUAL = { stt: 'nova-3', tts: 'aura-2-thalia-en' } as const;
/** Several languages in one stream, as its models since nova-2 know it. */
const MANY = 'multi';
const SPEEDS = { least: 0.7, most: 1.5 } as const;

export const deepgram: Provider = {
  stt(making) {
    const key = keyOf('deepgram', making);
    if ('missing' in key) return key;
    const { wanted, languages } = making;
    const model = wanted.model ?? USUAL.stt;
    const { keywords, language: own } = wanted.fields;
    const one = own === '' ? languages.first : own;
    return new STT({
      ...key,
      model,
      language: languages.detects || languages.second !== null ? MANY : (one ?? 'en'),
      // The newer models take terms, the older ones words with a weight.
      ...(model.startsWith('nova-3')
        ? { keyterm: [...keywords] }
        : { keywords: keywords.map((word): [string, number] => [word, 1.5]) }),
    });
  },

  tts(making) {
    const key = keyOf('deepgram', making);
    if ('missing' in key) return key;
    const { wanted, brief } = making;
    const voice = voiceOf(wanted, brief.session);
    const speed = voice.speed === null ? null : Math.min(Math.max(voice.speed, SPEEDS.least), SPEEDS.most);
    // Its voices are its models.
    const model = voice.id ?? wanted.model ?? USUAL.tts;
    return new TTS({ ...key, model, ...(speed !== null && { speed }) });
  },
};
