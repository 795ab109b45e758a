-- Returns whether a call that was granted a line must give it up because its campaign's concurrency or its organization's maximum was
-- lowered. Live calls keep their lines first, then the calls that got theirs earliest.
-- Guarantee: two calls that check at once see the same order, so all remaining lines are used.
-- Locks: none.
-- Callers: start_dial.
create or replace function has_too_many_before(k calls, c campaigns) returns boolean language plpgsql stable as $$
declare
  allowed integer := (select max_concurrency from organizations where id = k.organization_id);
  mine lines%rowtype;
begin
  if (select count(*) from lines l where l.organization_id = k.organization_id) <= allowed
     and (c.id is null or (select count(*) from lines l where l.campaign_id = c.id) <= c.concurrency) then
    return false;
  end if;
  select * into mine from lines where call_id = k.call_id;
  return (select count(*) >= allowed or count(*) filter (where l.campaign_id = c.id) >= c.concurrency
    from lines l join calls o on o.call_id = l.call_id
    where l.organization_id = k.organization_id and l.call_id <> k.call_id
      and (o.stage in ('requested', 'placed') or (l.taken_at, l.call_id) < (mine.taken_at, mine.call_id)));
end $$;
