/** What the agent's process is told of the call that it is to hold: the wire between the API and the agent. */
import type { AgentConfig } from './agent-config';
import type { JsonObject } from './json';

export interface CallBrief {
  call_id: string;
  medium: 'telephony' | 'webrtc';
  direction: 'Outbound' | 'Incoming';
  /** The configuration as this call runs it: the stored version with the call's own changes over it. */
  agent: { name: string; config: AgentConfig };
  /** For `{{name}}` in the agent's texts. */
  variables: JsonObject;
  /** How a browser session asked the agent to sound and to greet; null for phone calls. */
  session: JsonObject | null;
  /** The longest that the conversation may last, from the answer. */
  max_talk_s: number;
  ring_timeout_s: number;
  /** Whether answering machines are to be told from people. */
  amd: boolean;
}
