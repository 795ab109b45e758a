import { DEFAULT_API_CONNECT_OPTIONS, llm } from '@livekit/agents';

/** The SDK would try all models four times while the caller hears nothing. */
const MOST_RETRIES = 1;

export class LlmFallback extends llm.FallbackAdapter {
  override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
    const { connOptions = DEFAULT_API_CONNECT_OPTIONS } = options;
    const maxRetry = Math.min(connOptions.maxRetry, MOST_RETRIES);
    return super.chat({ ...options, connOptions: { ...connOptions, maxRetry } });
  }
}
