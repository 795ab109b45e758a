/** Somebody in a browser session who speaks and listens, as a browser does: a participant of the room with a microphone. */
import { setTimeout as delay } from 'node:timers/promises';
import { AudioFrame, AudioStream, type RemoteAudioTrack } from '@livekit/rtc-node';
import { speechLike } from '../../../dev/model-stand-in/speech';
import { RoomLine } from '../../../dev/talk/caller/room-line';

const SAMPLE_RATE = 16_000;
const CHANNELS = 1;
const FRAME_MS = 20;
/** Little, so that what was handed over is said. */
const QUEUE_MS = 100;
/** What a quiet line gives is below it, any voice far above. */
const AUDIBLE = 500;
/** The remote party has ended its turn when it was quiet for so long. */
const TURN_IS_OVER_MS = 900;
const LOOK_EVERY_MS = 20;

export class Caller {
  private readonly line = new RoomLine({
    sampleRate: SAMPLE_RATE,
    queueMs: QUEUE_MS,
    listen: (track) => this.listen(track),
  });
  private heardAtMs: number | null = null;

  static async join(url: string, token: string): Promise<Caller> {
    const caller = new Caller();
    await caller.line.join(url, token);
    return caller;
  }

  /** Speaks, and returns the milliseconds from the end of the last word to the first that is heard; null where nothing is within the limit. */
  async turn(speechMs: number, limitMs: number): Promise<number | null> {
    await this.say(speechLike(speechMs, SAMPLE_RATE));
    const endedAtMs = performance.now();
    const until = endedAtMs + limitMs;
    // A microphone goes on when nobody speaks.
    while (performance.now() < until) {
      await this.say(new Int16Array((SAMPLE_RATE * FRAME_MS) / 1000));
      if (this.heardAtMs !== null && this.heardAtMs >= endedAtMs) return this.heardAtMs - endedAtMs;
    }
    return null;
  }

  /** Until the agent has said something, and nothing more after it. Returns false where that is not within the limit. */
  async untilQuiet(limitMs: number): Promise<boolean> {
    const until = performance.now() + limitMs;
    while (performance.now() < until) {
      if (this.heardAtMs !== null && performance.now() - this.heardAtMs > TURN_IS_OVER_MS) return true;
      await delay(LOOK_EVERY_MS);
    }
    return false;
  }

  async leave(): Promise<void> {
    await this.line.leave();
  }

  /** Resolves when it is said. */
  private async say(samples: Int16Array): Promise<void> {
    const length = (SAMPLE_RATE * FRAME_MS) / 1000;
    for (let at = 0; at < samples.length; at += length) {
      const frame = new Int16Array(length);
      frame.set(samples.subarray(at, at + length));
      await this.line.microphone.captureFrame(new AudioFrame(frame, SAMPLE_RATE, CHANNELS, length));
    }
    await this.line.microphone.waitForPlayout();
  }

  private async listen(track: RemoteAudioTrack): Promise<void> {
    const stream = new AudioStream(track, { sampleRate: SAMPLE_RATE, numChannels: CHANNELS });
    for await (const { data } of stream) {
      if (data.some((sample) => Math.abs(sample) > AUDIBLE)) this.heardAtMs = performance.now();
    }
  }
}
