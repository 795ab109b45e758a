/** A caller who plays recorded speech into a room: a participant whose two tracks, what it says and what it hears, are measured. */
import { setTimeout as delay } from 'node:timers/promises';
import { AudioFrame, AudioStream, type RemoteAudioTrack } from '@livekit/rtc-node';
import { RoomLine } from '../../../dev/talk/caller/room-line';
import { TrackLoudness } from './loudness';
import type { Tracks } from './probes';
import { AUDIBLE } from './spans';

const FRAME_MS = 20;
/** More than the event loop stands still. */
const QUEUE_MS = 80;
const HEARD_RATE = 16_000;
const LOOK_EVERY_MS = 10;

export class Caller {
  private readonly line: RoomLine;
  private readonly said = new TrackLoudness();
  private readonly heard = new TrackLoudness();
  private readonly toSay: Int16Array[] = [];
  private audibleAtMs: number | null = null;
  private hasLeft = false;

  /** `sampleRate` is the microphone's. */
  private constructor(private readonly sampleRate: number) {
    this.line = new RoomLine({ sampleRate, queueMs: QUEUE_MS, listen: (track) => this.listen(track) });
  }

  static async join(url: string, token: string, sampleRate: number): Promise<Caller> {
    const caller = new Caller(sampleRate);
    await caller.line.join(url, token);
    void caller.runMicrophone().catch(() => undefined);
    return caller;
  }

  get tracks(): Tracks {
    return { caller: this.said, agent: this.heard };
  }

  /** Resolves once the last of the samples, which have the microphone's rate, is played. */
  async say(samples: Int16Array): Promise<void> {
    const length = this.samplesIn(FRAME_MS);
    for (let at = 0; at < samples.length; at += length) {
      const frame = new Int16Array(length);
      frame.set(samples.subarray(at, at + length));
      this.toSay.push(frame);
    }
    while (this.toSay.length > 0 && !this.hasLeft) await delay(LOOK_EVERY_MS);
    await delay(this.line.microphone.queuedDuration);
  }

  /** Whether the agent was heard since `sinceMs`, within the limit. Resolves at once when it is. */
  untilHeard(sinceMs: number, limitMs: number): Promise<boolean> {
    return this.until(() => this.audibleAtMs !== null && this.audibleAtMs >= sinceMs, limitMs);
  }

  /** Whether the agent has been silent for so long, within the limit. */
  untilSilent(silentMs: number, limitMs: number): Promise<boolean> {
    return this.until(() => performance.now() - (this.audibleAtMs ?? 0) > silentMs, limitMs);
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
    await this.line.leave();
  }

  private async until(holds: () => boolean, limitMs: number): Promise<boolean> {
    const untilMs = performance.now() + limitMs;
    while (!holds()) {
      if (performance.now() > untilMs || this.hasLeft) return false;
      await delay(LOOK_EVERY_MS);
    }
    return true;
  }

  /** A microphone goes on when nobody speaks. */
  private async runMicrophone(): Promise<void> {
    const { microphone } = this.line;
    const length = this.samplesIn(FRAME_MS);
    while (!this.hasLeft) {
      const frame = this.toSay.shift() ?? new Int16Array(length);
      this.said.add(frame, this.sampleRate, performance.now() + microphone.queuedDuration);
      await microphone.captureFrame(new AudioFrame(frame, this.sampleRate, 1, length));
    }
  }

  private async listen(track: RemoteAudioTrack): Promise<void> {
    const stream = new AudioStream(track, { sampleRate: HEARD_RATE, numChannels: 1, frameSizeMs: FRAME_MS });
    for await (const { data } of stream) {
      const nowMs = performance.now();
      this.heard.add(Int16Array.from(data), HEARD_RATE, nowMs - FRAME_MS);
      if ((this.heard.last?.loudness ?? 0) >= AUDIBLE) this.audibleAtMs = nowMs;
    }
  }

  private samplesIn(ms: number): number {
    return (this.sampleRate * ms) / 1000;
  }
}
