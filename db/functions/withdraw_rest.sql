-- Ends everything in a campaign that the carrier wasn't asked to dial: pending contacts, and calls before their dial.
-- Live calls continue. Returns the ids of the ended calls, whose workflows the caller signals, and of the calls that
-- got their lines.
-- Guarantee: the campaign's counts match its contacts. A contact that waits for a callback is completed, because it was
-- reached before.
-- Locks: organization, then campaign.
-- Callers: db/campaigns/engine.ts.
create or replace function withdraw_rest(p_campaign uuid, p_contact_state text, p_call_status text, p_end_reason text, p_now timestamptz) returns jsonb
language plpgsql as $$
declare
  organization uuid;
  withdrawn text[];
  were_in_progress integer;
  ended_contacts integer;
  called_before integer;
begin
  select organization_id into organization from campaigns where id = p_campaign;
  perform 1 from organizations where id = organization for no key update;
  perform 1 from campaigns where id = p_campaign for no key update;
  with ended as (
    -- The carrier placed none of these calls, so they aren't attempts.
    update calls set stage = 'over', call_status = p_call_status, end_reason = p_end_reason, ended_at = p_now, reported_at = p_now,
        requested_at = null
      where campaign_id = p_campaign and stage in ('claimed', 'waiting', 'granted') returning call_id
  ) select coalesce(array_agg(call_id), '{}') into withdrawn from ended;
  delete from lines where call_id = any(withdrawn);
  select count(*) into were_in_progress from contacts
    where campaign_id = p_campaign and state = 'in_progress' and call_id = any(withdrawn);
  perform end_callback(callback_of, false, p_call_status) from contacts
    where campaign_id = p_campaign and callback_of is not null and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  update contacts set state = 'completed', reason = null, call_id = null, next_attempt_at = null, callback_of = null
    where campaign_id = p_campaign and callback_of is not null and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  get diagnostics called_before = row_count;
  update contacts set state = p_contact_state, reason = p_end_reason, call_id = null, next_attempt_at = null
    where campaign_id = p_campaign and (state = 'pending' or (state = 'in_progress' and call_id = any(withdrawn)));
  get diagnostics ended_contacts = row_count;
  update campaigns set in_progress_contacts = in_progress_contacts - were_in_progress,
      failed_contacts = failed_contacts + ended_contacts, completed_contacts = completed_contacts + called_before where id = p_campaign;
  return jsonb_build_object('ended', to_jsonb(withdrawn), 'granted', to_jsonb(grant_lines(organization, p_now)));
end $$;
