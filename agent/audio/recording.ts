/** The recording of one conversation: received audio on the left channel, played audio on the right. */
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ChannelAligner } from './channel-aligner';
import { msOf, SAMPLE_RATE, type Samples } from './pcm';
import { WAV_HEADER_BYTES, wavHeader } from './wav';

const CHANNELS = 2;
/** How late a frame can arrive and still be written at its position. */
const MAX_LATENESS_MS = 1_000;
const WRITE_EVERY_MS = 1_000;

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
