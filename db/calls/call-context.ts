import type { CallDirection, CallMedium } from '../../domain/call';
import type { StoredProfile } from '../../domain/rules/stored-rules';
import type { Db } from '../kernel/connection';
import { firstRow } from '../kernel/query';

export interface StoredCallContext {
  callId: string;
  organizationId: string;
  medium: CallMedium;
  direction: CallDirection;
  isOver: boolean;
  name: string | null;
  variables: Record<string, unknown>;
  modifyAgent: Record<string, unknown> | null;
  session: Record<string, unknown> | null;
  /** Voice requested in the dispatch. Null uses the agent's own. */
  voice: string | null;
  xAgentId: string | null;
  /** Number that was dialled, or the caller's number. Null if there is none. */
  remoteNumber: string | null;
  agentName: string;
  /** Configuration of the agent version that the call uses, as stored. */
  config: unknown;
  /** Rule profiles of its organization and its campaign. None for a dispatched call. */
  profiles: StoredProfile[];
  /** The call is dialled for neither a campaign nor a callback. */
  isDispatch: boolean;
}

export function storedCallContext(db: Db, callId: string): Promise<StoredCallContext | undefined> {
  return firstRow<StoredCallContext>(
    db,
    `select k.call_id as "callId", k.organization_id as "organizationId", k.medium, k.direction, k.stage = 'over' as "isOver", k.name, k.metadata as variables,
       k.modify_agent as "modifyAgent", k.session, k.voice, k.x_agent_id as "xAgentId",
       case when k.medium = 'webrtc' then null when k.direction = 'Outbound' then k.to_number else k.from_number end
         as "remoteNumber", a.display_name as "agentName", f.config,
       k.campaign_id is null and k.callback_of is null as "isDispatch",
       case when k.direction <> 'Outbound' or k.medium <> 'telephony' or (k.campaign_id is null and k.callback_of is null) then '[]'
         else rule_profiles_of(k.organization_id, array[o.rule_profile, c.rule_profile]) end as profiles
     from calls k
     join organizations o on o.id = k.organization_id
     left join campaigns c on c.id = k.campaign_id
     join agents a on a.id = k.agent_id
     join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version
     join agent_configs f on f.id = v.config_id
     where k.call_id = :callId`,
    { callId },
  );
}

/** Maximum number of action requests with secret headers per call. */
export const MAX_ACTION_REQUESTS = 200;

/** Counts a request for an action with secret headers. Returns `over` if the call isn't live. */
export async function countActionRequest(db: Db, callId: string): Promise<'counted' | 'too many' | 'over'> {
  const found = await firstRow<{ isCounted: boolean; isLive: boolean }>(
    db,
    `with counted as (
       update calls set action_requests = action_requests + 1
       where call_id = :callId and stage in ('granted', 'requested', 'placed') and action_requests < :max
       returning 1)
     select exists (select from counted) as "isCounted", stage in ('granted', 'requested', 'placed') as "isLive"
     from calls where call_id = :callId`,
    { callId, max: MAX_ACTION_REQUESTS },
  );
  if (found === undefined) return 'over';
  if (found.isCounted) return 'counted';
  return found.isLive ? 'too many' : 'over';
}
