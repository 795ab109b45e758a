import type { CallDirection, CallMedium, CallStage } from '../../domain/call';
import type { AnsweredBy } from '../../domain/call-outcome';
import type { OrphanedBy } from '../../domain/orphaned-call';
import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';
import { inMonthsOf } from './months';

export interface RoomCall {
  callId: string;
  stage: CallStage;
  medium: CallMedium;
  direction: CallDirection;
  requestedAt: Date | null;
  dialingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  isHangUpRequested: boolean;
  /** When the agent or LiveKit last reported on the call. */
  reportedAt: Date | null;
  /** When the call was orphaned. Null if it isn't orphaned. */
  orphanedAt: Date | null;
  orphanedBy: OrphanedBy | null;
  /** Configuration of the agent version that the call uses. `modifyAgent` has the call's own changes to it. */
  config: unknown;
  modifyAgent: Record<string, unknown> | null;
}

const SELECT = `select k.call_id as "callId", k.stage, k.medium, k.direction, k.requested_at as "requestedAt", k.dialing_at as "dialingAt",
    k.answered_at as "answeredAt", k.answered_by as "answeredBy", k.hang_up_requested_at is not null as "isHangUpRequested",
    k.reported_at as "reportedAt", k.orphaned_at as "orphanedAt", k.orphaned_by as "orphanedBy", k.modify_agent as "modifyAgent", f.config
  from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id`;

export const roomCall = (db: Db, callId: string, { lock = false } = {}): Promise<RoomCall | undefined> =>
  firstRow<RoomCall>(db, `${SELECT} where k.call_id = :callId ${lock ? 'for no key update of k' : ''}`, {
    callId,
  });

/** A room is named after its call's id, except for inbound phone calls, whose rooms LiveKit names. */
export async function callOfRoom(db: Db, room: string): Promise<RoomCall | undefined> {
  return (
    (await roomCall(db, room)) ??
    (await firstRow<RoomCall>(
      db,
      `${SELECT} where k.carrier_id = :room and k.direction = 'Incoming' and k.medium = 'telephony'`,
      { room },
    ))
  );
}

/** Returns the call's LiveKit room. Null before the answer and after the end. Undefined for a call of another organization. */
export const conversationOf = (
  db: Db,
  call: { callId: string; organizationId: string },
): Promise<{ room: string | null } | undefined> =>
  firstRow<{ room: string | null }>(
    db,
    `select case when stage = 'placed' and answered_at is not null
         then case when direction = 'Incoming' and medium = 'telephony' then carrier_id else call_id end end as room
     from all_calls where call_id = :callId and ${inMonthsOf('all_calls', 'array[:callId]')} and organization_id = :organizationId`,
    call,
  );
