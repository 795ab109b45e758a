/** Words whose audio is synthesised before they are to be said: they are played at once, and synthesised anew where that failed. */
import type { ReadableStream } from 'node:stream/web';
import { tts } from '@livekit/agents';
import type { SdkFrame } from '../../audio/sdk-frames';

export class PreparedSpeech {
  private readonly stream: tts.SynthesizeStream;
  private readonly collected: SdkFrame[] = [];
  private hasError = false;
  private isOver = false;
  private wake: (() => void)[] = [];
  /** Resolves when its synthesis is over, also where it failed. */
  readonly done: Promise<void>;

  /** `spoken` is what the voice is given for `words`. */
  constructor(
    private readonly voice: tts.TTS,
    readonly words: string,
    spoken: ReadableStream<string>,
  ) {
    this.stream = voice.stream();
    this.stream.updateInputStream(spoken);
    this.done = this.collect();
  }

  /** Its audio is incomplete: the voice failed, or gave none. */
  get hasFailed(): boolean {
    return this.isOver && (this.hasError || this.collected.length === 0);
  }

  /** Of all of it; null while that is not known. */
  get durationMs(): number | null {
    if (!this.isOver || this.hasFailed) return null;
    const seconds = this.collected.map(({ samplesPerChannel, sampleRate }) => samplesPerChannel / sampleRate);
    return 1000 * seconds.reduce((sum, one) => sum + one, 0);
  }

  /** From the first on, each as soon as it is there. */
  async *frames(): AsyncGenerator<SdkFrame> {
    for (let at = 0; ; at += 1) {
      while (at >= this.collected.length && !this.isOver)
        await new Promise<void>((resolve) => this.wake.push(resolve));
      const frame = this.collected[at];
      if (frame === undefined) return;
      yield frame;
    }
  }

  close(): void {
    this.stream.close();
  }

  private async collect(): Promise<void> {
    const failed = ({ recoverable }: { recoverable: boolean }): void => {
      if (!recoverable) this.hasError = true;
    };
    this.voice.on('error', failed);
    try {
      for await (const piece of this.stream) {
        if (piece === tts.SynthesizeStream.END_OF_STREAM) break;
        this.collected.push(piece.frame);
        this.notify();
      }
    } catch {
      // Reported by the voice's own event.
      this.hasError = true;
    } finally {
      this.voice.off('error', failed);
      this.isOver = true;
      this.notify();
      this.stream.close();
    }
  }

  private notify(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const resolve of waiting) resolve();
  }
}
