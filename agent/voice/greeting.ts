/** How the agent opens the conversation. */
import { valueAt } from '../../workflows/domain/json';
import { greetingFor, type Brief } from '../platform/brief';
import { secondsAsMs } from './fields';

export interface Opening {
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

const LIMITS = { least: 0, most: 60 } as const;
/** As long as people take to find out that the other has ended. */
const USUAL_GAP_S = 0.5;

/** A session that asks for words of its own says too whether they may be interrupted. */
export function openingOf(brief: Brief): Opening {
  const { agent, session } = brief;
  const stored = valueAt(agent.config, 'persona', 'identity', 'greeting_message');
  const own = valueAt(stored, 'interruptible') !== false;
  return {
    ...greetingFor(brief),
    delayMs: secondsAsMs(valueAt(stored, 'agent_speech_delay'), { ...LIMITS, unless: 0 }),
    gapMs: secondsAsMs(valueAt(stored, 'user_speech_delay'), { ...LIMITS, unless: USUAL_GAP_S }),
    isInterruptible: session === null ? own : session.isWelcomeInterruptible && own,
  };
}
