/** Records one conversation: received audio on the left channel, played audio on the right. */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { msOf, SAMPLE_RATE, type Samples, WAV_HEADER_BYTES, wavHeader, samplesIn } from './pcm';

const CHANNELS = 2;
/** Frames that arrive later than this are too late to be written at their position. */
const MAX_LATENESS_MS = 1_000;
const WRITE_EVERY_MS = 1_000;
/** A frame that starts this much later than expected leaves a gap in the recording. Smaller delays count as jitter. */
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

  /** Call this when the call is answered. The file is unlinked immediately so that it disappears with the process, even after a crash. */
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

  /** Adds received samples whose last sample was heard just now. */
  received(samples: Samples): void {
    this.channels.add('received', samples, this.passedMs() - msOf(samples.length));
  }

  /** Adds samples whose playback begins now, or right after the samples added before. */
  played(samples: Samples): void {
    this.channels.add('played', samples, this.passedMs());
  }

  /** Removes the last `ms` of played audio because it was dropped before the user heard it. */
  unplayed(ms: number): void {
    this.channels.dropLast('played', ms);
  }

  /** Writes the pending samples and the header. Samples that arrive later are dropped. */
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
    // `end` reports write errors.
    this.writing.catch(() => undefined);
  }
}

type Channel = 'received' | 'played';

interface Piece {
  /** Position of the first sample, counted from the beginning of the recording. */
  start: number;
  samples: Samples;
}

/** Aligns received and played audio on one time line, as two channels. */
export class ChannelAligner {
  private readonly pieces: Record<Channel, Piece[]> = { received: [], played: [] };
  /** Position at which a channel's next samples start if there is no gap. */
  private readonly nextStart: Record<Channel, number> = { received: 0, played: 0 };
  private taken = 0;

  /** `atMs` is the start of the samples in milliseconds since the beginning of the conversation. */
  add(channel: Channel, samples: Samples, atMs: number): void {
    const expected = this.nextStart[channel];
    const measured = samplesIn(Math.max(0, atMs));
    const start = Math.max(this.taken, measured > expected + samplesIn(JITTER_MS) ? measured : expected);
    this.pieces[channel].push({ start, samples });
    this.nextStart[channel] = start + samples.length;
  }

  /** Removes up to `ms` of audio from the end of a channel. Audio that `takeUntil` has already returned stays. */
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

  /** Returns all samples up to this time as interleaved pairs (received, played). Gaps are filled with silence. */
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
