/** What callers of our own numbers hear, how long they may stay, and where LiveKit has them wait. */
import { maxTalkSeconds, resolveConfig } from './agent-config';
import { fillTemplate } from './template';

/** Before what LiveKit makes a caller's room unique with. */
export const CALLERS_ROOM = 'inbound-';

/** What a caller hears who is not let in. */
export const REFUSALS = {
  busy: 'All our lines are busy. Please call again later.',
  unknown: 'This number does not take calls.',
} as const;

/** From the ring to our answer, and for events that come late: the last attempt of one is made after 31 s. */
const BESIDE_TALK_MS = 70_000;

/** By then the end of an inbound call has been reported, or something is wrong: a carrier that does not know the agent's limit talks on. */
export function inboundDeadlineMs(stored: unknown): number {
  return maxTalkSeconds(resolveConfig(stored)) * 1000 + BESIDE_TALK_MS;
}

/** Whom a carrier that speaks by itself speaks as. */
export interface AnsweringAgent {
  name: string;
  greeting: string;
  prompt: string;
}

/** Who answers a number, for a carrier that speaks by itself: nobody knows the caller, so that only the agent's own variables are filled in. */
export function answeringAgent(displayName: string, stored: unknown): AnsweringAgent {
  const { identity, metadata } = resolveConfig(stored).persona;
  return {
    name: displayName,
    greeting: fillTemplate(identity.greeting_message.agent_message, metadata),
    prompt: fillTemplate(identity.system_prompt, metadata),
  };
}

/** E.164 as far as it can be had: carriers leave out the plus, or put blanks in. */
export function calledNumber(called: string): string {
  const digits = called.replace(/\D/g, '');
  return `+${called.trim().startsWith('00') ? digits.slice(2) : digits}`;
}
