-- Gives free lines of a client to its waiting calls: the longest waiting dispatch first, then the campaigns of the client in turn. Returns
-- the ids of the calls that got one.
-- Same rule: workflows/domain/dry-run/waiting-calls.ts.
-- Guarantee: live calls never exceed the client's maximum, nor the concurrency of a campaign; a campaign gets a line only while it is
-- active and within its dialling time.
-- Locks: the caller holds the client's row, under which alone lines are granted. Locks the rows of the calls and campaigns that it grants
-- to.
-- Callers: claim_page, end_calls, give_up_redials, register_waiting, return_line, withdraw_rest.
create or replace function grant_lines(p_client uuid, p_now timestamptz) returns text[] language plpgsql as $$
declare
  granted text[] := '{}';
  free integer;
  chosen_campaign uuid;
  chosen text;
begin
  select c.max_concurrency - (select count(*) from lines l where l.client_id = c.id) into free from clients c where c.id = p_client;
  while free > 0 loop
    chosen_campaign := null;
    select call_id into chosen from calls
      where client_id = p_client and stage = 'waiting' and campaign_id is null and call_id <> all(granted)
      order by waiting_since, call_id limit 1 for no key update;
    if not found then
      select c.id into chosen_campaign from campaigns c
        where c.client_id = p_client and c.status = 'active' and c.dialing_until > p_now
          and exists (select 1 from calls w where w.client_id = p_client and w.campaign_id = c.id and w.stage = 'waiting'
            and w.call_id <> all(granted))
          and (select count(*) from lines l where l.campaign_id = c.id) < c.call_concurrency
        order by c.last_granted_at nulls first, c.id limit 1 for no key update;
      exit when not found;
      select call_id into chosen from calls
        where client_id = p_client and campaign_id = chosen_campaign and stage = 'waiting' and call_id <> all(granted)
        order by waiting_since, contact_id limit 1 for no key update;
      exit when not found;
      update campaigns set last_granted_at = clock_timestamp() where id = chosen_campaign;
    end if;
    insert into lines (call_id, client_id, campaign_id, taken_at) values (chosen, p_client, chosen_campaign, p_now);
    granted := granted || chosen;
    free := free - 1;
  end loop;
  if granted <> '{}' then update calls set stage = 'granted', granted_at = p_now where call_id = any(granted); end if;
  return granted;
end $$;
