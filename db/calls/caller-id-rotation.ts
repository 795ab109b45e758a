import type { Db } from '../kernel/connection';
import { firstRow, onlyRow } from '../kernel/query';

/** Increments the agent's call counter, which all workers share, and returns it. The first call gets 1. */
export async function nextCallerIdTurn(db: Db, callId: string): Promise<number> {
  const { turn } = await onlyRow<{ turn: string }>(
    db,
    `insert into caller_id_rotation as t (agent_id, turn) select agent_id, 1 from calls where call_id = :callId
     on conflict (agent_id) do update set turn = t.turn + 1 returning turn`,
    { callId },
  );
  return Number(turn);
}

/** Returns the caller ID of the contact's previous dial. Null for a first dial, or if the carrier chose the caller ID. */
export async function callerIdBefore(db: Db, callId: string): Promise<string | null> {
  const before = await firstRow<{ from: string | null }>(
    db,
    `select p.from_number as "from" from calls k join calls p on p.contact_id = k.contact_id and p.attempt = k.attempt - 1
     where k.call_id = :callId`,
    { callId },
  );
  return before?.from ?? null;
}

/** Returns the settings that determine a call's caller ID. Undefined for a campaign's call. */
export function callerIdSources(
  db: Db,
  callId: string,
): Promise<
  { from: string | null; config: unknown; modifyAgent: Record<string, unknown> | null } | undefined
> {
  return firstRow(
    db,
    `select k.from_number as "from", k.modify_agent as "modifyAgent", f.config
     from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
     where k.call_id = :callId and k.campaign_id is null`,
    { callId },
  );
}
