/** Interface of the language model that analyses conversations. */
import type { JsonSchema } from '../../domain/analysis/schema';

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface ModelReply {
  /** The raw text, which may not be JSON. */
  text: string;
  /** The answer was truncated at the model's token limit. */
  isCutOff: boolean;
  tokens: ModelTokens;
}

export interface ModelTokens {
  input: number;
  /** The cached part of `input`. */
  cached: number;
  output: number;
}

export interface LanguageModel {
  name: string;
  /**
   * Sends one request. The answer may not match the schema, because not every server enforces it.
   * @throws ModelUnavailable, ModelRefused
   */
  ask(messages: readonly ModelMessage[], schema: JsonSchema, signal: AbortSignal): Promise<ModelReply>;
}

/**
 * A failure that a retry may fix. The message is safe to log, because it contains no address, no key and nothing that was said in the call.
 */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';

  constructor(
    message: string,
    /** The delay that the server requested. Null if it requested none. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** A failure that no retry will fix. The message is safe to log. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
}
