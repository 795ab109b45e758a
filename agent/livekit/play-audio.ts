import { AudioFrame, type AudioSource } from '@livekit/rtc-node';
import { SAMPLE_RATE, samplesIn, type Samples } from '../audio/pcm';

const FRAME_MS = 20;

export const frameOf = (samples: Samples): AudioFrame =>
  new AudioFrame(samples, SAMPLE_RATE, 1, samples.length);

/** Resolves when all samples were played or, if aborted, after the current frame. */
export async function playSamples(voice: AudioSource, samples: Samples, signal: AbortSignal): Promise<void> {
  const length = samplesIn(FRAME_MS);
  for (let at = 0; at < samples.length && !signal.aborted; at += length) {
    const frame = new Int16Array(length);
    frame.set(samples.subarray(at, at + length));
    await voice.captureFrame(frameOf(frame));
  }
  if (signal.aborted) voice.clearQueue();
  else await voice.waitForPlayout();
}
