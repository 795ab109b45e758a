/** Puts what was heard and what was played beside each other, as they were in time. */
import { samplesIn, type Samples } from './pcm';

export type Side = 'heard' | 'played';

/** Frames come a little early or late; what is further from where it is expected was preceded by nothing. */
const JITTER_MS = 300;

interface Piece {
  /** In samples since the beginning. */
  start: number;
  samples: Samples;
}

export class TwoSides {
  private readonly pieces: Record<Side, Piece[]> = { heard: [], played: [] };
  /** Where the next piece of a side belongs that follows without a gap. */
  private readonly next: Record<Side, number> = { heard: 0, played: 0 };
  private taken = 0;

  /** `atMs` is when it began, since the beginning of the conversation. */
  add(side: Side, samples: Samples, atMs: number): void {
    const expected = this.next[side];
    const told = samplesIn(Math.max(0, atMs));
    const start = Math.max(this.taken, told > expected + samplesIn(JITTER_MS) ? told : expected);
    this.pieces[side].push({ start, samples });
    this.next[side] = start + samples.length;
  }

  /** All up to this instant that was not taken yet, the sides in turn (heard, played); where nothing came, silence. */
  takeUntil(untilMs: number): Samples {
    const [from, until] = [this.taken, Math.max(this.taken, samplesIn(untilMs))];
    const both = new Int16Array(2 * (until - from));
    this.lay('heard', both, 0, from, until);
    this.lay('played', both, 1, from, until);
    this.taken = until;
    return both;
  }

  private lay(side: Side, both: Samples, offset: number, from: number, until: number): void {
    const later: Piece[] = [];
    for (const { start, samples } of this.pieces[side]) {
      const end = start + samples.length;
      for (let at = Math.max(start, from); at < Math.min(end, until); at += 1) {
        both[2 * (at - from) + offset] = samples[at - start] ?? 0;
      }
      if (end > until) later.push({ start, samples });
    }
    this.pieces[side] = later;
  }
}
