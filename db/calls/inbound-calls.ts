import { randomBytes } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { onlyRow, rows, timestamp } from '../kernel/query';
import { numberOfCaller } from '../../domain/caller-number';

const RANDOM_BYTES = 16;

/** Also the workflow id and the reference that the carrier is given. */
export function inboundCallId(now: number): string {
  return `inbound-${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** A caller, as the carrier announces them. */
export interface Caller {
  /** The carrier's own id of the call: announced again, it is the same caller. */
  carrierId: string;
  /** One of our numbers, E.164. */
  to: string;
  /** As the carrier names it; null where it is withheld. */
  from: string | null;
  /** ISO instant of the first ring. */
  at: string;
}

export type CallerDecision =
  | {
      kind: 'accepted';
      callId: string;
      clientId: string;
      agentId: string;
      /** Of the version that the call runs with. */
      config: unknown;
      /** Its workflow is not known to run. */
      toStart: boolean;
    }
  /** No line for this caller now; the call is on record with its reason. */
  | { kind: 'busy' }
  /** No agent answers the number, or none that may. */
  | { kind: 'unknown' };

export interface CallerLimits {
  /** Only numbers that are registered for an organization take callers. */
  registeredOnly: boolean;
  /** Credits a UTC day of organizations without a limit of their own; 0 is none. */
  spendPerDay: number;
}

/** Accepts or refuses a caller in one transaction. A repeated announcement gets the first answer. */
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

/** Its workflow runs, or has run. */
export async function recordStarted(db: Db, callId: string): Promise<void> {
  await rows(db, 'update calls set to_start_since = null where call_id = :callId', { callId });
}

export interface UnstartedCaller {
  callId: string;
  clientId: string;
  agentId: string;
  config: unknown;
  isOver: boolean;
}

/** Inbound calls whose workflow is not known to run. The oldest first. */
export function unstartedCallers(db: Db, before: number): Promise<UnstartedCaller[]> {
  return rows<UnstartedCaller>(
    db,
    `select k.call_id as "callId", k.client_id as "clientId", k.agent_id as "agentId", f.config, k.stage = 'over' as "isOver"
     from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
     where k.to_start_since < :before order by k.to_start_since limit 200`,
    { before: timestamp(before) },
  );
}

/**
 * Callers who were accepted and of whom nothing came since: the carrier may never have had our answer. `before` is when they were accepted.
 */
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
