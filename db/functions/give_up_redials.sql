-- Ends the contacts of a campaign that have used up a lowered max_attempts: they fail with the end reason of their last
-- dial, and their calls that wait end undialled. Live calls finish and aren't redialled. Returns the ids of the ended
-- calls and of the calls that got their lines.
-- Guarantee: attempts never exceed the lowered max_attempts. Callbacks aren't redials, so they stay.
-- Locks: organization, then campaign.
-- Callers: db/campaigns/changes.ts.
create or replace function give_up_redials(p_campaign uuid, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  organization uuid;
  allowed integer;
  ended text[];
  were_in_progress integer;
  given_up integer;
begin
  select organization_id into organization from campaigns where id = p_campaign;
  perform 1 from organizations where id = organization for no key update;
  select max_attempts into allowed from campaigns where id = p_campaign for no key update;
  with over as (
    update calls set stage = 'over', call_status = 'cancelled', end_reason = 'cancelled', ended_at = p_now, reported_at = p_now, requested_at = null
      where campaign_id = p_campaign and stage in ('claimed', 'waiting', 'granted') and attempt > allowed returning call_id
  ) select coalesce(array_agg(call_id), '{}') into ended from over;
  delete from lines where call_id = any(ended);
  select count(*) into were_in_progress from contacts
    where campaign_id = p_campaign and state = 'in_progress' and call_id = any(ended);
  update contacts ct set state = 'failed', call_id = null, next_attempt_at = null,
      reason = (select end_reason from calls k where k.contact_id = ct.id and k.attempt = ct.attempts)
    where campaign_id = p_campaign and attempts >= allowed and callback_of is null
      and ((state = 'pending' and call_id is null) or (state in ('pending', 'in_progress') and call_id = any(ended)));
  get diagnostics given_up = row_count;
  update campaigns set in_progress_contacts = in_progress_contacts - were_in_progress, failed_contacts = failed_contacts + given_up
    where id = p_campaign;
  return jsonb_build_object('ended', to_jsonb(ended), 'granted', to_jsonb(grant_lines(organization, p_now)));
end $$;
