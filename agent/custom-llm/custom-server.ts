/** An organization's own server as the model of one conversation. It is created when the agent's configuration names it. */
import type { llm } from '@livekit/agents';
import { isMissing, type ModelRequest, type ModelResult } from '../providers/provider';
import { createCustomLlm, type CustomLlmDependencies } from './create-custom-llm';
import type { CustomLlm } from './custom-llm';

/** The greeting is optional, so the wait is short. */
const GREETING_LIMIT_MS = 3_000;

export class CustomServer {
  private server: CustomLlm | null = null;
  private greetingText: Promise<string | null> = Promise.resolve(null);
  /** Called when the server has sent `end_call`. The call must end once the server's last words were played. */
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

  /** Returns the server's greeting, which replaces the agent's; null for none. */
  greeting(): Promise<string | null> {
    return this.greetingText;
  }

  async close(): Promise<void> {
    await this.server?.aclose();
  }
}
