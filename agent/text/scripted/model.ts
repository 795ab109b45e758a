/** A language model that returns scripted replies, so that conversations are deterministic. */
import { llm, DEFAULT_API_CONNECT_OPTIONS } from '@livekit/agents';
import type { JsonObject } from '../../../domain/json';

export interface ScriptedReply {
  text?: string;
  /** Arguments in text form are passed to the SDK unchanged. */
  tools?: { name: string; arguments?: JsonObject | string }[];
}

/** Returns one reply per request, in order and regardless of the request. Fails when there is none left. */
export class ScriptedModel extends llm.LLM {
  /** The chat context of each request. */
  readonly requests: llm.ChatContext[] = [];
  /** The tool names of each request. */
  readonly tools: string[][] = [];
  private replies: readonly ScriptedReply[] = [];

  /** Replaces the replies that are left. */
  give(replies: readonly ScriptedReply[]): void {
    this.replies = replies;
  }

  override label(): string {
    return 'scripted';
  }

  override get model(): string {
    return 'scripted';
  }

  override get provider(): string {
    return 'scripted';
  }

  override chat({ chatCtx, toolCtx, connOptions }: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    this.requests.push(chatCtx);
    this.tools.push(toolCtx instanceof llm.ToolContext ? Object.keys(toolCtx.functionTools).sort() : []);
    const [reply = null, ...left] = this.replies;
    this.replies = left;
    return new ScriptedStream(this, reply, this.requests.length, {
      chatCtx,
      ...(toolCtx === undefined ? {} : { toolCtx }),
      connOptions: { ...(connOptions ?? DEFAULT_API_CONNECT_OPTIONS), maxRetry: 0 },
    });
  }
}

class ScriptedStream extends llm.LLMStream {
  constructor(
    model: llm.LLM,
    private readonly reply: ScriptedReply | null,
    private readonly number: number,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
  ) {
    super(model, options);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the SDK awaits it
  protected override async run(): Promise<void> {
    if (this.reply === null) throw new Error('the script has no reply left');
    const id = `scripted_${this.number}`;
    const { text = '', tools = [] } = this.reply;
    // Emits each word with the space before it, like a real model.
    for (const content of text.match(/\s*\S+|\s+$/g) ?? [])
      this.queue.put({ id, delta: { role: 'assistant', content } });
    if (tools.length === 0) return;
    const toolCalls = tools.map(({ name, arguments: args = {} }, at) =>
      llm.FunctionCall.create({
        callId: `${id}_${at}`,
        name,
        args: typeof args === 'string' ? args : JSON.stringify(args),
      }),
    );
    this.queue.put({ id, delta: { role: 'assistant', toolCalls } });
  }
}
