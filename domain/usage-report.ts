/** Model usage as an agent reports it in its event `usage`: the wire between the agent and the API. */
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
  /** From the end of each of the user's turns to the agent's first audio. */
  response_ms: readonly number[];
  /** How often the agent was interrupted. */
  interruptions: number;
}
