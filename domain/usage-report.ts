/** Model usage that the agent reports to the API in its `usage` event. */
import type { ModelKind } from './usage-cost';

export interface ReportedModel {
  kind: ModelKind;
  provider: string;
  model: string;
  input_tokens: number;
  /** The part of the input that the provider had cached. */
  cached_tokens: number;
  output_tokens: number;
  characters: number;
  audio_ms: number;
  requests: number;
}

export interface ReportedUsage {
  models: readonly ReportedModel[];
  /** Milliseconds from the end of each user turn to the agent's first audio. */
  response_ms: readonly number[];
  /** Number of times the agent was interrupted. */
  interruptions: number;
}
