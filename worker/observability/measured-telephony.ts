import { Counter, Histogram, type Registry } from 'prom-client';
import type { Telephony } from '../../activities/telephony/port';

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

  async function measured<Answer>(operation: string, request: () => Promise<Answer>): Promise<Answer> {
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

  return {
    // These four send no request.
    preparesFirst: (reference) => telephony.preparesFirst(reference),
    needsCallerId: (reference) => telephony.needsCallerId(reference),
    pendingDialMs: (reference) => telephony.pendingDialMs(reference),
    now: () => telephony.now(),
    prepare: (reference, options) => measured('prepare', () => telephony.prepare(reference, options)),
    release: (reference) => measured('release', () => telephony.release(reference)),
    createSession: (session) => measured('createSession', () => telephony.createSession(session)),
    dial: (request) => measured('dial', () => telephony.dial(request)),
    find: (reference) => measured('find', () => telephony.find(reference)),
    hangUp: (carrierId) => measured('hangUp', () => telephony.hangUp(carrierId)),
    held: () => measured('held', () => telephony.held()),
    retrieve: (reference) => measured('retrieve', () => telephony.retrieve(reference)),
    setInboundRoute: (route) => measured('setInboundRoute', () => telephony.setInboundRoute(route)),
    removeInboundRoute: (number) =>
      measured('removeInboundRoute', () => telephony.removeInboundRoute(number)),
  };
}

/** Label of a result. It's one of our own few kinds. */
function outcomeOf(answer: unknown): string {
  const hasKind = typeof answer === 'object' && answer !== null && 'kind' in answer;
  return hasKind && typeof answer.kind === 'string' ? answer.kind : 'ok';
}
