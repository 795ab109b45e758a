import {
  recordStarted,
  takeInbound,
  type Caller,
  type CallerDecision,
} from '../../../db/calls/inbound-calls';
import type { NumberRule } from '../../../db/agents/numbers';
import type { Db } from '../../../db/kernel/connection';
import type { SignalLog } from '../../../runtime/signal-workflows';
import { assertNever } from '../../../workflows/domain/assert-never';
import { inboundDeadlineMs, REFUSALS } from '../../../workflows/domain/inbound-call';
import type { TemporalPort } from '../../dependencies/temporal-port';

/** How long a caller is kept waiting for their workflow. Their call has its row by then: reconciliation starts what could not be started. */
const START_WITHIN_MS = 500;

export interface CallerDependencies {
  db: Db;
  temporal: Pick<TemporalPort, 'startCall'>;
  clock: { now(): number };
  log: SignalLog;
  settings: NumberRule & { spendPerDay: { perClient: number } };
}

export type CallerAnswer = { accept: true; reference: string } | { accept: false; say: string };

/** Lets a caller of one of our numbers in if the organization has a line for them. A repeated announcement gets the same answer. */
export function callerReceiver(deps: CallerDependencies) {
  return async function receive(caller: Caller): Promise<CallerAnswer> {
    const decision = await takeInbound(deps.db, caller, {
      now: deps.clock.now(),
      registeredOnly: deps.settings.registeredOnly,
      spendPerDay: deps.settings.spendPerDay.perClient,
    });
    switch (decision.kind) {
      case 'accepted':
        if (decision.toStart) await startedSoon(deps, decision);
        return { accept: true, reference: decision.callId };
      case 'busy':
      case 'unknown':
        return { accept: false, say: REFUSALS[decision.kind] };
      default:
        return assertNever(decision);
    }
  };
}

type Accepted = Extract<CallerDecision, { kind: 'accepted' }>;

/** The workflow before the answer, so that it gets every signal that follows; the answer before the workflow where that takes long. */
async function startedSoon(deps: CallerDependencies, accepted: Accepted): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, START_WITHIN_MS)));
  await Promise.race([start(deps, accepted), enough]);
  clearTimeout(timer);
}

async function start(
  { db, temporal, log }: CallerDependencies,
  { callId, clientId, agentId, config }: Accepted,
): Promise<void> {
  try {
    const placed = { deadlineMs: inboundDeadlineMs(config) };
    await temporal.startCall({ callId, clientId, agentId, placed });
    await recordStarted(db, callId);
  } catch (error) {
    const fields = { call_id: callId, error: error instanceof Error ? error.name : 'unknown' };
    log.warn(fields, 'a caller was let in, and the workflow of the call is started later');
  }
}
