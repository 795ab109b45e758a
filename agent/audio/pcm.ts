/** The audio format of the agent: mono, 16-bit samples. */
export const SAMPLE_RATE = 16_000;

export type Samples = Int16Array;

export const samplesIn = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1000);
export const msOf = (samples: number): number => (samples * 1000) / SAMPLE_RATE;

/** About -45 dB below full scale: above the level of a quiet line or a muted microphone, below a voice. */
const QUIET = 180;

/** Whether the samples are louder than line noise. */
export function isAudible(samples: Samples): boolean {
  if (samples.length === 0) return false;
  let power = 0;
  for (const sample of samples) power += sample * sample;
  return power > QUIET * QUIET * samples.length;
}
