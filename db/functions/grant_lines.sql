-- Grants free lines of an organization to its waiting calls: first dispatches, longest waiting first, then the
-- organization's campaigns in turn. Returns the ids of the calls that got a line.
-- Runs without bitmap scans, because they reread the index entries of released lines until the next vacuum. Index scans
-- mark such entries as dead. Plans each statement once per connection. By default, Postgres would plan the
-- look-ups by id again in every run.
-- Same rule: domain/dry-run/lines.ts.
-- Guarantee: live calls never exceed the organization's maximum or a campaign's concurrency. A campaign gets a line
-- only while it is active and within its dialling time. A number has one live call per organization (lines_of_number):
-- another call to it keeps its place in the queue and takes no line from the calls behind it.
-- Locks: the caller holds the organization's row, which protects every grant. Locks the rows of the campaigns and calls
-- that get lines.
-- Callers: claim_page, defer_dial, end_calls, give_up_redials, register_waiting, return_line, withdraw_rest.
create or replace function grant_lines(p_organization uuid, p_now timestamptz) returns text[] language plpgsql set enable_bitmapscan to off set enable_seqscan to off
set plan_cache_mode to force_generic_plan as $$
declare
  free integer;
  busy jsonb;
  chosen text[];
  is_crowded boolean;
  turns uuid[];
  given text[];
  granted text[] := '{}';
begin
  loop
    select c.max_concurrency - (select count(*) from lines l where l.organization_id = c.id) into free from organizations c where c.id = p_organization;
    if free <= 0 then return granted; end if;
    -- Looking keys up in an object is fast, and the planner can't turn it into a join over all waiting calls.
    select coalesce(jsonb_object_agg(number, true), '{}') into busy from lines where organization_id = p_organization and number is not null;
    -- `nth` is the call's place within its campaign. Each round gives every campaign one line, least recently granted first.
    with queue as (
      (select call_id, null::uuid as campaign_id, to_number, row_number() over (order by waiting_since, call_id) as nth,
          null::timestamptz as last_granted_at
        from calls where organization_id = p_organization and stage = 'waiting' and campaign_id is null
          and jsonb_exists(busy, to_number) is not true
        order by waiting_since, call_id limit free)
      union all
      select w.call_id, c.id, w.to_number, w.nth, c.last_granted_at
        from campaigns c cross join lateral (
          select call_id, to_number, row_number() over (order by waiting_since, contact_id) as nth
            from calls where organization_id = p_organization and campaign_id = c.id and stage = 'waiting'
              and jsonb_exists(busy, to_number) is not true
            order by waiting_since, contact_id
            limit greatest(c.concurrency - (select count(*) from lines l where l.campaign_id = c.id), 0)) w
        where c.organization_id = p_organization and c.status = 'active' and c.dialing_until > p_now
    ), next as (
      select call_id, campaign_id, to_number, row_number() over (order by campaign_id is not null, nth, last_granted_at nulls first, campaign_id) as place
        from queue order by place limit free
    ), one_each as materialized (
      select call_id, campaign_id, place, row_number() over (partition by coalesce(to_number, call_id) order by place) = 1 as is_first from next
    )
    select array_agg(call_id order by place) filter (where is_first), bool_or(not is_first),
        (select array_agg(campaign_id order by last_place)
          from (select campaign_id, max(place) as last_place from one_each where is_first group by 1) campaign)
      into chosen, is_crowded, turns from one_each;
    if chosen is null then return granted; end if;
    -- Skips campaigns that were paused since the queue was read.
    with turned as (
      update campaigns c set last_granted_at = clock_timestamp() + turn * interval '1 microsecond'
        from unnest(turns) with ordinality as taken (id, turn)
        where c.id = taken.id and c.status = 'active' and c.dialing_until > p_now
        returning c.id
    ) select array_agg(id) into turns from turned;
    -- The expression keeps the planner from using the index of all waiting calls, which looks cheaper than look-ups by id.
    with used as (
      update calls set stage = 'granted', granted_at = p_now
        where call_id = any(chosen) and stage || '' = 'waiting' and (campaign_id is null or campaign_id = any(turns))
        returning call_id, campaign_id, to_number
    ), taken as (
      insert into lines (call_id, organization_id, campaign_id, number, taken_at) select call_id, p_organization, campaign_id, to_number, p_now from used
    ) select coalesce(array_agg(call_id order by array_position(chosen, call_id)), '{}') into given from used;
    granted := granted || given;
    -- Skipping a second call to the same number used up a place, so the next round chooses without it.
    if not is_crowded or given = '{}' then return granted; end if;
  end loop;
end $$;
