/** Tracks whose sound is known: loud where somebody speaks, silent elsewhere. */
import { STEP_MS, TrackLoudness } from '../../../../verify/bench/voice/loudness';

export const RATE = 8_000;
const FRAME_MS = 20;
const LOUD = 6_000;

/** A tone of so many milliseconds, or silence. */
export const sound = (ms: number, loudness = LOUD): Int16Array =>
  Int16Array.from({ length: (RATE * ms) / 1000 }, (_none, at) => (at % 2 === 0 ? loudness : -loudness));

export interface Spoken {
  fromMs: number;
  untilMs: number;
}

export interface Arrival {
  /** The frames of these times come at once, at the end of it. */
  heldUp?: Spoken;
  /** These never come. */
  lost?: Spoken;
}

/** From 0 to `untilMs`. */
export function trackOf(spoken: readonly Spoken[], untilMs = 10_000, arrival: Arrival = {}): TrackLoudness {
  const track = new TrackLoudness();
  const within = (atMs: number, span: Spoken | undefined): boolean =>
    span !== undefined && atMs >= span.fromMs && atMs < span.untilMs;
  for (let atMs = 0; atMs < untilMs; atMs += FRAME_MS) {
    if (within(atMs, arrival.lost)) continue;
    const frame = new Int16Array((RATE * FRAME_MS) / 1000);
    for (let step = 0; step < FRAME_MS; step += STEP_MS)
      if (spoken.some((span) => within(atMs + step, span))) frame.set(sound(STEP_MS), (RATE * step) / 1000);
    track.add(frame, RATE, within(atMs, arrival.heldUp) ? (arrival.heldUp?.untilMs ?? atMs) : atMs);
  }
  return track;
}
