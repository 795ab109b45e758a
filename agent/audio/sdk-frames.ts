import type { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { SAMPLE_RATE, type Samples } from './pcm';

/**
 * The frame type of `@livekit/agents`. The SDK declares its types twice, for CommonJS and for ES modules, and TypeScript treats the two as
 * different.
 */
export type SdkFrame = Parameters<voice.AudioOutput['captureFrame']>[0];

export function frameOf(samples: Samples, sampleRate = SAMPLE_RATE): SdkFrame {
  const frame: unknown = new AudioFrame(samples, sampleRate, 1, samples.length);
  if (isFrame(frame)) return frame;
  throw new Error('the installed LiveKit packages have different frame types');
}

const isFrame = (value: unknown): value is SdkFrame => value instanceof AudioFrame;

/** Returns the samples of the first channel. */
export function soundOf({ data, channels }: SdkFrame): Samples {
  if (channels <= 1) return data.slice();
  return Int16Array.from({ length: data.length / channels }, (_none, at) => data[at * channels] ?? 0);
}
