/** Wraps a language model whose answers are spoken. Removes reasoning and markup, and treats an answer without words as a failure. */
import { APIError, DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';
import { REQUEST_CALLBACK } from '../model/actions/actions';
import { AnswerFilter, type ReasoningHabit } from './answer-filter';

/** Thrown when the model's stream ends without words and without a tool call. */
export class NoWords extends APIError {
  constructor() {
    super('the model answered without a word and without a tool', { retryable: false });
  }
}

type ChatOptions = Parameters<llm.LLM['chat']>[0];
type ModelError = Parameters<llm.LLMCallbacks['error']>[0];

export class SpokenLlm extends llm.LLM {
  /** How the model marks its reasoning. Learned during the call, because each call has its own model. */
  habit: ReasoningHabit;

  constructor(
    private readonly source: llm.LLM,
    { mayReasonUnmarked }: { mayReasonUnmarked: boolean },
  ) {
    super();
    this.habit = mayReasonUnmarked ? 'unknown' : 'none';
    // Unrecoverable errors are skipped, because the stream that gets one throws it.
    source.on('error', (event) => {
      if (event.recoverable) this.emit('error', event);
    });
  }

  override label(): string {
    return this.source.label();
  }

  override get model(): string {
    return this.source.model;
  }

  override get provider(): string {
    return this.source.provider;
  }

  override prewarm(): void {
    this.source.prewarm();
  }

  override chat(options: ChatOptions): llm.LLMStream {
    return new SpokenStream(this, this.source, options);
  }

  override async aclose(): Promise<void> {
    await super.aclose();
    await this.source.aclose();
  }
}

class SpokenStream extends llm.LLMStream {
  private hasAnswered = false;

  constructor(
    private readonly spoken: SpokenLlm,
    private readonly source: llm.LLM,
    private readonly options: ChatOptions,
  ) {
    const { chatCtx, toolCtx, connOptions = DEFAULT_API_CONNECT_OPTIONS } = options;
    // No retries here, because the source retries itself.
    super(spoken, { chatCtx, ...(toolCtx && { toolCtx }), connOptions: { ...connOptions, maxRetry: 0 } });
  }

  protected override async run(): Promise<void> {
    const { signal } = this.abortController;
    const stream = this.source.chat(this.options);
    const failures: Error[] = [];
    const failed = ({ error, recoverable }: ModelError): void => {
      if (!recoverable) failures.push(error);
    };
    const close = (): void => stream.close();
    signal.addEventListener('abort', close, { once: true });
    this.source.on('error', failed);
    try {
      await this.pass(stream, () => failures.length > 0);
    } finally {
      signal.removeEventListener('abort', close);
      this.source.off('error', failed);
      stream.close();
    }
    if (signal.aborted) return;
    const [failure] = failures;
    if (failure !== undefined) throw failure;
    if (!this.hasAnswered && !mayBeSilent(this.chatCtx)) throw new NoWords();
  }

  private async pass(stream: llm.LLMStream, hasFailed: () => boolean): Promise<void> {
    let filter = new AnswerFilter(this.spoken.habit);
    let id = '';
    const say = (content: string): void => {
      if (content === '') return;
      this.hasAnswered = true;
      this.queue.put({ id, delta: { role: 'assistant', content } });
    };
    for await (const chunk of stream) {
      id = chunk.id;
      const { content = '', toolCalls, ...delta } = chunk.delta ?? { role: 'assistant' };
      say(filter.push(content));
      const named = (toolCalls ?? []).filter(({ name }) => name.trim() !== '');
      if (named.length > 0) {
        say(filter.end({ byToolCall: true }));
        this.spoken.habit = filter.learned;
        filter = new AnswerFilter(filter.learned);
        this.hasAnswered = true;
      }
      if (named.length > 0 || delta.extra !== undefined)
        this.queue.put({ id, delta: { ...delta, ...(named.length > 0 && { toolCalls: named }) } });
      if (chunk.usage !== undefined) this.queue.put({ id, usage: chunk.usage });
    }
    // The text of an aborted answer can be reasoning whose closing marker is still missing. It must be neither spoken nor learned from.
    if (hasFailed() || this.abortController.signal.aborted) return;
    say(filter.end());
    this.spoken.habit = filter.learned;
  }
}

/** After it has spoken and requested a callback in the same turn, the model may have nothing to add. */
function mayBeSilent({ items }: Pick<llm.ChatContext, 'items'>): boolean {
  const turnAt = items.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  const turn = items.slice(turnAt + 1);
  const calls = turn.flatMap((item) => (item.type === 'function_call' ? [item.name] : []));
  const hasSpoken = turn.some((item) => item.type === 'message' && item.role === 'assistant');
  return hasSpoken && calls.length > 0 && calls.every((name) => name === REQUEST_CALLBACK);
}
