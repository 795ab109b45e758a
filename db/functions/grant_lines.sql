-- Gives free lines of a client to its waiting calls: the longest waiting dispatches first, then the campaigns of the client in turn. Returns
-- the ids of the calls that got one.
-- Without bitmap scans: an index scan marks the entries of lines that were released, a bitmap scan reads them again until the next vacuum.
-- Same rule: workflows/domain/dry-run/waiting-calls.ts.
-- Guarantee: live calls never exceed the client's maximum, nor the concurrency of a campaign; a campaign gets a line only while it is
-- active and within its dialling time.
-- Locks: the caller holds the client's row, under which alone lines are granted. Locks the rows of the campaigns and calls that it grants
-- to.
-- Callers: claim_page, end_calls, give_up_redials, register_waiting, return_line, withdraw_rest.
create or replace function grant_lines(p_client uuid, p_now timestamptz) returns text[] language plpgsql set enable_bitmapscan to off set enable_seqscan to off as $$
declare
  free integer;
  chosen text[];
  turns uuid[];
  granted text[];
begin
  select c.max_concurrency - (select count(*) from lines l where l.client_id = c.id) into free from clients c where c.id = p_client;
  if free <= 0 then return '{}'; end if;
  -- `nth` among those of its campaign: in each round every campaign has one turn, first the one whose last turn is longest ago.
  with queue as (
    (select call_id, null::uuid as campaign_id, row_number() over (order by waiting_since, call_id) as nth, null::timestamptz as last_granted_at
      from calls where client_id = p_client and stage = 'waiting' and campaign_id is null
      order by waiting_since, call_id limit free)
    union all
    select w.call_id, c.id, w.nth, c.last_granted_at
      from campaigns c cross join lateral (
        select call_id, row_number() over (order by waiting_since, contact_id) as nth
          from calls where client_id = p_client and campaign_id = c.id and stage = 'waiting'
          order by waiting_since, contact_id
          limit greatest(c.call_concurrency - (select count(*) from lines l where l.campaign_id = c.id), 0)) w
      where c.client_id = p_client and c.status = 'active' and c.dialing_until > p_now
  ), next as materialized (
    select call_id, campaign_id, row_number() over (order by campaign_id is not null, nth, last_granted_at nulls first, campaign_id) as place
      from queue order by place limit free
  )
  select array_agg(call_id order by place),
      (select array_agg(campaign_id order by last_place) from (select campaign_id, max(place) as last_place from next group by 1) campaign)
    into chosen, turns from next;
  if chosen is null then return '{}'; end if;
  -- One that was paused meanwhile gets none.
  with turned as (
    update campaigns c set last_granted_at = clock_timestamp() + turn * interval '1 microsecond'
      from unnest(turns) with ordinality as taken (id, turn)
      where c.id = taken.id and c.status = 'active' and c.dialing_until > p_now
      returning c.id
  ) select array_agg(id) into turns from turned;
  -- The stage as an expression: else the index of all waiting calls looks cheaper than some look-ups by id.
  with used as (
    update calls set stage = 'granted', granted_at = p_now
      where call_id = any(chosen) and stage || '' = 'waiting' and (campaign_id is null or campaign_id = any(turns))
      returning call_id, campaign_id
  ), taken as (
    insert into lines (call_id, client_id, campaign_id, taken_at) select call_id, p_client, campaign_id, p_now from used
  ) select coalesce(array_agg(call_id order by array_position(chosen, call_id)), '{}') into granted from used;
  return granted;
end $$;
