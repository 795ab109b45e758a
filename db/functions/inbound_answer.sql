-- Returns the stored decision on an inbound call, or null if there is none.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: take_inbound.
create or replace function inbound_answer(p_carrier_id text) returns jsonb language sql as $$
  select case when k.granted_at is null then jsonb_build_object('kind', 'busy') else jsonb_build_object('kind', 'accepted',
      'callId', k.call_id, 'organizationId', k.organization_id, 'agentId', k.agent_id, 'config', f.config, 'toStart', k.to_start_since is not null) end
  from calls k join agent_versions v on v.agent_id = k.agent_id and v.version = k.agent_version join agent_configs f on f.id = v.config_id
  where k.carrier_id = p_carrier_id and k.direction = 'Incoming' and k.medium = 'telephony'
$$;
