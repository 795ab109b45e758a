-- Returns the zone keys of a campaign's contacts that will be dialled now or later and have no call at the carrier. If
-- there is only one key, returns it even if no contact is left.
-- Guarantee: reads one row per zone, and the calls that wait.
-- Locks: none.
-- Callers: db/campaigns/snapshot.ts.
create or replace function zones_left(c campaigns) returns text[] language sql stable as $$
  select case when cardinality(c.zone_keys) = 1 then c.zone_keys else (select coalesce(array_agg(key), '{}') from (
    select key from unnest(c.zone_keys) key where exists (
      select from contacts where campaign_id = c.id and zone_key = key and state = 'pending' and call_id is null)
    union
    select ct.zone_key from calls k join contacts ct on ct.id = k.contact_id
      where k.campaign_id = c.id and k.stage in ('claimed', 'waiting', 'granted')) zones (key)) end
$$;
