import type { voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { SAMPLE_RATE, type Samples } from './pcm';

/** The SDK's packages give their types twice, for either kind of module, and count the two as different: this is the agents' frame. */
export type SdkFrame = Parameters<voice.AudioOutput['captureFrame']>[0];

export function frameOf(samples: Samples, sampleRate = SAMPLE_RATE): SdkFrame {
  const frame: unknown = new AudioFrame(samples, sampleRate, 1, samples.length);
  if (isFrame(frame)) return frame;
  throw new Error('the SDKs do not agree on what a frame is');
}

const isFrame = (value: unknown): value is SdkFrame => value instanceof AudioFrame;

/** Of two voices the first. */
export function soundOf({ data, channels }: SdkFrame): Samples {
  if (channels <= 1) return Int16Array.from(data);
  return Int16Array.from({ length: data.length / channels }, (_none, at) => data[at * channels] ?? 0);
}
