/** Switches to another model when one fails. */
import { stt, DEFAULT_API_CONNECT_OPTIONS, llm, tts } from '@livekit/agents';
import { withOwnSignal } from '../../runtime/network/time-limit';
import type { SdkFrame } from '../audio/sdk-frames';
import { overNewConnection } from '../network/kept-connections';

/** With the SDK's default, all models would be tried four times while the caller hears silence. */
const MAX_RETRIES = 1;

/**
 * Recognises each utterance with the first model that succeeds. The SDK's own fallback adapter loses an utterance that fails, or treats the
 * failure as silence when the SDK cuts the audio into utterances itself.
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

  /** Skips the SDK's metrics here, because each model already reports its own. */
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
        // OpenAI's client never removes its listener from the signal it receives.
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

export class LlmFallback extends llm.FallbackAdapter {
  override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    const { connOptions = DEFAULT_API_CONNECT_OPTIONS } = options;
    const maxRetry = Math.min(connOptions.maxRetry, MAX_RETRIES);
    return super.chat({ ...options, connOptions: { ...connOptions, maxRetry } });
  }
}

export class TtsFallback extends tts.FallbackAdapter {
  override async close(): Promise<void> {
    // Disables recovery. The SDK loses some of its recovery timers and mistakes requests that `close` cancels for failures, so it would
    // probe the voices for as long as the process lives.
    Reflect.set(this, 'tryRecovery', () => undefined);
    // The SDK removes all error listeners, including ours, before it cancels requests. Without a listener, an `error` event is thrown.
    const closing = super.close();
    this.listen();
    await closing;
    this.listen();
  }

  private listen(): void {
    for (const candidate of this.ttsInstances) candidate.on('error', () => undefined);
  }
}
