/** Simulates a caller in a browser session without a browser. It plays audio into its microphone and records what it hears. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  AudioFrame,
  AudioStream,
  RemoteAudioTrack,
  AudioSource,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import Joi from 'joi';
import type { ApiClient } from '../../demo/api-client';

/** Sample rates of the local voice and of the recording. */
export const VOICE_RATE = 24_000;
const HEARD_RATE = 16_000;
const FRAME_MS = 20;
/** Short, so that samples are sent soon after they are queued. */
const QUEUE_MS = 60;
/** A hundredth of full scale. A quiet line is below this level, and any voice is far above it. */
const AUDIBLE = 328;
/** Longer than the pause between two sentences that a busy machine synthesises in sequence. */
const TURN_IS_OVER_MS = 2_500;
const CHECK_EVERY_MS = 20;

const JOINED = Joi.object<{ token: string; connection_url: string }>({
  token: Joi.string().required(),
  connection_url: Joi.string().required(),
});

export class RoomCaller {
  private readonly line = new RoomLine({
    sampleRate: VOICE_RATE,
    queueMs: QUEUE_MS,
    listen: (track) => this.listen(track),
  });
  private readonly toSay: Int16Array[] = [];
  private heard: Int16Array[] = [];
  private firstAtMs: number | null = null;
  private lastAtMs: number | null = null;
  private isGone = false;

  /** Starts a session with the agent in English and joins its room. */
  static async call(api: ApiClient, agentId: string): Promise<RoomCaller> {
    // The API's default is Hindi.
    const request = { agent_id: agentId, medium: 'webrtc', primary_language: 'en' };
    const session = await api.post('/api/trigger-call/', request, JOINED);
    const caller = new RoomCaller();
    await caller.line.join(session.connection_url, session.token);
    void caller.runMicrophone().catch(() => undefined);
    return caller;
  }

  /**
   * Plays samples at `VOICE_RATE` and discards the recording so far. Returns the time of the last audible sample, by `performance.now()`.
   */
  async say(samples: Int16Array): Promise<number> {
    const length = (VOICE_RATE * FRAME_MS) / 1000;
    const last = samples.findLastIndex((sample) => Math.abs(sample) > AUDIBLE);
    this.forget();
    for (let at = 0; at <= last; at += length) {
      const frame = new Int16Array(length);
      frame.set(samples.subarray(at, Math.min(at + length, last + 1)));
      this.toSay.push(frame);
    }
    while (this.toSay.length > 0 && !this.isGone) await delay(FRAME_MS / 4);
    return performance.now() + this.line.microphone.queuedDuration;
  }

  /**
   * Waits until the agent has spoken and is quiet again. Returns when the agent was first heard after the caller spoke, or null if it
   * stayed silent.
   */
  async untilAnswered(limitMs: number): Promise<number | null> {
    const until = performance.now() + limitMs;
    while (performance.now() < until && !this.isGone) {
      if (this.lastAtMs !== null && performance.now() - this.lastAtMs > TURN_IS_OVER_MS) break;
      await delay(CHECK_EVERY_MS);
    }
    return this.firstAtMs;
  }

  /** Returns the sound since the caller last spoke, as samples at `HEARD_RATE`. */
  recording(): Int16Array {
    const all = new Int16Array(this.heard.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.heard) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  async leave(): Promise<void> {
    if (this.isGone) return;
    this.isGone = true;
    await this.line.leave();
  }

  private forget(): void {
    this.heard = [];
    this.firstAtMs = null;
    this.lastAtMs = null;
  }

  /** A microphone also sends frames during silence. */
  private async runMicrophone(): Promise<void> {
    const length = (VOICE_RATE * FRAME_MS) / 1000;
    while (!this.isGone) {
      const frame = this.toSay.shift() ?? new Int16Array(length);
      await this.line.microphone.captureFrame(new AudioFrame(frame, VOICE_RATE, 1, length));
    }
  }

  private async listen(track: RemoteAudioTrack): Promise<void> {
    const stream = new AudioStream(track, { sampleRate: HEARD_RATE, numChannels: 1, frameSizeMs: FRAME_MS });
    for await (const { data } of stream) {
      this.heard.push(Int16Array.from(data));
      if (!data.some((sample) => Math.abs(sample) > AUDIBLE)) continue;
      this.lastAtMs = performance.now();
      this.firstAtMs ??= this.lastAtMs;
    }
  }
}

const CHANNELS = 1;

class RoomLine {
  /** Frames captured here are sent to the room. */
  readonly microphone: AudioSource;
  private readonly room = new Room();

  constructor(options: {
    /** Sample rate of the microphone. */
    sampleRate: number;
    /** Amount of audio that can be queued. */
    queueMs: number;
    /** Receives the other participants' audio. */
    listen: (track: RemoteAudioTrack) => Promise<void>;
  }) {
    this.microphone = new AudioSource(options.sampleRate, CHANNELS, options.queueMs);
    this.room.on(RoomEvent.TrackSubscribed, (track) => {
      if (track instanceof RemoteAudioTrack) void options.listen(track).catch(() => undefined);
    });
    // Without a handler, the library logs every caption.
    this.room.registerTextStreamHandler('lk.transcription', () => undefined);
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('microphone', this.microphone);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await this.room.localParticipant?.publishTrack(track, options);
  }

  async leave(): Promise<void> {
    await this.room.disconnect();
    await this.microphone.close();
  }
}
