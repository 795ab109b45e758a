import { Counter, Histogram, type Registry } from 'prom-client';
import { overlaid } from '../../activities/telephony/overlaid';
import type { Telephony } from '../../activities/telephony/port';

/** True for methods that send a request to the carrier. */
const ASKS: Record<keyof Telephony, boolean> = {
  preparesFirst: false,
  prepare: true,
  release: true,
  createSession: true,
  dial: true,
  needsCallerId: false,
  pendingDialMs: false,
  now: false,
  find: true,
  hangUp: true,
  held: true,
  retrieve: true,
  setInboundRoute: true,
  removeInboundRoute: true,
};

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Wraps telephony to count and time its requests. */
export function measuredTelephony(telephony: Telephony, registry: Registry): Telephony {
  const registers = [registry];
  const requests = new Counter({
    name: 'voice_agent_carrier_requests_total',
    help: 'Requests to the carrier, by what came of them: the answer to a dial by its kind, else ok or failed.',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'voice_agent_carrier_request_duration_seconds',
    help: 'From a request to the carrier to its answer.',
    labelNames: ['operation'],
    buckets: BUCKETS_S,
    registers,
  });

  async function measured(operation: string, request: () => unknown): Promise<unknown> {
    const end = durations.startTimer({ operation });
    let outcome = 'failed';
    try {
      const answer = await request();
      outcome = outcomeOf(answer);
      return answer;
    } finally {
      end();
      requests.inc({ operation, outcome });
    }
  }

  const members = Object.entries(ASKS).flatMap(([name, asks]) => {
    const member: unknown = Reflect.get(telephony, name);
    if (!asks || typeof member !== 'function') return [];
    const asking = (...args: unknown[]) =>
      measured(name, () => Reflect.apply(member, telephony, args) as unknown);
    return [[name, asking] as const];
  });
  return overlaid(telephony, Object.fromEntries(members));
}

/** Label of a result. It's one of our own few kinds. */
function outcomeOf(answer: unknown): string {
  const hasKind = typeof answer === 'object' && answer !== null && 'kind' in answer;
  return hasKind && typeof answer.kind === 'string' ? answer.kind : 'ok';
}
