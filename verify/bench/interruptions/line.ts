/** A line without a network: a caller's microphone and ear, in real time, in place of LiveKit's room. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAudible, msOf, samplesIn, type Samples } from '../../../agent/audio/pcm';
import { RECEIVED_FRAME_MS as FRAME_MS } from '../../../agent/livekit/receive-audio';
import type { ConversationRoom, Participant, RoomEvent } from '../../../agent/session/state/room-port';

/** As LiveKit's room of an agent. */
const QUEUE_MS = 200;
export const CALLER: Participant = { identity: 'web-user', isSip: false, isAgent: false, attributes: {} };

interface Played {
  from: number;
  to: number;
}

export class Line implements ConversationRoom {
  readonly name = 'line';
  readonly identity = 'agent';
  readonly metadata = '';
  /** What is audible of the agent, in order, each until its end; some of it may still be to come. */
  private played: Played[] = [];
  private queuedUntil = 0;
  private waiting: Samples[] = [];
  private isOpen = true;
  private readonly listeners: ((event: RoomEvent) => void)[] = [];

  /** The microphone, frame by frame as the agent receives them, until the line is closed. */
  async run(): Promise<void> {
    const begun = performance.now();
    for (let nth = 0; this.isOpen; nth += 1) {
      const samples = this.waiting.shift() ?? new Int16Array(samplesIn(FRAME_MS));
      for (const listener of this.listeners) listener({ kind: 'audio', participant: CALLER, samples });
      await sleep(Math.max(0, begun + (nth + 1) * FRAME_MS - performance.now()));
    }
  }

  close(): void {
    this.isOpen = false;
  }

  /** Returns when it began, in milliseconds of `performance.now()`. Resolves when all of it was said. */
  async say(samples: Samples): Promise<number> {
    const length = samplesIn(FRAME_MS);
    for (let at = 0; at < samples.length; at += length) this.waiting.push(samples.slice(at, at + length));
    const frames = this.waiting.length;
    // A frame is handed over when its last sample was recorded.
    while (this.waiting.length === frames) await sleep(1);
    const begun = performance.now() - FRAME_MS;
    while (this.waiting.length > 0) await sleep(FRAME_MS / 2);
    return begun;
  }

  /** When the agent was last audible before it was silent for so long, after this instant; null while it is not known. */
  silentFrom(instant: number, gapMs: number): number | null {
    const now = performance.now();
    let end = instant;
    for (const { from, to } of this.played) {
      if (to <= instant) continue;
      if (from > end + gapMs) return end;
      end = to;
    }
    return now > end + gapMs ? end : null;
  }

  /** When the agent was next audible after it fell silent at this instant; null where it was not. */
  nextAudible(instant: number): number | null {
    return this.played.find(({ from }) => from > instant && from <= performance.now())?.from ?? null;
  }

  /** Audible milliseconds since this instant. */
  heardSince(instant: number): number {
    const now = performance.now();
    return this.played.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, now) - Math.max(from, instant)),
      0,
    );
  }

  get queuedMs(): number {
    return Math.max(0, this.queuedUntil - performance.now());
  }

  clearQueue(): void {
    const now = performance.now();
    this.played = this.played.flatMap(({ from, to }) =>
      from >= now ? [] : [{ from, to: Math.min(to, now) }],
    );
    this.queuedUntil = now;
  }

  async send(samples: Samples): Promise<void> {
    const from = Math.max(this.queuedUntil, performance.now());
    this.queuedUntil = from + msOf(samples.length);
    if (isAudible(samples)) this.played.push({ from, to: this.queuedUntil });
    const aheadMs = this.queuedMs - QUEUE_MS;
    if (aheadMs > 0) await sleep(aheadMs);
  }

  listen(listener: (event: RoomEvent) => void): void {
    this.listeners.push(listener);
    listener({ kind: 'participant', participant: CALLER });
  }

  join = nothing;
  publishVoice = nothing;
  publishReady = nothing;
  setAttributes = nothing;
  play = nothing;
  caption = nothing;
  saveMetadata = nothing;
  remove = nothing;
  transfer = nothing;
  delete = nothing;
  leave = nothing;
  hangUp = (): Promise<boolean> => Promise.resolve(true);
  sinceAudioMs = (): Promise<number> => Promise.resolve(0);
}

const nothing = (): Promise<void> => Promise.resolve();
