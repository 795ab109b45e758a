/** Whether there is a place behind the agent's voice, and which. */
import type { Brief } from '../../platform/brief';
import { BackgroundNoise } from '../../audio/background-noise';

/** A browser session says for itself whether it wants any, and how loud; which place is the agent's. */
export function backgroundNoiseFor({
  agent,
  session,
}: Pick<Brief, 'agent' | 'session'>): BackgroundNoise | null {
  const own = agent.config.experience.conversational_experience.bg_noise;
  const isOn = session === null ? own.enabled : session.isBackgroundNoiseOn;
  const asked = session?.backgroundNoiseVolume ?? null;
  const volume = asked === null ? own.volume : Math.min(Math.max(asked / 100, 0), 1);
  return isOn && volume > 0 ? new BackgroundNoise(own.sound, volume) : null;
}
