import { stt } from '@livekit/agents';
import { withOwnSignal } from '../../runtime/network/time-limit';
import type { SdkFrame } from '../audio/sdk-frames';
import { overNewConnection } from '../network/kept-connections';

/**
 * Recognises whole utterances with the first of several models that succeeds. The SDK's fallback adapter loses a failed utterance, or takes
 * the failure for silence when the SDK cuts utterances itself.
 */
export class SttFallback extends stt.STT {
  override label = 'first-that-hears';
  private last: stt.STT;

  constructor(private readonly all: readonly [stt.STT, ...stt.STT[]]) {
    super({ streaming: false, interimResults: false });
    this.last = all[0];
    for (const candidate of all)
      candidate.on('metrics_collected', (measure) => this.emit('metrics_collected', measure));
  }

  override get model(): string {
    return this.last.model;
  }

  override get provider(): string {
    return this.last.provider;
  }

  /** Skips the SDK's metrics, because each model measures itself. */
  override recognize(frame: SdkFrame | SdkFrame[], signal?: AbortSignal): Promise<stt.SpeechEvent> {
    return this._recognize(frame, signal);
  }

  protected override async _recognize(
    frame: SdkFrame | SdkFrame[],
    signal?: AbortSignal,
  ): Promise<stt.SpeechEvent> {
    let failure: unknown;
    for (const candidate of this.all) {
      try {
        // OpenAI's client leaves a listener on the signal that it gets.
        const event = await withOwnSignal(signal, (own) =>
          overNewConnection(() => candidate.recognize(frame, own)),
        );
        this.last = candidate;
        return event;
      } catch (error) {
        failure = error;
        if (signal?.aborted === true) break;
      }
    }
    throw failure;
  }

  override stream(): never {
    throw new Error('SttFallback does not stream: use stt.StreamAdapter');
  }

  override async close(): Promise<void> {
    await Promise.allSettled(this.all.map((candidate) => candidate.close()));
  }
}
