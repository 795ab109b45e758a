-- Returns when the next redial, callback or deferred contact of a campaign is due after p_now. Null if there is none.
-- Guarantee: reads one row per time zone of the contacts.
-- Locks: none.
-- Callers: db/campaigns/engine.ts, db/campaigns/overview.ts, db/campaigns/progress.ts.
create or replace function next_due_at(c campaigns, p_now timestamptz) returns timestamptz language sql stable as $$
  select min(due.at) from unnest(c.zone_keys) zone cross join lateral (
    select next_attempt_at as at from contacts
      where campaign_id = c.id and zone_key = zone and state = 'pending' and call_id is null and next_attempt_at > p_now
      order by next_attempt_at limit 1) due
$$;
