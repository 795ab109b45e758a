/** The call that a room of LiveKit's belongs to. */
import type { CallDirection } from '../../workflows/domain/call-kind';
import type { AnsweredBy } from '../../workflows/domain/call-outcome';
import type { CallStage } from '../../workflows/domain/call-stage';
import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';

export interface RoomCall {
  callId: string;
  stage: CallStage;
  direction: CallDirection;
  askedAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  /** Of the agent's version that the call runs with, and the call's own changes of it. */
  config: unknown;
  modifyAgent: Record<string, unknown> | null;
}

const SELECT = `select k.call_id as "callId", k.stage, k.direction, k.asked_at as "askedAt", k.answered_at as "answeredAt",
    k.answered_by as "answeredBy", k.modify_agent as "modifyAgent", f.config
  from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id`;

/** Rooms are named as their calls; only those of callers are named by LiveKit. */
export async function callOfRoom(db: Db, room: string): Promise<RoomCall | undefined> {
  return (
    (await firstRow<RoomCall>(db, `${SELECT} where k.call_id = :room`, { room })) ??
    (await firstRow<RoomCall>(
      db,
      `${SELECT} where k.carrier_id = :room and k.direction = 'Incoming' and k.medium = 'telephony'`,
      { room },
    ))
  );
}
