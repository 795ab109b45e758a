/** Connects a custom LLM model to a server in another process, and collects its log lines. */
import { CustomLlm, type CustomLlmOptions } from '../../../agent/custom-llm/custom-llm';
import { createGuard } from '../../../agent/network/guarded-agent';
import { CustomLlmServer } from './custom-llm-server';
import { initializeLogger, llm } from '@livekit/agents';

export const CALL = 'outbound-1-a';
export const TOKEN = 'token-of-the-server';
export const NO_RETRY = { maxRetry: 0, retryIntervalMs: 10, timeoutMs: 10_000 };

initializeLogger({ pretty: false, level: 'silent' });

export class CustomLlmRig {
  readonly endings = jest.fn();
  readonly lines: object[] = [];
  private readonly open: llm.LLM[] = [];

  private constructor(readonly server: CustomLlmServer) {}

  static async open(): Promise<CustomLlmRig> {
    return new CustomLlmRig(await CustomLlmServer.open());
  }

  customLlm(more: Partial<CustomLlmOptions> = {}): CustomLlm {
    const { server } = this;
    const log = (fields: object, message: string): void => void this.lines.push({ ...fields, message });
    const made = new CustomLlm({
      url: `ws://${server.host}/llm/`,
      authToken: TOKEN,
      callId: CALL,
      requestBody: {
        x_agent_id: 'tenant-7',
        modify_agent: null,
        contact_number: '+919876543210',
        city: 'Pune',
      },
      firstTokenWithinMs: 10_000,
      guard: createGuard({ allowedHosts: [server.host] }),
      log: { debug: log, info: log, warn: log, error: log },
      onEndCall: this.endings,
      ...more,
    });
    this.open.push(made);
    return heard(made);
  }

  /** Combines the model with a fallback, as in a conversation. */
  withFallback(more: Partial<CustomLlmOptions> = {}): llm.FallbackAdapter {
    return heard(new llm.FallbackAdapter({ llms: [this.customLlm(more), new OtherLlm()] }));
  }

  async close(): Promise<void> {
    for (const one of this.open) await one.aclose();
    await this.server.close();
  }
}

/** Adds the listener that a session would have. Without one, an `error` event would be thrown. */
function heard<Model extends llm.LLM>(model: Model): Model {
  model.on('error', () => undefined);
  return model;
}

export function said(...turns: [llm.ChatRole, string][]): llm.ChatContext {
  const chatCtx = llm.ChatContext.empty();
  for (const [role, content] of turns) chatCtx.addMessage({ role, content });
  return chatCtx;
}

export const hello = (): llm.ChatContext => said(['system', 'Be brief.'], ['user', 'Hello?']);

export const ask = (model: llm.LLM, chatCtx = hello(), connOptions = NO_RETRY): llm.LLMStream =>
  model.chat({ chatCtx, connOptions });

/** Returns the pieces in order. */
export async function piecesOf(stream: llm.LLMStream): Promise<string[]> {
  const pieces: string[] = [];
  for await (const chunk of stream) if (chunk.delta?.content) pieces.push(chunk.delta.content);
  return pieces;
}

/** Answers with its own name and the number of its calls. */
class OtherLlm extends llm.LLM {
  requestCount = 0;

  override label(): string {
    return 'other';
  }

  override chat({ chatCtx, connOptions = NO_RETRY }: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    return new OtherReply(this, { chatCtx, connOptions }, `other ${(this.requestCount += 1)}`);
  }
}

class OtherReply extends llm.LLMStream {
  constructor(
    model: llm.LLM,
    options: ConstructorParameters<typeof llm.LLMStream>[1],
    private readonly content: string,
  ) {
    super(model, options);
  }

  protected override run(): Promise<void> {
    this.queue.put({ id: 'other', delta: { role: 'assistant', content: this.content } });
    return Promise.resolve();
  }
}
