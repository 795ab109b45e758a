/** The voice that an agent speaks with. */
import type { CallContext } from '../platform/call-context';
import type { RequestedModel } from './requested-models';
import { numberIn, objectIn, textIn } from './untyped';

export interface Voice {
  /** The provider's name for the voice; null for its default. */
  id: string | null;
  /** 1 is the voice's default; null when unset. */
  speed: number | null;
  /** The provider's own settings, as stored. */
  config: Readonly<Record<string, unknown>>;
}

type Gender = 'male' | 'female';

/** A provider's default voices, used when only a gender is requested. */
export type DefaultVoices = Readonly<Record<Gender, string>>;

/**
 * `voice_id` takes precedence over `voice_name`, and a session's speed over the agent's. A session's gender applies only when the agent has
 * no voice, or one for each gender in `config.voices`.
 */
export function voiceOf(
  { fields }: Pick<RequestedModel<'tts'>, 'fields'>,
  session: CallContext['session'],
  voices: DefaultVoices,
): Voice {
  const { config, voice_id: id, voice_name: name } = fields;
  const gender = session?.voiceGender ?? null;
  const ofGender = gender === null ? '' : textIn(objectIn(config.voices)[gender]);
  const chosen = [ofGender, id, name].find((voice) => voice !== '');
  const usual = gender === null ? null : voices[gender];
  return {
    id: chosen ?? usual,
    speed: session?.voiceSpeed ?? numberIn(config.speed, { min: 0.25, max: 4 }),
    config,
  };
}
