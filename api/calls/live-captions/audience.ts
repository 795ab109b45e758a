import type { CaptionedCall } from '../../../db/calls/live-captions';
import type { LiveItem } from '../../../domain/live-updates';
import type { CaptionFrame } from './frame-shapes';
import { endFrame, liveFrame, startFrame, transcriptFrame } from './frames';
import type { Listener } from './listener';

/** What was said last often becomes known just after the end: the recogniser is still at it, and the end is reported by others. */
export const SETTLE_MS = 1_500;

/** The listeners of one call in this process. */
export class Audience {
  readonly listeners = new Set<Listener>();
  /** Those whose history is being read. */
  held = 0;
  /** Counts the notifications of the call, so that a reader notices what it may have missed. */
  notifications = 0;
  /** Settles once what is written of the call is notified. Null before that was asked for. */
  registration: Promise<void> | null = null;
  private overSince: number | null = null;

  constructor(readonly callId: string) {}

  get isEmpty(): boolean {
    return this.listeners.size === 0 && this.held === 0;
  }

  /** Every listener has been sent the segments up to it. */
  get seq(): number {
    let least = Infinity;
    for (const { seq } of this.listeners) least = Math.min(least, seq);
    return least === Infinity ? 0 : least;
  }

  /** `after` is the cursor that was read from: who joined meanwhile with less is left for the next reading, and true is answered. */
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

  /** How long until every segment may be taken as emitted; 0 once it is. `now` is by the clock of the call's record. */
  settlesInMs({ endedAt }: CaptionedCall, now: number): number {
    if (endedAt !== null && now - endedAt.getTime() >= SETTLE_MS) return 0;
    // Counted from when this process learned of the end, whatever the clocks say.
    this.overSince ??= performance.now();
    return Math.max(0, this.overSince + SETTLE_MS - performance.now());
  }

  end(call: CaptionedCall): void {
    const frame = bytes(endFrame(call));
    for (const listener of this.listeners) {
      listener.send(frame);
      listener.close('call ended');
    }
    // Nothing follows it: a later reading may find more.
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
