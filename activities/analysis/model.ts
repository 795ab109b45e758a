/** A language model that reads conversations. */
import type { JsonSchema } from '../../domain/analysis/schema';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelReply {
  /** As it came; not yet known to be JSON. */
  text: string;
  /** It was cut off at the model's own limit. */
  isCutOff: boolean;
  tokens: ModelTokens;
}

export interface ModelTokens {
  input: number;
  /** Of the input, those that the server had read before. */
  cached: number;
  output: number;
}

export interface LanguageModel {
  name: string;
  /**
   * One question. Where the server can it keeps the answer to the schema; whether it did is for the caller to check.
   * @throws ModelUnavailable, ModelRefused
   */
  ask(messages: readonly ModelMessage[], schema: JsonSchema, signal: AbortSignal): Promise<ModelReply>;
}

/** It may answer later. The message is safe to log: it holds no address, no key and nothing that was said. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';

  constructor(
    message: string,
    /** What the server asked for; null where it named no time. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** It will not answer this, however often it is asked. The message is safe to log. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
}
