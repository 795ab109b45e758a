/** The voice that an agent speaks with. */
import type { Brief } from '../platform/brief';
import type { RequestedModel } from './requested-models';
import { numberIn, objectIn, textIn } from './untyped';

export interface Voice {
  /** The provider's name of it; null for its default. */
  id: string | null;
  /** 1 is the voice's default; null when unset. */
  speed: number | null;
  /** The provider's own settings, as stored. */
  config: Readonly<Record<string, unknown>>;
}

type Gender = 'male' | 'female';

/** The default voices when only a gender is requested. */
const BY_GENDER: Readonly<Record<string, Readonly<Record<Gender, string>>>> = {
  openai: { female: 'nova', male: 'onyx' },
  deepgram: { female: 'aura-2-thalia-en', male: 'aura-2-apollo-en' },
  elevenlabs: { female: 'EXAVITQu4vr4xnSDxMaL', male: 'JBFqnCBsd6RMkjVDRZzb' },
  cartesia: { female: '794f9389-aac1-45b6-b726-9d9369183238', male: 'a0e99841-438c-4a64-b679-ae501e7d6091' },
  sarvam: { female: 'anushka', male: 'abhilash' },
};

/**
 * `voice_id` before `voice_name`. A session's gender applies only when the agent has no voice, or one for each gender in `config.voices`;
 * its speed overrides the agent's.
 */
export function voiceOf({ provider, fields }: RequestedModel<'tts'>, session: Brief['session']): Voice {
  const { config, voice_id: id, voice_name: name } = fields;
  const gender = session?.voiceGender ?? null;
  const ofGender = gender === null ? '' : textIn(objectIn(config.voices)[gender]);
  const chosen = [ofGender, id, name].find((voice) => voice !== '');
  const usual = gender === null ? null : ((BY_GENDER[provider] ?? BY_GENDER.openai)?.[gender] ?? null);
  return {
    id: chosen ?? usual,
    speed: session?.voiceSpeed ?? numberIn(config.speed, { min: 0.25, max: 4 }),
    config,
  };
}
