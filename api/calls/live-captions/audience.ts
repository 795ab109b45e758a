import type { CaptionedCall } from '../../../db/calls/live-captions';
import type { LiveItem } from '../../../domain/live-updates';
import type { CaptionFrame } from './frame-shapes';
import { endFrame, liveFrame, startFrame, transcriptFrame } from './frames';
import type { Listener } from './listener';

/** The last words often arrive just after the end, because speech recognition still runs while another component reports the end. */
export const DRAIN_MS = 1_500;

/** The listeners of one call in this process. */
export class Audience {
  readonly listeners = new Set<Listener>();
  /** Number of listeners whose history is being read. */
  held = 0;
  /** Number of notifications of the call so far, so that a reader can tell if it missed any. */
  notifications = 0;
  /** Resolves once everything written about the call is notified. Null until requested. */
  registration: Promise<void> | null = null;
  private overSince: number | null = null;

  constructor(readonly callId: string) {}

  get isEmpty(): boolean {
    return this.listeners.size === 0 && this.held === 0;
  }

  /** Every listener has received the segments up to this one. */
  get seq(): number {
    let least = Infinity;
    for (const { seq } of this.listeners) least = Math.min(least, seq);
    return least === Infinity ? 0 : least;
  }

  /** `after` is the cursor of the reading. Returns true if a listener that joined meanwhile needs earlier segments, which takes another reading. */
  deliver(call: CaptionedCall, after: number): boolean {
    const frames = call.segments.map((segment) => ({
      seq: segment.seq,
      frame: bytes(transcriptFrame(call, segment)),
    }));
    const start = call.answeredAt && bytes(startFrame(call, call.answeredAt));
    let isMissing = false;
    for (const listener of this.listeners) {
      if (start !== null && !listener.knowsOfAnswer) {
        listener.knowsOfAnswer = true;
        listener.send(start);
      }
      if (listener.seq < after) isMissing = true;
      else sendSegments(listener, frames);
    }
    return isMissing;
  }

  sendUpdate(item: LiveItem): void {
    const frame = liveFrame(item, this.seq);
    if (frame === null) return;
    const data = bytes(frame);
    for (const listener of this.listeners) listener.sendUpdate(data);
  }

  /** Returns how long to wait until the last segments have arrived, or 0. `now` is by the clock of the call's record. */
  drainsInMs({ endedAt }: CaptionedCall, now: number): number {
    if (endedAt !== null && now - endedAt.getTime() >= DRAIN_MS) return 0;
    // Count from when this process learned of the end, so that clock differences don't matter.
    this.overSince ??= performance.now();
    return Math.max(0, this.overSince + DRAIN_MS - performance.now());
  }

  end(call: CaptionedCall): void {
    const frame = bytes(endFrame(call));
    for (const listener of this.listeners) {
      listener.send(frame);
      listener.close('call ended');
    }
    // A later reading may find more, but nothing may follow the end frame.
    this.listeners.clear();
  }
}

function sendSegments(listener: Listener, frames: readonly { seq: number; frame: Buffer }[]): void {
  for (const { seq, frame } of frames) {
    if (seq <= listener.seq) continue;
    listener.seq = seq;
    listener.send(frame);
  }
}

export const bytes = (frame: CaptionFrame): Buffer => Buffer.from(JSON.stringify(frame));
