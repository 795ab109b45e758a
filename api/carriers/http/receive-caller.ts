import type { NumberRule } from '../../../db/agents/numbers';
import {
  recordStarted,
  takeInbound,
  type Caller,
  type CallerDecision,
} from '../../../db/calls/inbound-calls';
import type { Db } from '../../../db/kernel/connection';
import { withTimeout } from '../../../runtime/network/time-limit';
import { assertNever } from '../../../domain/assert-never';
import { inboundDeadlineMs, REFUSALS } from '../../../domain/inbound-call';
import { type CallMetrics, replacedTimes } from '../../../runtime/observability/call-metrics';
import type { SignalLog } from '../../../runtime/signal-workflows';
import type { TemporalPort } from '../../dependencies/temporal-client';

/** How long the response waits for the workflow to start. The call's row exists by then, so reconciliation can start it too. */
const START_TIMEOUT_MS = 500;

export interface CallerDependencies {
  db: Db;
  temporal: Pick<TemporalPort, 'startCall'>;
  clock: { now(): number };
  log: SignalLog;
  metrics: Pick<CallMetrics, 'eventTimeReplaced'>;
  settings: NumberRule & { spendPerDay: { perOrganization: number } };
}

export type CallerAnswer = { accept: true; reference: string } | { accept: false; say: string };

/** Accepts a caller if the organization has a free line. A repeated report gets the same response. */
export async function receiveCaller(deps: CallerDependencies, caller: Caller): Promise<CallerAnswer> {
  const now = deps.clock.now();
  const decision = await takeInbound(deps.db, caller, {
    now,
    registeredOnly: deps.settings.registeredOnly,
    spendPerDay: deps.settings.spendPerDay.perOrganization,
  });
  switch (decision.kind) {
    case 'accepted':
      if (decision.isReplaced) replacedTimes(deps)({ callId: decision.callId, type: 'inbound' });
      if (decision.toStart) await startWithinLimit(deps, decision);
      return { accept: true, reference: decision.callId };
    case 'busy':
    case 'unknown':
      return { accept: false, say: REFUSALS[decision.kind] };
    default:
      return assertNever(decision);
  }
}

type Accepted = Extract<CallerDecision, { kind: 'accepted' }>;

/** Starts the workflow before responding, so that it receives all later signals, but doesn't wait if that takes long. */
async function startWithinLimit(deps: CallerDependencies, accepted: Accepted): Promise<void> {
  await withTimeout(START_TIMEOUT_MS, start(deps, accepted), () => undefined);
}

async function start(
  { db, temporal, log }: CallerDependencies,
  { callId, organizationId, agentId, config }: Accepted,
): Promise<void> {
  try {
    const placed = { deadlineMs: inboundDeadlineMs(config) };
    await temporal.startCall({ callId, organizationId, agentId, placed });
    await recordStarted(db, callId);
  } catch (error) {
    const fields = { call_id: callId, error: error instanceof Error ? error.name : 'unknown' };
    log.warn(fields, 'caller accepted; reconciliation will start the workflow');
  }
}
