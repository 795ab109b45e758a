-- Claims up to p_limit due contacts of a campaign: creates the rows of their next call attempts, records until when the
-- campaign may dial, and grants lines. p_zones are the zone keys whose contacts may be called now; null means all. `more` means that the caller must claim another page.
-- Same rule: domain/dry-run/contact-queue.ts.
-- Guarantee: one attempt row per dial of a contact (unique on contact and attempt). After a crash, a repeated run also
-- returns the calls that were claimed but never registered, so every claimed contact gets its workflow.
-- Locks: organization, then campaign.
-- Callers: db/calls/engine.ts.
create or replace function claim_page(p_campaign uuid, p_now timestamptz, p_until timestamptz, p_limit integer, p_zones text[] default null) returns jsonb
language plpgsql as $$
declare
  c campaigns%rowtype;
  organization organizations%rowtype;
  wanted integer;
  page integer;
  created_calls integer;
begin
  select * into organization from organizations where id = (select organization_id from campaigns where id = p_campaign) for no key update;
  select * into c from campaigns where id = p_campaign for no key update;
  if c.status in ('paused', 'completed', 'cancelled') then
    return jsonb_build_object('claimed', '[]'::jsonb, 'granted', '[]'::jsonb, 'more', false);
  end if;
  wanted := least(c.concurrency, organization.max_concurrency) + ready_ahead(c)
    - (select count(*) from calls where campaign_id = p_campaign and stage <> 'over');
  page := greatest(least(wanted, p_limit), 0);
  -- Due redials come before first dials. Two index ranges per zone avoid reading redials that aren't due yet.
  with due as (
    select d.id, d.attempts from unnest(coalesce(p_zones, c.zone_keys)) zone cross join lateral (
      (select id, attempts, next_attempt_at, row_number from contacts
        where campaign_id = p_campaign and zone_key = zone and state = 'pending' and call_id is null and next_attempt_at <= p_now
        order by next_attempt_at, row_number limit page)
      union all
      (select id, attempts, next_attempt_at, row_number from contacts
        where campaign_id = p_campaign and zone_key = zone and state = 'pending' and call_id is null and next_attempt_at is null
        order by next_attempt_at, row_number limit page)
      limit page) d
    order by d.next_attempt_at nulls last, d.row_number limit page
  ), created as (
    insert into calls (call_id, organization_id, agent_id, agent_version, campaign_id, contact_id, attempt, call_type, direction,
                       name, to_number, metadata, accepted_at, callback_of, callback_depth)
    select 'outbound-' || floor(extract(epoch from p_now))::bigint || '-' || replace(gen_random_uuid()::text, '-', ''),
           c.organization_id, c.agent_id, a.version, c.id, ct.id, case when ct.callback_of is null then due.attempts + 1 end, 'Outbound', 'Outbound',
           ct.name, ct.phone_number, ct.variables, p_now, ct.callback_of,
           coalesce((select callback_depth + 1 from calls o where o.call_id = ct.callback_of), 0)
    from due join contacts ct on ct.id = due.id join agents a on a.id = c.agent_id
    returning call_id, contact_id
  )
  update contacts ct set call_id = created.call_id from created where ct.id = created.contact_id;
  get diagnostics created_calls = row_count;
  update campaigns set status = 'active', status_reason = null, dialing_until = p_until,
      updated_at = case when status = 'active' then updated_at else p_now end
    where id = p_campaign;
  return jsonb_build_object(
    'claimed', coalesce((select jsonb_agg(jsonb_build_object('callId', k.call_id, 'attempt', k.attempt, 'maxAttempts', c.max_attempts) order by k.contact_id)
                         from calls k where k.campaign_id = p_campaign and k.stage = 'claimed'), '[]'::jsonb),
    'granted', to_jsonb(grant_lines(c.organization_id, p_now)),
    'more', wanted > p_limit and created_calls = p_limit);
end $$;
