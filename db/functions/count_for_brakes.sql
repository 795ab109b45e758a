-- Adds an ended call to the sums that brakes look at: the day's spend of campaign and client, and their latest dials. p_carrier_failed is
-- null where nothing can be said about the carrier; a browser session passes no trunk, and says nothing about it.
-- Guarantee: once for each call, as end_call is.
-- Locks: the caller holds client and campaign.
-- Callers: end_call.
create or replace function count_for_brakes(k calls, p_cost numeric, p_carrier_failed boolean, p_ended timestamptz) returns void
language plpgsql as $$
begin
  if p_cost > 0 then
    insert into spend as s (owner_id, day, credits)
      select owner, (p_ended at time zone 'UTC')::date, p_cost from unnest(array[k.client_id, k.campaign_id]) owner where owner is not null
      on conflict (owner_id, day) do update set credits = s.credits + excluded.credits;
  end if;
  -- Null where nothing was asked of the carrier, or nothing can be said about it.
  if k.medium = 'telephony' and k.asked_at is not null and p_carrier_failed is not null then
    update clients set recent_dials = right(recent_dials || p_carrier_failed::integer, 100) where id = k.client_id;
    update campaigns set recent_dials = right(recent_dials || p_carrier_failed::integer, 100) where id = k.campaign_id;
  end if;
end $$;
