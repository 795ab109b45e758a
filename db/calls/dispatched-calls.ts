import { randomBytes } from 'node:crypto';
import { recordAudit, type Actor } from '../clients/audit';
import type { Db } from '../kernel/connection';
import { errorCode } from '../kernel/error-code';
import { onlyRow, rows, timestamp } from '../kernel/query';

const RANDOM_BYTES = 16;

/** What a browser session has in place of the caller's number; also who they are in the room. */
export const BROWSER_USER = 'web-user';

/** Also the workflow id and the carrier's reference. */
export function outboundCallId(now: number): string {
  return `outbound-${Math.floor(now / 1000)}-${randomBytes(RANDOM_BYTES).toString('hex')}`;
}

/** What every dispatch says, whatever its medium. */
interface Dispatch {
  callId: string;
  clientId: string;
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
  /** Null leaves the caller ID to the carrier. */
  fromNumber: string | null;
  toNumber: string;
  /** Null leaves the voice to the agent. */
  voice: string | null;
  dndCheckSkipped: boolean;
}

export interface DispatchedSession extends Dispatch {
  /** How the agent is to sound and to greet. */
  session: Record<string, unknown>;
}

/** `version_removed`: the agent was changed so often since its version was read that it is gone; nothing was inserted. */
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

/** A person in a browser comes to the agent: they have no number, and nobody asked for their name. */
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

/** As `use_version` refuses it. */
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
      client_id: call.clientId,
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
      clientId: call.clientId,
      actor: call.actor,
      action: 'call.dispatch',
      subjectId: call.callId,
      now: call.now,
    });
  });
}

/** Whether the organization has spent its credits of the UTC day, and its dispatches are not exempt. */
export async function isPastSpend(
  db: Db,
  clientId: string,
  { configured, now }: { configured: number; now: number },
): Promise<boolean> {
  const { isPast } = await onlyRow<{ isPast: boolean }>(
    db,
    `select is_past_spend(:clientId, 'dispatches', :configured, :now) as "isPast"`,
    { clientId, configured, now: timestamp(now) },
  );
  return isPast;
}

/**
 * Takes back a call whose workflow was not started. False when its workflow has registered it for a line: then the start did get
 * through, its answer was lost, and the call goes on. Its record goes with it: the client never got its id.
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
