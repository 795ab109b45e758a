/** Aligns received and played audio on one time line, as two channels. */
import { samplesIn, type Samples } from './pcm';

export type Channel = 'received' | 'played';

/** A frame that starts later than this after its expected position leaves a gap. A smaller difference is jitter. */
const JITTER_MS = 300;

interface Piece {
  /** Position in samples since the beginning. */
  start: number;
  samples: Samples;
}

export class ChannelAligner {
  private readonly pieces: Record<Channel, Piece[]> = { received: [], played: [] };
  /** Position of a channel's next samples if they follow without a gap. */
  private readonly nextStart: Record<Channel, number> = { received: 0, played: 0 };
  private taken = 0;

  /** `atMs` is when the samples began, since the beginning of the conversation. */
  add(channel: Channel, samples: Samples, atMs: number): void {
    const expected = this.nextStart[channel];
    const measured = samplesIn(Math.max(0, atMs));
    const start = Math.max(this.taken, measured > expected + samplesIn(JITTER_MS) ? measured : expected);
    this.pieces[channel].push({ start, samples });
    this.nextStart[channel] = start + samples.length;
  }

  /** Removes audio from the end of a channel, as far as it was not taken yet. */
  dropLast(channel: Channel, ms: number): void {
    const end = Math.max(this.taken, this.nextStart[channel] - samplesIn(ms));
    if (end >= this.nextStart[channel]) return;
    const kept = this.pieces[channel].filter(({ start }) => start < end);
    this.pieces[channel] = kept.map(({ start, samples }) => ({
      start,
      samples: samples.subarray(0, end - start),
    }));
    this.nextStart[channel] = end;
  }

  /** Takes all samples up to this time as interleaved pairs (received, played), with silence where a channel has none. */
  takeUntil(untilMs: number): Samples {
    const [from, until] = [this.taken, Math.max(this.taken, samplesIn(untilMs))];
    const both = new Int16Array(2 * (until - from));
    this.copyInto('received', both, 0, from, until);
    this.copyInto('played', both, 1, from, until);
    this.taken = until;
    return both;
  }

  private copyInto(channel: Channel, both: Samples, offset: number, from: number, until: number): void {
    const later: Piece[] = [];
    for (const { start, samples } of this.pieces[channel]) {
      const end = start + samples.length;
      for (let at = Math.max(start, from); at < Math.min(end, until); at += 1) {
        both[2 * (at - from) + offset] = samples[at - start] ?? 0;
      }
      if (end > until) later.push({ start, samples });
    }
    this.pieces[channel] = later;
  }
}
