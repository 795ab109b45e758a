/** How the agent opens the conversation. */
import { greetingFor, type Brief } from '../../platform/brief';

export interface OpeningSettings {
  /** Its variables filled in; empty where there is none. */
  text: string;
  /** The other side is waited for before it is said. */
  letsUserSpeakFirst: boolean;
  /** Between the answer and the greeting, where the agent speaks first. */
  delayMs: number;
  /** Of silence after the other side's first words, where they speak first. */
  gapMs: number;
  isInterruptible: boolean;
}

/** A session that asks for words of its own says too whether they may be interrupted. */
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
