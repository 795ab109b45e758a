-- Whether a campaign has contacts that are dialled now or later and have no call yet.
-- Guarantee: read in the order of their index, one row: a look for any such row reads the table from its start, past all that were called.
-- Locks: none.
-- Callers: ask_refill, db/campaigns/engine.ts, db/campaigns/overview.ts, db/campaigns/progress.ts.
create or replace function has_contacts_left(p_campaign uuid) returns boolean language plpgsql stable as $$
begin
  perform 1 from contacts where campaign_id = p_campaign and state = 'pending' and call_id is null
    order by next_attempt_at, row_number limit 1;
  return found;
end $$;
