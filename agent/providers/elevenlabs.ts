import { STT, TTS } from '@livekit/agents-plugin-elevenlabs';
import { bareLanguage, recognitionLanguage } from './languages';
import { apiKeyOf, type Provider, numberIn, voiceOf, type Voice } from './provider';

const VOICES = { female: 'EXAVITQu4vr4xnSDxMaL', male: 'JBFqnCBsd6RMkjVDRZzb' };
const DEFAULTS = { stt: 'scribe_v2_realtime', tts: 'eleven_turbo_v2_5' } as const;
const SHARE = { min: 0, max: 1 } as const;
const SPEEDS = { min: 0.7, max: 1.2 } as const;
/** ElevenLabs' defaults for its voices. */
const STABILITY = 0.5;
const SIMILARITY = 0.75;

export const elevenlabs: Provider = {
  stt(request) {
    const key = apiKeyOf('elevenlabs', request);
    if ('missing' in key) return key;
    const { requested, languages } = request;
    const language = recognitionLanguage(requested.fields.language, languages);
    const model = requested.model ?? DEFAULTS.stt;
    return new STT({
      ...key,
      model,
      keyterms: [...requested.fields.keywords],
      ...(language !== null && !languages.detects && { languageCode: bareLanguage(language) }),
      ...(languages.second !== null &&
        model === DEFAULTS.stt && { secondaryLanguages: [bareLanguage(languages.second)] }),
    });
  },

  tts(request) {
    const key = apiKeyOf('elevenlabs', request);
    if ('missing' in key) return key;
    const { requested, callContext, languages } = request;
    const voice = voiceOf(requested, callContext.session, VOICES);
    return new TTS({
      ...key,
      model: requested.model ?? DEFAULTS.tts,
      ...(voice.id !== null && { voiceId: voice.id }),
      ...(languages.first !== null && !languages.detects && { language: bareLanguage(languages.first) }),
      voiceSettings: settingsOf(voice),
    });
  },
};

function settingsOf({ config, speed: requestedSpeed }: Voice) {
  const speed = numberIn(requestedSpeed, SPEEDS);
  const style = numberIn(config.style, SHARE);
  return {
    stability: numberIn(config.stability, SHARE) ?? STABILITY,
    similarity_boost: numberIn(config.similarity_boost, SHARE) ?? SIMILARITY,
    ...(style !== null && { style }),
    ...(typeof config.use_speaker_boost === 'boolean' && { use_speaker_boost: config.use_speaker_boost }),
    ...(speed !== null && { speed }),
  };
}
