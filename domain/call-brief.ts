/** What the agent's process receives about the call that it is to hold: the wire format between the API and the agent. */
import type { ResolvedConfig } from './agent-config';
import type { CallDirection, CallMedium } from './call-kind';
import type { CustomLlmBrief } from './custom-llm-messages';
import type { JsonObject } from './json';

export interface CallBrief {
  call_id: string;
  medium: CallMedium;
  direction: CallDirection;
  /** As this call runs it: the stored version with the call's own changes over it, resolved. */
  agent: { name: string; config: ResolvedConfig };
  /** For `{{name}}` in the agent's texts. */
  variables: JsonObject;
  /** How a browser session asked the agent to sound and to greet; null for phone calls. */
  session: JsonObject | null;
  /** The longest that the conversation may last, from the answer. */
  max_talk_s: number;
  ring_timeout_s: number;
  /** Whether answering machines are to be distinguished from people. */
  amd: boolean;
  /** What each turn sends to the custom-LLM server; null for agents that have none. */
  custom_llm: CustomLlmBrief | null;
}
