import { STT, TTS } from '@livekit/agents-plugin-elevenlabs';
import { numberIn } from './untyped';
import { bareLanguage } from './languages';
import { keyOf, type Provider } from './provider';
import { voiceOf, type Voice } from './voices';

const USUAL = { stt: 'scribe_v2_realtime', tts: 'eleven_turbo_v2_5' } as const;
const SHARE = { least: 0, most: 1 } as const;
const SPEEDS = { least: 0.7, most: 1.2 } as const;
/** As its own voices have them. */
const STABILITY = 0.5;
const SIMILARITY = 0.75;

export const elevenlabs: Provider = {
  stt(making) {
    const key = keyOf('elevenlabs', making);
    if ('missing' in key) return key;
    const { wanted, languages } = making;
    const { language: own } = wanted.fields;
    const one = own === '' ? languages.first : own;
    const model = wanted.model ?? USUAL.stt;
    return new STT({
      ...key,
      model,
      keyterms: [...wanted.fields.keywords],
      ...(one !== null && !languages.detects && { languageCode: bareLanguage(one) }),
      ...(languages.second !== null &&
        model === USUAL.stt && { secondaryLanguages: [bareLanguage(languages.second)] }),
    });
  },

  tts(making) {
    const key = keyOf('elevenlabs', making);
    if ('missing' in key) return key;
    const { wanted, brief, languages } = making;
    const voice = voiceOf(wanted, brief.session);
    return new TTS({
      ...key,
      model: wanted.model ?? USUAL.tts,
      ...(voice.id !== null && { voiceId: voice.id }),
      ...(languages.first !== null && !languages.detects && { language: bareLanguage(languages.first) }),
      voiceSettings: settingsOf(voice),
    });
  },
};

function settingsOf({ config, speed }: Voice) {
  const style = numberIn(config.style, SHARE);
  return {
    stability: numberIn(config.stability, SHARE) ?? STABILITY,
    similarity_boost: numberIn(config.similarity_boost, SHARE) ?? SIMILARITY,
    ...(style !== null && { style }),
    ...(typeof config.use_speaker_boost === 'boolean' && { use_speaker_boost: config.use_speaker_boost }),
    ...(speed !== null && { speed: Math.min(Math.max(speed, SPEEDS.least), SPEEDS.most) }),
  };
}
