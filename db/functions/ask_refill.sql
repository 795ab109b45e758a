-- Returns whether the campaign's workflow should be signalled to claim more contacts: few calls are ready while contacts are left, or its
-- last call is over. Same rule: domain/dry-run/dry-run.ts.
-- Guarantee: true once per page. The first call that gets true sets refill_requested_at, which the campaign's next survey clears.
-- Reconciliation repeats a lost signal.
-- Locks: the caller holds the campaign's row.
-- Callers: defer_dial, end_calls.
create or replace function ask_refill(p_campaign uuid, p_now timestamptz) returns boolean language plpgsql as $$
declare
  c campaigns%rowtype;
  few integer;
begin
  select * into c from campaigns where id = p_campaign;
  if c.refill_requested_at is not null then return false; end if;
  few := ready_ahead(c) / 3;
  -- The limit keeps the count cheap, because it runs at the end of every call.
  if ((select count(*) from (select from calls where organization_id = c.organization_id and campaign_id = p_campaign
        and stage in ('claimed', 'waiting') limit few + 1) ready) <= few
      and has_contacts_left(p_campaign))
     or not exists (select 1 from calls where campaign_id = p_campaign and stage <> 'over') then
    update campaigns set refill_requested_at = p_now where id = p_campaign;
    return true;
  end if;
  return false;
end $$;
