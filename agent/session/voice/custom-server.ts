/** A client's own server as the model of one call: created once, when the agent's configuration names it. */
import type { llm } from '@livekit/agents';
import { createCustomLlm } from '../../custom-llm/create-custom-llm';
import type { CustomLlm } from '../../custom-llm/custom-llm';
import { isMissing, type ModelRequest, type ModelResult } from '../../providers/provider';
import type { CallContext } from '../state/call-context';

/** A short wait for a greeting that is optional. */
const GREETING_LIMIT_MS = 3_000;

export class CustomServer {
  private server: CustomLlm | null = null;
  private greetingText: Promise<string | null> = Promise.resolve(null);
  /** The server has sent `end_call`: to be done once its last words were played. */
  onEndCall: () => void = () => undefined;

  constructor(private readonly call: CallContext) {}

  readonly create = (request: ModelRequest<'llm'>): ModelResult<llm.LLM> => {
    const { guard, log, settings } = this.call;
    const server = createCustomLlm(request, {
      firstTokenWithinMs: settings.customLlmFirstTokenMs,
      guard,
      log,
      onEndCall: () => this.onEndCall(),
    });
    if (isMissing(server)) return server;
    // Connects while the phone rings.
    this.greetingText = server.greeting(GREETING_LIMIT_MS);
    this.server = server;
    return server;
  };

  /** The greeting that the server sends; null for none. */
  greeting(): Promise<string | null> {
    return this.greetingText;
  }

  async close(): Promise<void> {
    await this.server?.aclose();
  }
}
