import { randomBytes } from 'node:crypto';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { errorCode } from '../kernel/error-code';
import { onlyRow, rows, timestamp } from '../kernel/query';

const RANDOM_BYTES = 16;

/** Used in a browser session instead of the caller's number, and as the participant's identity in the room. */
export const BROWSER_USER = 'web-user';

/** Creates a call id, which is also the workflow id and the carrier's reference. */
export function outboundCallId(now: number): string {
  return `outbound-${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** Fields of every dispatch. */
interface Dispatch {
  callId: string;
  organizationId: string;
  agentId: string;
  agentVersion: number;
  metadata: Record<string, unknown>;
  modifyAgent: Record<string, unknown> | null;
  xAgentId: string | null;
  actor: Actor;
  now: number;
}

export interface DispatchedCall extends Dispatch {
  name: string;
  /** Null lets the carrier choose the caller ID. */
  fromNumber: string | null;
  toNumber: string;
  /** Null uses the agent's own voice. */
  voice: string | null;
  dndCheckSkipped: boolean;
}

interface DispatchedSession extends Dispatch {
  /** Voice and greeting of the agent. */
  session: Record<string, unknown>;
}

/** `version_removed`: nothing was inserted, because the agent's version was removed after many changes. Read the agent and retry. */
export type DispatchInsertion = 'inserted' | 'version_removed';

export function insertDispatchedCall(db: Db, call: DispatchedCall): Promise<DispatchInsertion> {
  return insertDispatch(db, call, {
    medium: 'telephony',
    call_type: 'Outbound',
    direction: 'Outbound',
    name: call.name,
    from_number: call.fromNumber,
    to_number: call.toNumber,
    voice: call.voice,
    dnd_check_skipped: call.dndCheckSkipped,
  });
}

/** Inserts a browser session as an inbound call without a number or a name. */
export function insertDispatchedSession(db: Db, call: DispatchedSession): Promise<DispatchInsertion> {
  return insertDispatch(db, call, {
    medium: 'webrtc',
    call_type: 'Inbound',
    direction: 'Incoming',
    from_number: BROWSER_USER,
    session: JSON.stringify(call.session),
  });
}

async function insertDispatch(
  db: Db,
  call: Dispatch,
  ofMedium: Record<string, unknown>,
): Promise<DispatchInsertion> {
  try {
    await insert(db, call, ofMedium);
    return 'inserted';
  } catch (error) {
    if (namesRemovedVersion(error)) return 'version_removed';
    throw error;
  }
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Recognizes the error that the trigger `use_version` raises. */
const namesRemovedVersion = (error: unknown): boolean =>
  errorCode(error) === FOREIGN_KEY_VIOLATION &&
  typeof error === 'object' &&
  error !== null &&
  'constraint' in error &&
  error.constraint === 'calls_agent_version';

function insert(db: Db, call: Dispatch, ofMedium: Record<string, unknown>): Promise<void> {
  return db.transaction(async (trx) => {
    await trx('calls').insert({
      ...ofMedium,
      call_id: call.callId,
      organization_id: call.organizationId,
      agent_id: call.agentId,
      agent_version: call.agentVersion,
      metadata: JSON.stringify(call.metadata),
      modify_agent: call.modifyAgent === null ? null : JSON.stringify(call.modifyAgent),
      x_agent_id: call.xAgentId,
      stage: 'claimed',
      call_status: 'queued',
      accepted_at: timestamp(call.now),
    });
    await recordAudit(trx, {
      organizationId: call.organizationId,
      actor: call.actor,
      action: 'call.dispatch',
      subjectId: call.callId,
      now: call.now,
    });
  });
}

/** Returns whether the organization has used up its credits for the UTC day and its dispatches aren't exempt. */
export async function isPastSpend(
  db: Db,
  organizationId: string,
  { configured, now }: { configured: number; now: number },
): Promise<boolean> {
  const { isPast } = await onlyRow<{ isPast: boolean }>(
    db,
    `select is_past_spend(:organizationId, 'dispatches', :configured, :now) as "isPast"`,
    { organizationId, configured, now: timestamp(now) },
  );
  return isPast;
}

/**
 * Removes a call whose workflow could not be started, with its audit entries. Returns false if the workflow has already registered the call
 * for a line, because then the start did succeed and only its response was lost.
 */
export async function withdrawDispatchedCall(db: Db, callId: string): Promise<boolean> {
  const gone = await rows(
    db,
    `with present as (select stage from calls where call_id = :callId for update),
     gone as (delete from calls where call_id = :callId and stage = 'claimed' returning call_id),
     forgotten as (delete from audit_log where subject_id in (select call_id from gone))
     select 1 from gone union all select 1 where not exists (select 1 from present)`,
    { callId },
  );
  return gone.length > 0;
}
