/** An organization's own server as the language model of the conversation. */
import { APIConnectionError, APITimeoutError, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import { Dialogue, type DialogueOptions } from './dialogue';
import { NoAnswer } from './no-answer';
import { transcriptOf } from './transcript';

export interface CustomLlmOptions extends DialogueOptions {
  /**
   * Called when a complete reply carried `end_call`. The text is not played yet then; the call must end once it was played, unless it was
   * interrupted.
   */
  onEndCall: () => void;
}

type ChatOptions = Parameters<llm.LLM['chat']>[0];

/**
 * When this model fails, `llm.FallbackAdapter` switches to the next one and repeats the failed request in the background until it succeeds.
 * The server never gets those repeats, because their answers would be discarded and could end the call.
 */
export class CustomLlm extends llm.LLM {
  private readonly dialogue: Dialogue;
  /** Failed requests. The same chat context a second time is the adapter's recovery check. */
  private readonly failedChats = new WeakMap<llm.ChatContext, NoAnswer['kind']>();
  private isCheckingRecovery = false;

  constructor(private readonly options: CustomLlmOptions) {
    super();
    this.dialogue = new Dialogue(options);
  }

  override label(): string {
    return 'custom-llm';
  }

  override get model(): string {
    return 'custom';
  }

  override get provider(): string {
    return 'custom';
  }

  /** Opens the connection. Resolves to the server's greeting, or null when none arrives in time, and never rejects. */
  greeting(withinMs: number): Promise<string | null> {
    return this.dialogue.awaitGreeting(withinMs);
  }

  override chat({ chatCtx, toolCtx, connOptions }: ChatOptions): llm.LLMStream {
    const options = { chatCtx, toolCtx, connOptions: connOptions ?? DEFAULT_API_CONNECT_OPTIONS };
    const failure = this.failedChats.get(chatCtx);
    this.failedChats.delete(chatCtx);
    if (failure !== undefined) return new RecoveryCheck(this, options, () => this.checkRecovery(failure));
    return new Reply(this, options, {
      dialogue: this.dialogue,
      onEndCall: this.options.onEndCall,
      // Only one recovery check runs at a time, so the same chat during a check comes from the conversation.
      failed: (kind) => {
        if (!this.isCheckingRecovery) this.failedChats.set(chatCtx, kind);
      },
    });
  }

  override async aclose(): Promise<void> {
    this.dialogue.close();
    await super.aclose();
  }

  private async checkRecovery(failure: NoAnswer['kind']): Promise<void> {
    this.isCheckingRecovery = true;
    try {
      await this.dialogue.recovered(failure);
    } finally {
      this.isCheckingRecovery = false;
    }
  }
}

type StreamOptions = ConstructorParameters<typeof llm.LLMStream>[1];

interface ReplyParts {
  dialogue: Dialogue;
  onEndCall: () => void;
  failed: (kind: NoAnswer['kind']) => void;
}

class Reply extends llm.LLMStream {
  constructor(
    model: llm.LLM,
    options: StreamOptions,
    private readonly parts: ReplyParts,
  ) {
    super(model, options);
  }

  protected override async run(): Promise<void> {
    const { dialogue, onEndCall, failed } = this.parts;
    const { signal } = this.abortController;
    try {
      for await (const { responseId, content, endsCall } of dialogue.ask(
        transcriptOf(this.chatCtx),
        signal,
      )) {
        if (content !== '') this.queue.put({ id: String(responseId), delta: { role: 'assistant', content } });
        if (endsCall && !signal.aborted) onEndCall();
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      failed(error.kind);
      throw asApiError(error);
    }
  }
}

/** Emits nothing, and ends when the server can be asked again. */
class RecoveryCheck extends llm.LLMStream {
  constructor(
    model: llm.LLM,
    options: StreamOptions,
    private readonly recovered: () => Promise<void>,
  ) {
    super(model, options);
  }

  protected override async run(): Promise<void> {
    await this.recovered().catch((error: unknown) => {
      throw error instanceof NoAnswer ? asApiError(error) : error;
    });
  }
}

/** Maps a failure to one of the SDK's errors, which decide whether to retry. */
function asApiError({ kind, message }: NoAnswer): APIConnectionError {
  if (kind === 'timed out') return new APITimeoutError({ message });
  return new APIConnectionError({ message, options: { retryable: kind === 'lost' } });
}
