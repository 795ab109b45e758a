/** The call context that the API sends to the agent's process. */
import type { ResolvedConfig } from './agent-config';
import type { CallDirection, CallMedium } from './call';
import type { CustomLlmContext } from './custom-llm-messages';
import type { JsonObject } from './json';

export interface CallContextBody {
  call_id: string;
  medium: CallMedium;
  direction: CallDirection;
  /** The stored version, merged with the call's `modify_agent` and resolved. */
  agent: { name: string; config: ResolvedConfig };
  /** Values for `{{name}}` in the agent's texts. */
  variables: JsonObject;
  /** Voice and greeting options of a browser session. Null for phone calls. */
  session: JsonObject | null;
  /** Maximum duration of the conversation, counted from the answer. */
  max_talk_s: number;
  ring_timeout_s: number;
  /** Whether to detect answering machines. */
  amd: boolean;
  /** The agent says this before its greeting, because a rule profile demands it. Empty if none does. */
  disclosure: string;
  /** Call data that each turn's request sends to the custom-LLM server. Null for agents without one. */
  custom_llm: CustomLlmContext | null;
}
