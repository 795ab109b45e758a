/**
 * Mixes the agent's speech with background noise, frame by frame, for the whole conversation. Audio in the room's queue is played shortly
 * afterwards and can be dropped until then.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { msOf, samplesIn, type Samples } from '../../audio/pcm';
import { mixed, BackgroundNoise } from '../../audio/sounds';
import type { CallContext } from '../../platform/call-context';
import type { ConversationRoom } from '../state/room-port';

const FRAME_MS = 20;
/** Longest frame of speech to queue. Every frame costs the same CPU time, regardless of its length. */
const LONG_FRAME_MS = 60;
/** How far ahead to queue noise. Speech has to wait until queued noise was played. */
const NOISE_AHEAD_MS = 40;
/** How much speech can wait in the mixer. */
const MAX_WAITING_MS = 400;
/** A room never queues this many frames. */
const MAX_QUEUED_FRAMES = 25;

export type AudioSink = Pick<ConversationRoom, 'send' | 'queuedMs' | 'clearQueue'>;

interface MixerListener {
  /** Called for each frame when it is queued. */
  sent: (samples: Samples, speechMs: number) => void;
  /** Called with the duration of audio that was dropped from the end of the queue. */
  dropped: (ms: number) => void;
}

export class OutputMixer {
  private waiting: Samples[] = [];
  private waitingSamples = 0;
  private wake: (() => void) | null = null;
  private readonly capacityListeners = new Set<() => void>();
  private isStopped = false;
  private isPaused = false;
  /** Speech in the frames that may still be queued, newest last. Null for a frame that is only noise. */
  private queued: (Samples | null)[] = [];
  readonly done: Promise<void>;

  constructor(
    private readonly sink: AudioSink,
    private readonly listener: MixerListener,
    private readonly noise: BackgroundNoise | null = null,
  ) {
    this.done = this.run();
  }

  /** Duration of speech that was written but not queued yet. */
  get waitingMs(): number {
    return msOf(this.waitingSamples);
  }

  /**
   * Resolves when there is room for more. While speech is paused, resolves immediately, because the SDK could not interrupt it otherwise.
   */
  async write(samples: Samples): Promise<void> {
    if (this.isStopped) return;
    this.waiting.push(samples);
    this.waitingSamples += samples.length;
    this.wake?.();
    while (this.waitingMs > MAX_WAITING_MS && !this.isPaused && !this.isStopped)
      await new Promise<void>((resolve) => this.capacityListeners.add(resolve));
  }

  /** Drops all speech that has not been played yet. */
  clear(): void {
    this.waiting = [];
    this.waitingSamples = 0;
    this.dropQueue();
    this.notifyCapacity();
  }

  /** Silences speech immediately. Returns how many milliseconds of queued speech were taken back. */
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

  /** Stops the noise and the speech. */
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

  /** Stores the speech in frames of `FRAME_MS`. */
  private remember(speech: Samples | null): void {
    const length = samplesIn(FRAME_MS);
    const frames: (Samples | null)[] = speech === null ? [null] : [];
    for (let at = 0; at < (speech?.length ?? 0); at += length)
      frames.push(speech?.subarray(at, at + length) ?? null);
    this.queued = [...this.queued.slice(-MAX_QUEUED_FRAMES), ...frames];
  }

  /** Returns the speech that has not been played. A partly played frame is returned whole. */
  private dropQueue(): Samples[] {
    const frames = Math.ceil(this.sink.queuedMs / FRAME_MS);
    const unplayed = frames === 0 ? [] : this.queued.slice(-frames);
    this.queued = [];
    this.sink.clearQueue();
    this.listener.dropped(unplayed.length * FRAME_MS);
    return unplayed.filter((speech) => speech !== null);
  }

  /** Takes whole frames of `FRAME_MS`. Pads the last frame of speech with silence. */
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

/**
 * Returns the background noise of a call, or null. A browser session decides whether there is noise and how loud it is, and the agent's
 * configuration names the sound.
 */
export function backgroundNoiseFor({
  agent,
  session,
}: Pick<CallContext, 'agent' | 'session'>): BackgroundNoise | null {
  const own = agent.config.experience.conversational_experience.bg_noise;
  const isOn = session === null ? own.enabled : session.isBackgroundNoiseOn;
  const sessionVolume = session?.backgroundNoiseVolume ?? null;
  const volume = sessionVolume === null ? own.volume : Math.min(Math.max(sessionVolume / 100, 0), 1);
  return isOn && volume > 0 ? new BackgroundNoise(own.sound, volume) : null;
}
