/** Phones that a killed process of the stand-in left behind without hanging up. */
import type { Counters } from '../simulator/counters';
import { replayLog, type CallHistory } from '../simulator/history';
import { readSimulatorLog, type StateEntry } from '../simulator/log';

export interface AbandonedPhone {
  endsAtMs: number;
  isOutbound: boolean;
  ended: StateEntry;
}

/** How long a person listens to silence, from the restart. */
const LISTENS_MS = 20_000;

export function abandonedPhones(logPath: string, counters: Counters, nowMs: number): AbandonedPhone[] {
  return replayLog(readSimulatorLog(logPath), counters)
    .calls.filter(({ ended }) => ended === null)
    .map((call) => abandonedPhone(call, nowMs));
}

function abandonedPhone({ placed, states }: CallHistory, nowMs: number): AbandonedPhone {
  const answered = states.get('answered');
  const isTalking = answered !== undefined;
  return {
    endsAtMs: isTalking ? nowMs + LISTENS_MS : Math.max(nowMs, stopsRingingAtMs(placed)),
    isOutbound: placed.direction === 'outbound',
    ended: {
      kind: 'state',
      at: placed.at,
      carrier_id: placed.carrier_id,
      reference: answered?.reference ?? placed.reference,
      to: placed.to,
      state: 'ended',
      end_reason: isTalking ? 'dropped' : 'carrier_failure',
      sip_status: null,
      answered_by: answered?.answered_by ?? null,
    },
  };
}

/**
 * A dialled phone rings until its plan has it answered or end. A caller's ringing ends immediately, because their network handles it.
 */
function stopsRingingAtMs({ at, steps, direction }: CallHistory['placed']): number {
  const end = steps.find(({ type }) => type === 'answered' || type === 'ended');
  return Date.parse(at) + (direction === 'outbound' ? (end?.after_ms ?? 0) : 0);
}
