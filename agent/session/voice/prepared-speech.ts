/**
 * Words that are synthesised before the agent says them. They are played without delay; if synthesis failed, they are synthesised again.
 */
import type { ReadableStream } from 'node:stream/web';
import { tts } from '@livekit/agents';
import type { SdkFrame } from '../../audio/sdk-frames';

export class PreparedSpeech {
  private readonly stream: tts.SynthesizeStream;
  private readonly collected: SdkFrame[] = [];
  private hasError = false;
  private isOver = false;
  private wake: (() => void)[] = [];
  /** Resolves when synthesis is over, even if it failed. */
  readonly done: Promise<void>;

  /** `spoken` is the text that the voice gets for `words`. */
  constructor(
    private readonly voice: tts.TTS,
    readonly words: string,
    spoken: ReadableStream<string>,
  ) {
    this.stream = voice.stream();
    this.stream.updateInputStream(spoken);
    this.done = this.collect();
  }

  /** True when the voice failed or returned no audio. */
  get hasFailed(): boolean {
    return this.isOver && (this.hasError || this.collected.length === 0);
  }

  /** Duration of the whole audio; null while unknown. */
  get durationMs(): number | null {
    if (!this.isOver || this.hasFailed) return null;
    const seconds = this.collected.map(({ samplesPerChannel, sampleRate }) => samplesPerChannel / sampleRate);
    return 1000 * seconds.reduce((sum, one) => sum + one, 0);
  }

  /** Yields all frames from the first on, each as soon as it arrives. */
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
      // The voice's `error` event reports it.
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
