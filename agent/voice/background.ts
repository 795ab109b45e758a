/** Whether there is a place behind the agent's voice, and which. */
import { valueAt } from '../../workflows/domain/json';
import type { Brief } from '../platform/brief';
import { Noise } from '../sound/noise';
import { numberIn, textIn } from './fields';

const USUAL_SOUND = 'office';
const USUAL_VOLUME = 0.5;
const SHARE = { least: 0, most: 1 } as const;

/** A browser session says for itself whether it wants any, and how loud; which place is the agent's. */
export function noiseFor({ agent, session }: Pick<Brief, 'agent' | 'session'>): Noise | null {
  const stored = valueAt(agent.config, 'experience', 'conversational_experience', 'bg_noise');
  const isOn = session === null ? valueAt(stored, 'enabled') === true : session.isBackgroundNoiseOn;
  const own = numberIn(valueAt(stored, 'volume'), SHARE) ?? USUAL_VOLUME;
  const asked = session?.backgroundNoiseVolume ?? null;
  const volume = asked === null ? own : Math.min(Math.max(asked / 100, 0), 1);
  if (!isOn || volume === 0) return null;
  const sound = textIn(valueAt(stored, 'sound'));
  return new Noise(sound === '' ? USUAL_SOUND : sound, volume);
}
