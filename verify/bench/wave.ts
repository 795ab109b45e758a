/** Samples of 16 bit: mixed, and brought to another rate. */
import { AudioFrame, AudioResampler, AudioResamplerQuality } from '@livekit/rtc-node';
import { joined } from '../../agent/audio/pcm';

export const silence = (ms: number, sampleRate: number): Int16Array =>
  new Int16Array(Math.round((sampleRate * ms) / 1000));

/** By so many decibels, clipped to the range. */
export function louder(samples: Int16Array, decibels: number): Int16Array {
  const factor = 10 ** (decibels / 20);
  return samples.map((sample) => Math.min(Math.max(Math.round(sample * factor), -32_768), 32_767));
}

/** With the filter that keeps what the lower rate cannot hold from sounding as something else. */
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

/** As a telephone passes it: 8 kHz. */
export const TELEPHONE_RATE = 8_000;
