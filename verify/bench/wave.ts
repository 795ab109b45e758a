/** Silence and resampling of 16-bit samples. */
import { AudioFrame, AudioResampler, AudioResamplerQuality } from '@livekit/rtc-node';
import { joined } from '../../agent/audio/pcm';

export const silence = (ms: number, sampleRate: number): Int16Array =>
  new Int16Array(Math.round((sampleRate * ms) / 1000));

/** Converts samples to another rate. Removes frequencies above what the lower rate can represent. */
export function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const resampler = new AudioResampler(from, to, 1, AudioResamplerQuality.HIGH);
  try {
    const frames = resampler.push(new AudioFrame(samples, from, 1, samples.length));
    return joined([...frames, ...resampler.flush()].map(({ data }) => Int16Array.from(data)));
  } finally {
    resampler.close();
  }
}
