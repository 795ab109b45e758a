/** The background noise behind the agent's voice. */
import { BackgroundNoise } from '../../audio/background-noise';
import type { Brief } from '../../platform/brief';

/** A browser session sets whether there is noise, and its volume; the agent's configuration names the profile. */
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
