/**
 * The agent's outgoing audio: its speech frame by frame, mixed with background noise, for the whole conversation. Audio that is queued in
 * the room is played a moment later, and can be dropped until then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mixed, type BackgroundNoise } from '../../audio/background-noise';
import { msOf, samplesIn, type Samples } from '../../audio/pcm';
import type { ConversationRoom } from '../state/room-port';

const FRAME_MS = 20;
/** Speech that is there is queued in frames of up to so many milliseconds: each costs as much of the processor, whatever its length. */
const LONG_FRAME_MS = 60;
/** Noise alone is queued no further ahead than this: speech is queued behind it. */
const NOISE_AHEAD_MS = 40;
/** The limit of speech that waits here. */
const MOST_WAITING_MS = 400;
/** More than a room queues. */
const MOST_QUEUED_FRAMES = 25;

export type AudioSink = Pick<ConversationRoom, 'send' | 'queuedMs' | 'clearQueue'>;

export interface MixerListener {
  /** Called with each frame as it is queued. */
  sent: (samples: Samples, speechMs: number) => void;
  /** So much was dropped from the end of the queue. */
  dropped: (ms: number) => void;
}

export class OutputMixer {
  private waiting: Samples[] = [];
  private waitingSamples = 0;
  private wake: (() => void) | null = null;
  private readonly capacityListeners = new Set<() => void>();
  private isStopped = false;
  private isPaused = false;
  /** The speech of the frames that may still be queued, the newest last; null for noise alone. */
  private queued: (Samples | null)[] = [];
  readonly done: Promise<void>;

  constructor(
    private readonly sink: AudioSink,
    private readonly listener: MixerListener,
    private readonly noise: BackgroundNoise | null = null,
  ) {
    this.done = this.run();
  }

  /** Speech that was written and is not queued yet. */
  get waitingMs(): number {
    return msOf(this.waitingSamples);
  }

  /** Resolves when there is capacity for more; at once while speech is paused, or the SDK could not interrupt it. */
  async write(samples: Samples): Promise<void> {
    if (this.isStopped) return;
    this.waiting.push(samples);
    this.waitingSamples += samples.length;
    this.wake?.();
    while (this.waitingMs > MOST_WAITING_MS && !this.isPaused && !this.isStopped)
      await new Promise<void>((resolve) => this.capacityListeners.add(resolve));
  }

  /** Drops all speech that is not played yet. */
  clear(): void {
    this.waiting = [];
    this.waitingSamples = 0;
    this.dropQueue();
    this.notifyCapacity();
  }

  /** Speech is silent at once. Returns how much of what was queued waits here again, in milliseconds. */
  pause(): number {
    if (this.isPaused) return 0;
    this.isPaused = true;
    const unplayed = this.dropQueue();
    this.waiting.unshift(...unplayed);
    const samples = unplayed.reduce((sum, { length }) => sum + length, 0);
    this.waitingSamples += samples;
    this.notifyCapacity();
    return msOf(samples);
  }

  resume(): void {
    this.isPaused = false;
    this.wake?.();
  }

  /** Noise and speech end. */
  stop(): void {
    this.isStopped = true;
    this.clear();
    this.wake?.();
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      const speech = this.isPaused ? null : this.take();
      if (speech === null && this.noise === null) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        this.wake = null;
        continue;
      }
      if (speech === null && this.sink.queuedMs > NOISE_AHEAD_MS) {
        await sleep(FRAME_MS / 2);
        continue;
      }
      const behind = this.noise?.next(speech?.length ?? samplesIn(FRAME_MS)) ?? null;
      const frame = speech === null ? behind : behind === null ? speech : mixed(speech, behind);
      if (frame === null) continue;
      this.remember(speech);
      this.listener.sent(frame, speech === null ? 0 : msOf(speech.length));
      await this.sink.send(frame);
    }
  }

  /** In frames of `FRAME_MS`. */
  private remember(speech: Samples | null): void {
    const length = samplesIn(FRAME_MS);
    const frames: (Samples | null)[] = speech === null ? [null] : [];
    for (let at = 0; at < (speech?.length ?? 0); at += length)
      frames.push(speech?.subarray(at, at + length) ?? null);
    this.queued = [...this.queued.slice(-MOST_QUEUED_FRAMES), ...frames];
  }

  /** Returns the speech that was not played. A frame that was played in part is played again. */
  private dropQueue(): Samples[] {
    const frames = Math.ceil(this.sink.queuedMs / FRAME_MS);
    const unplayed = frames === 0 ? [] : this.queued.slice(-frames);
    this.queued = [];
    this.sink.clearQueue();
    this.listener.dropped(unplayed.length * FRAME_MS);
    return unplayed.filter((speech) => speech !== null);
  }

  /** Whole frames of `FRAME_MS`; the last one of speech is padded with silence. */
  private take(): Samples | null {
    if (this.waitingSamples === 0) return null;
    const whole = this.waitingSamples - (this.waitingSamples % samplesIn(FRAME_MS));
    const length = Math.min(Math.max(whole, samplesIn(FRAME_MS)), samplesIn(LONG_FRAME_MS));
    const frame = new Int16Array(length);
    let filled = 0;
    while (filled < length) {
      const [first] = this.waiting;
      if (first === undefined) break;
      const part = first.subarray(0, length - filled);
      frame.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.waiting.shift();
      else this.waiting[0] = first.subarray(part.length);
    }
    this.waitingSamples -= filled;
    this.notifyCapacity();
    return frame;
  }

  private notifyCapacity(): void {
    const waiting = [...this.capacityListeners];
    this.capacityListeners.clear();
    for (const notify of waiting) notify();
  }
}
