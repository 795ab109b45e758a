/** How the agent opens the conversation. */
import { greetingFor, type Brief } from '../../platform/brief';

export interface OpeningSettings {
  /** With variables filled in; empty when there is none. */
  text: string;
  /** The agent waits for the remote party's first words before it greets. */
  letsUserSpeakFirst: boolean;
  /** Between the answer and the greeting, when the agent speaks first. */
  delayMs: number;
  /** Silence after the remote party's first words, when they speak first. */
  gapMs: number;
  isInterruptible: boolean;
}

/** A session with its own welcome message also sets whether it is interruptible. */
export function openingSettingsOf(brief: Brief): OpeningSettings {
  const { agent, session } = brief;
  const { agent_speech_delay, user_speech_delay, interruptible } =
    agent.config.persona.identity.greeting_message;
  return {
    ...greetingFor(brief),
    delayMs: agent_speech_delay * 1000,
    gapMs: user_speech_delay * 1000,
    isInterruptible: session === null ? interruptible : session.isWelcomeInterruptible && interruptible,
  };
}
