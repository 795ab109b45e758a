import { randomBytes } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';
import { numberOfCaller } from '../../domain/caller-number';

const RANDOM_BYTES = 16;

/** Creates a call id, which is also the workflow id and the carrier's reference. */
function inboundCallId(now: number): string {
  return `inbound-${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** Inbound call as reported by the carrier. */
export interface Caller {
  /** The carrier's id of the call. It stays the same when the carrier reports the call again. */
  carrierId: string;
  /** The dialled number, one of ours, in E.164. */
  to: string;
  /** In the carrier's format. Null if the caller withholds it. */
  from: string | null;
  /** ISO instant of the first ring. */
  at: string;
}

export type CallerDecision =
  | {
      kind: 'accepted';
      callId: string;
      organizationId: string;
      agentId: string;
      /** Configuration of the agent version that the call uses. */
      config: unknown;
      /** The workflow must be started. */
      toStart: boolean;
      /** The time of the first ring was impossible, so `now` replaced it. */
      isReplaced: boolean;
    }
  /** The call got no line. It is recorded with the reason. */
  | { kind: 'busy' }
  /** No agent answers the number, or the agent that does must not use it. */
  | { kind: 'unknown' };

interface CallerLimits {
  /** Accept calls to registered numbers only. */
  registeredOnly: boolean;
  /** Credits per UTC day for organizations without their own limit. 0 means no limit. */
  spendPerDay: number;
}

/** Accepts or rejects an inbound call in one transaction. A repeated report gets the same answer. */
export async function takeInbound(
  db: Db,
  caller: Caller,
  { now, ...limits }: CallerLimits & { now: number },
): Promise<CallerDecision> {
  const { decision } = await onlyRow<{ decision: CallerDecision }>(
    db,
    'select take_inbound(:event, :now, :limits) as decision',
    {
      event: JSON.stringify({ ...caller, number: numberOfCaller(caller.from), callId: inboundCallId(now) }),
      now: timestamp(now),
      limits: JSON.stringify(limits),
    },
  );
  return decision;
}

/** Records that the workflow has started. */
export async function recordStarted(db: Db, callId: string): Promise<void> {
  await rows(db, 'update calls set to_start_since = null where call_id = :callId', { callId });
}

export interface UnstartedCaller {
  callId: string;
  organizationId: string;
  agentId: string;
  config: unknown;
  isOver: boolean;
}

/** Returns inbound calls whose workflow isn't known to have started, oldest first. */
export function unstartedCallers(db: Db, before: number): Promise<UnstartedCaller[]> {
  return rows<UnstartedCaller>(
    db,
    `select k.call_id as "callId", k.organization_id as "organizationId", k.agent_id as "agentId", f.config, k.stage = 'over' as "isOver"
     from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
     where k.to_start_since < :before order by k.to_start_since limit 200`,
    { before: timestamp(before) },
  );
}

/** Returns calls accepted before `before` that are still unanswered. The carrier may never have received our response. */
export async function unconfirmedCallers(db: Db, before: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    `select call_id as id from calls
     where stage = 'placed' and direction = 'Incoming' and medium = 'telephony' and answered_at is null and accepted_at < :before
     order by accepted_at limit 200`,
    { before: timestamp(before) },
  );
  return found.map(({ id }) => id);
}
