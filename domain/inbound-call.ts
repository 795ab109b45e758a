import { maxTalkSeconds, resolveConfig } from './agent-config';
import { fillTemplate } from './template';

/** Prefix of the LiveKit rooms of callers. LiveKit appends a unique suffix. */
export const CALLERS_ROOM = 'inbound-';

/** The text that a rejected caller hears. */
export const REFUSALS = {
  busy: 'All our lines are busy. Please call again later.',
  unknown: 'This number does not take calls.',
} as const;

/** Covers the ringing and late events. A carrier's last attempt to report an event comes after 31 s. */
const BESIDE_TALK_MS = 70_000;

/** Returns how soon the end of an inbound call must be reported. The carrier may not enforce the agent's maximum duration. */
export function inboundDeadlineMs(stored: unknown): number {
  return maxTalkSeconds(resolveConfig(stored)) * 1000 + BESIDE_TALK_MS;
}

/** The agent's data for a carrier that holds the conversation itself. */
export interface AnsweringAgent {
  name: string;
  greeting: string;
  prompt: string;
}

/** Returns the agent that answers a number. Only the agent's own variables are filled in, because the caller is unknown. */
export function answeringAgent(displayName: string, stored: unknown): AnsweringAgent {
  const { identity, metadata } = resolveConfig(stored).persona;
  return {
    name: displayName,
    greeting: fillTemplate(identity.greeting_message.agent_message, metadata),
    prompt: fillTemplate(identity.system_prompt, metadata),
  };
}

/** Normalizes a number to E.164, because some carriers omit the plus or insert spaces. */
export function calledNumber(called: string): string {
  const digits = called.replace(/\D/g, '');
  return `+${called.trim().startsWith('00') ? digits.slice(2) : digits}`;
}
