-- Returns whether a campaign has contacts without a call that will be dialled now or later.
-- Guarantee: reads one row, in index order. Without the order it would scan the table from its start, past every
-- contact that was called.
-- Locks: none.
-- Callers: ask_refill, db/campaigns/engine.ts, db/campaigns/overview.ts, db/campaigns/progress.ts.
create or replace function has_contacts_left(p_campaign uuid) returns boolean language plpgsql stable as $$
begin
  perform 1 from contacts where campaign_id = p_campaign and state = 'pending' and call_id is null
    order by zone_key, next_attempt_at, row_number limit 1;
  return found;
end $$;
