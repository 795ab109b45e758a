import { AudioFrame, type AudioSource } from '@livekit/rtc-node';

export const TONE_RATE_HZ = 16_000;
export const TONE_CHANNELS = 1;
const FRAME_MS = 100;
const PITCH_HZ = 300;
const LOUDNESS = 8_000;
/** A voice swells about four times a second. Speech detectors ignore a steady tone. */
const SYLLABLES_HZ = 4;
const SECOND_OF_TONE = secondOfTone();

/** The sound of the person on the phone, audible but without words. */
export class Tone {
  private isPlaying = false;
  private frames = 0;

  constructor(private readonly source: AudioSource) {}

  start(): void {
    if (this.isPlaying) return;
    this.isPlaying = true;
    void this.play();
  }

  stop(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.source.clearQueue();
  }

  /** The source buffers one second and delays further frames. */
  private async play(): Promise<void> {
    while (this.isPlaying) {
      try {
        await this.source.captureFrame(this.nextFrame());
      } catch {
        // The source was closed during a frame, so the leg is over.
        return;
      }
    }
  }

  private nextFrame(): AudioFrame {
    const samples = (TONE_RATE_HZ * FRAME_MS) / 1000;
    const start = (this.frames % (1000 / FRAME_MS)) * samples;
    this.frames += 1;
    return new AudioFrame(SECOND_OF_TONE.slice(start, start + samples), TONE_RATE_HZ, TONE_CHANNELS, samples);
  }
}

function secondOfTone(): Int16Array {
  const turn = (2 * Math.PI) / TONE_RATE_HZ;
  return Int16Array.from({ length: TONE_RATE_HZ }, (_none, index) => {
    const swell = 0.6 - 0.4 * Math.cos(index * turn * SYLLABLES_HZ);
    return Math.round(LOUDNESS * swell * Math.sin(index * turn * PITCH_HZ));
  });
}
