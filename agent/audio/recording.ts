/** The recording of one conversation: received audio on the left channel, played audio on the right. */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { msOf, SAMPLE_RATE, type Samples, WAV_HEADER_BYTES, wavHeader, samplesIn } from './pcm';

const CHANNELS = 2;
/** How late a frame can arrive and still be written at its position. */
const MAX_LATENESS_MS = 1_000;
const WRITE_EVERY_MS = 1_000;
/** A frame that starts later than this after its expected position leaves a gap. A smaller difference is jitter. */
const JITTER_MS = 300;

export class Recording {
  private readonly channels = new ChannelAligner();
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<unknown> = Promise.resolve();
  private dataBytes = 0;

  private constructor(private readonly file: FileHandle) {
    this.timer = setInterval(() => this.write(this.passedMs() - MAX_LATENESS_MS), WRITE_EVERY_MS);
  }

  /** Starts at the answer. The file is unlinked immediately, so that it disappears with the process, however that ends. */
  static async start(parent = tmpdir()): Promise<Recording> {
    const folder = await mkdtemp(join(parent, 'voice-agent-'));
    try {
      return new Recording(await open(join(folder, 'recording.wav'), 'wx+', 0o600));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Milliseconds since the answer. */
  passedMs(): number {
    return performance.now() - this.startedAt;
  }

  /** Adds samples that end now. */
  received(samples: Samples): void {
    this.channels.add('received', samples, this.passedMs() - msOf(samples.length));
  }

  /** Adds samples that begin now, or directly after the previous ones. */
  played(samples: Samples): void {
    this.channels.add('played', samples, this.passedMs());
  }

  /** Removes the end of the played audio, which was dropped before it was heard. */
  unplayed(ms: number): void {
    this.channels.dropLast('played', ms);
  }

  /** Writes the pending samples and the header. Later samples are dropped. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    this.write(this.passedMs());
    await this.writing;
    const { dataBytes } = this;
    const header = wavHeader({ sampleRate: SAMPLE_RATE, channels: CHANNELS, dataBytes });
    await this.file.write(header, 0, header.length, 0);
  }

  /** Each call returns a new stream over the whole file. */
  content(): Readable {
    return this.file.createReadStream({ start: 0, autoClose: false });
  }

  async discard(): Promise<void> {
    clearInterval(this.timer);
    await this.writing.catch(() => undefined);
    await this.file.close();
  }

  private write(untilMs: number): void {
    const samples = this.channels.takeUntil(untilMs);
    if (samples.length === 0) return;
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const at = WAV_HEADER_BYTES + this.dataBytes;
    this.dataBytes += bytes.length;
    this.writing = this.writing.then(() => this.file.write(bytes, 0, bytes.length, at));
    // `end` reports the error.
    this.writing.catch(() => undefined);
  }
}

type Channel = 'received' | 'played';

interface Piece {
  /** Position in samples since the beginning. */
  start: number;
  samples: Samples;
}

/** Aligns received and played audio on one time line, as two channels. */
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
