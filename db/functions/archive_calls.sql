-- Archives calls of an organization: moves them and their segments to the months of their ids (months_of). A call can
-- move when it was over and concluded before p_before, its campaign (if any) ended before p_before, it has no open
-- callback, retention isn't working on it, and its workflow isn't suspect. Checks up to p_limit calls after p_after =
-- {endedAt, callId}, in the order of their ends. Returns {moved, until}: how many it moved, and the last call it
-- checked, or null at the end.
-- Guarantee: at any instant a call is either in `calls` or in one month. Only retention and erasure write archived
-- calls. A contact's attempt stays in `calls` while its campaign can dial, which prevents a second dial.
-- Locks: the calls that it moves. It skips locked calls until the next run and takes no lock that a dial waits for.
-- Takes hold_months exclusively.
-- Callers: db/calls/archive.ts.
create or replace function archive_calls(p_organization uuid, p_after jsonb, p_before timestamptz, p_limit integer) returns jsonb language plpgsql as $$
declare
  checked_at jsonb;
  archivable text[];
  moving text[];
  to_month date;
  moved integer := 0;
begin
  perform hold_months(true);
  with page as materialized (
    select call_id, ended_at, campaign_id, concluded_at, callback_status from calls
    where organization_id = p_organization and stage = 'over' and ended_at < p_before
      and (ended_at, call_id) > (coalesce((p_after->>'endedAt')::timestamptz, '-infinity'), coalesce(p_after->>'callId', ''))
    order by ended_at, call_id limit p_limit
  )
  select (select jsonb_build_object('endedAt', ended_at::text, 'callId', call_id) from page order by ended_at desc, call_id desc limit 1),
      array(select call_id from page where concluded_at < p_before and callback_status is distinct from 'scheduled'
        and (campaign_id is null or exists (select from campaigns c where c.id = campaign_id and c.ended_at < p_before))
        and not exists (select from retention_left l where l.organization_id = p_organization and l.call_id = page.call_id)
        and not exists (select from suspect_workflows d where d.workflow_id = page.call_id))
    into checked_at, archivable;
  archivable := array(select call_id from calls where call_id = any(archivable) for update skip locked);
  foreach to_month in array months_of(archivable) loop
    perform make_call_month(to_month);
    moving := array(select call_id from unnest(archivable) call_id where months_of(array[call_id]) = array[to_month]);
    update all_calls set month = to_month where call_id = any(moving) and month is null;
    update all_call_segments set month = to_month where call_id = any(moving) and month is null;
    moved := moved + cardinality(moving);
  end loop;
  return jsonb_build_object('moved', moved, 'until', checked_at);
end $$;
