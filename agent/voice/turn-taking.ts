/** When the agent takes its turn, and when it gives it back. */
import type { voice } from '@livekit/agents';
import type { AgentConfig } from '../../workflows/domain/agent-config';
import { valueAt } from '../../workflows/domain/json';
import { numberIn } from './fields';
import { PatientEar } from './patience';

type TurnHandling = NonNullable<voice.AgentSessionOptions['turnHandling']>;

export const EAGERNESS = ['slow', 'balanced', 'fast'] as const;
export type Eagerness = (typeof EAGERNESS)[number];

/** Of silence after the other side's last word: as a rule, and where more seems to follow. */
const WAITS_MS: Readonly<Record<Eagerness, { minDelay: number; maxDelay: number }>> = {
  slow: { minDelay: 1_200, maxDelay: 5_000 },
  balanced: { minDelay: 500, maxDelay: 3_000 },
  fast: { minDelay: 200, maxDelay: 1_500 },
};
/** A cough is shorter. */
const INTERRUPTS_AFTER_MS = 500;

export function eagernessOf(config: AgentConfig): Eagerness {
  const stored = valueAt(config, 'experience', 'conversational_experience', 'eagerness_to_speak');
  return EAGERNESS.find((one) => one === stored) ?? 'balanced';
}

export interface Patience {
  isOn: boolean;
  /** Of silence, where what was said seems not to be all. */
  waitMs: number | null;
}

/** Its shape is nobody's but its owner's: `enabled`, and seconds under one of the names that are used for them. */
export function patienceOf(config: AgentConfig): Patience {
  const stored = valueAt(config, 'experience', 'conversational_experience', 'patience_with_user_entries');
  const names = ['wait_seconds', 'wait_time', 'timeout', 'max_wait_seconds', 'seconds'];
  const seconds = names
    .map((name) => numberIn(valueAt(stored, name), { least: 1, most: 30 }))
    .find((value) => value !== null);
  const isOn = stored !== undefined && stored !== null && valueAt(stored, 'enabled') !== false;
  return { isOn, waitMs: seconds === undefined || seconds === null ? null : seconds * 1000 };
}

export function turnHandlingFor(config: AgentConfig): TurnHandling {
  const eagerness = eagernessOf(config);
  const patience = patienceOf(config);
  const waits = WAITS_MS[eagerness];
  const maxDelay = patience.isOn ? (patience.waitMs ?? waits.maxDelay) : waits.maxDelay;
  return {
    turnDetection: patience.isOn ? new PatientEar() : 'vad',
    endpointing: { mode: 'fixed', minDelay: waits.minDelay, maxDelay: Math.max(maxDelay, waits.minDelay) },
    interruption: { enabled: true, mode: 'vad', minDuration: INTERRUPTS_AFTER_MS },
    // An eager agent begins to think before it is certain that its turn has come; the others ask their model once a turn.
    preemptiveGeneration: { enabled: eagerness === 'fast' },
  };
}
