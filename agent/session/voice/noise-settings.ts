import { BackgroundNoise } from '../../audio/sounds';
import type { CallContext } from '../../platform/call-context';

/**
 * Returns the background noise behind the agent's voice. A browser session decides whether there is noise and how loud; the agent's
 * configuration names the sound.
 */
export function backgroundNoiseFor({
  agent,
  session,
}: Pick<CallContext, 'agent' | 'session'>): BackgroundNoise | null {
  const own = agent.config.experience.conversational_experience.bg_noise;
  const isOn = session === null ? own.enabled : session.isBackgroundNoiseOn;
  const sessionVolume = session?.backgroundNoiseVolume ?? null;
  const volume = sessionVolume === null ? own.volume : Math.min(Math.max(sessionVolume / 100, 0), 1);
  return isOn && volume > 0 ? new BackgroundNoise(own.sound, volume) : null;
}
