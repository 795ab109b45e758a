/** How the agent opens the conversation. */
import { greetingFor, type CallContext } from '../../platform/call-context';

export interface OpeningSettings {
  /** Greeting with variables filled in; empty for none. */
  text: string;
  /** The agent waits for the user's first words before it greets. */
  letsUserSpeakFirst: boolean;
  /** Delay between the answer and the greeting, when the agent speaks first. */
  delayMs: number;
  /** Silence after the user's first words, when they speak first. */
  gapMs: number;
  isInterruptible: boolean;
}

/** A session with its own welcome message also decides whether it can be interrupted. */
export function openingSettingsOf(callContext: CallContext): OpeningSettings {
  const { agent, session } = callContext;
  const { agent_speech_delay, user_speech_delay, interruptible } =
    agent.config.persona.identity.greeting_message;
  return {
    ...greetingFor(callContext),
    delayMs: agent_speech_delay * 1000,
    gapMs: user_speech_delay * 1000,
    isInterruptible: session === null ? interruptible : session.isWelcomeInterruptible && interruptible,
  };
}
