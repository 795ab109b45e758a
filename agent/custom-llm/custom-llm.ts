/** Uses an organization's own server as the language model of a conversation. */
import { APIConnectionError, APITimeoutError, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import type { TranscriptEntry, CustomLlmContext, TurnRequest } from '../../domain/custom-llm-messages';
import { isMissing, type ModelRequest, type ModelResult } from '../providers/provider';
import { NoAnswer } from './connection';
import { Dialogue, type DialogueOptions } from './dialogue';

/** The greeting is optional, so the wait is short. */
const GREETING_LIMIT_MS = 3_000;

export interface CustomLlmOptions extends DialogueOptions {
  /**
   * Called when a complete reply contained `end_call`. The reply hasn't been played yet, so end the call only after playback, unless the
   * user interrupts it.
   */
  onEndCall: () => void;
}

type ChatOptions = Parameters<llm.LLM['chat']>[0];

/**
 * When this model fails, `llm.FallbackAdapter` switches to the next one and repeats the failed request in the background. Those repeats
 * never reach the server, because their answers would be discarded but could still end the call.
 */
export class CustomLlm extends llm.LLM {
  private readonly dialogue: Dialogue;
  /** Chat contexts of failed requests. If a request repeats one of them, it's the adapter's recovery check. */
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

  /** Opens the connection and waits for the server's greeting. Resolves to null when none arrives in time, and never rejects. */
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
      // Only one recovery check runs at a time. If another request with the same chat context arrives during a check, it comes from the
      // conversation.
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

/** Emits nothing. Ends when the server is ready for another request. */
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

/** Returns the conversation and the instructions, without tool calls and their results. */
function transcriptOf(chatCtx: llm.ChatContext): TranscriptEntry[] {
  return chatCtx.items.flatMap((item) => {
    if (item.type !== 'message') return [];
    const content = item.textContent ?? '';
    if (content === '') return [];
    return [{ role: item.role === 'developer' ? 'system' : item.role, content }];
  });
}

/** The organization's own server in one conversation, if the agent's configuration names one. */
export class CustomServer {
  private server: CustomLlm | null = null;
  private greetingText: Promise<string | null> = Promise.resolve(null);
  /** Called when the server has sent `end_call`. End the call after the server's last words have been played. */
  onEndCall: () => void = () => undefined;

  constructor(private readonly dependencies: Omit<CustomLlmDependencies, 'onEndCall'>) {}

  readonly create = (request: ModelRequest<'llm'>): ModelResult<llm.LLM> => {
    const server = createCustomLlm(request, { ...this.dependencies, onEndCall: () => this.onEndCall() });
    if (isMissing(server)) return server;
    // Connect now, while the phone is still ringing.
    this.greetingText = server.greeting(GREETING_LIMIT_MS);
    this.server = server;
    return server;
  };

  /** Returns the server's greeting, which replaces the agent's, or null when the server sends none. */
  greeting(): Promise<string | null> {
    return this.greetingText;
  }

  async close(): Promise<void> {
    await this.server?.aclose();
  }
}

type CustomLlmDependencies = Pick<CustomLlmOptions, 'firstTokenWithinMs' | 'guard' | 'log' | 'onEndCall'>;

function createCustomLlm(
  { requested, callContext }: Pick<ModelRequest<'llm'>, 'requested' | 'callContext'>,
  dependencies: CustomLlmDependencies,
): ModelResult<CustomLlm> {
  const { url, auth_token: token } = requested.fields;
  if (url === '' || callContext.customLlm === null) return { missing: 'the custom server has no address' };
  return new CustomLlm({
    ...dependencies,
    url,
    authToken: token === '' ? null : token,
    callId: callContext.callId,
    requestBody: requestBodyOf(callContext.customLlm),
  });
}

/** Builds the `req_body` of each turn. The platform's fields override contact file columns with the same name. */
const requestBodyOf = ({ metadata, ...call }: CustomLlmContext): TurnRequest['req_body'] => ({
  ...metadata,
  ...call,
});
