/** A client's own server as the model of one conversation: created once, when the agent's configuration names it. */
import type { llm } from '@livekit/agents';
import { isMissing, type ModelRequest, type ModelResult } from '../providers/provider';
import { createCustomLlm, type CustomLlmDependencies } from './create-custom-llm';
import type { CustomLlm } from './custom-llm';

/** A short wait for a greeting that is optional. */
const GREETING_LIMIT_MS = 3_000;

export class CustomServer {
  private server: CustomLlm | null = null;
  private greetingText: Promise<string | null> = Promise.resolve(null);
  /** The server has sent `end_call`: to be done once its last words were played. */
  onEndCall: () => void = () => undefined;

  constructor(private readonly dependencies: Omit<CustomLlmDependencies, 'onEndCall'>) {}

  readonly create = (request: ModelRequest<'llm'>): ModelResult<llm.LLM> => {
    const server = createCustomLlm(request, { ...this.dependencies, onEndCall: () => this.onEndCall() });
    if (isMissing(server)) return server;
    // Connects while the phone rings.
    this.greetingText = server.greeting(GREETING_LIMIT_MS);
    this.server = server;
    return server;
  };

  /** The greeting that the server sends, which replaces the agent's; null for none. */
  greeting(): Promise<string | null> {
    return this.greetingText;
  }

  async close(): Promise<void> {
    await this.server?.aclose();
  }
}
