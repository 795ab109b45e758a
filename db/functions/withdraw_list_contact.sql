-- Ends the contacts that open campaigns have copied from a contact of a list, because that contact was removed from the
-- list. Calls that wait end undialled. Returns {ended, campaigns}: the ended calls and the campaigns to wake.
-- Guarantee: the counts of the campaigns match their contacts. A contact with a call that holds a line doesn't change,
-- and one that waits for a callback is completed, because it was reached before.
-- Locks: organization, then the campaigns in the order of their ids.
-- Callers: db/campaigns/append.ts.
create or replace function withdraw_list_contact(p_organization uuid, p_list_contact bigint, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  campaign_ids uuid[];
  ended text[];
  woken uuid[];
begin
  perform 1 from organizations where id = p_organization for no key update;
  select array_agg(id) into campaign_ids from (
    select id from campaigns where organization_id = p_organization and ended_at is null
        and id in (select campaign_id from contacts where list_contact_id = p_list_contact and organization_id = p_organization)
      order by id for no key update) locked;
  with over as (
    -- The carrier placed none of these calls, so they aren't attempts.
    update calls k set stage = 'over', call_status = 'cancelled', end_reason = 'cancelled', ended_at = p_now, reported_at = p_now, requested_at = null
      from contacts ct where ct.list_contact_id = p_list_contact and ct.campaign_id = any(campaign_ids) and k.call_id = ct.call_id
        and k.stage || '' in ('claimed', 'waiting')
      returning k.call_id
  ) select coalesce(array_agg(call_id), '{}') into ended from over;
  perform end_callback(callback_of, false, 'cancelled') from contacts
    where list_contact_id = p_list_contact and campaign_id = any(campaign_ids) and callback_of is not null and state = 'pending'
      and (call_id is null or call_id = any(ended));
  with withdrawn as (
    update contacts set state = case when callback_of is null then 'cancelled' else 'completed' end,
        reason = case when callback_of is null then 'removed from its list' end, call_id = null, next_attempt_at = null, callback_of = null
      where list_contact_id = p_list_contact and campaign_id = any(campaign_ids) and state = 'pending' and (call_id is null or call_id = any(ended))
      returning campaign_id, state
  ), counted as (
    update campaigns c set completed_contacts = completed_contacts + n.completed, failed_contacts = failed_contacts + n.cancelled,
        refill_requested_at = coalesce(refill_requested_at, p_now)
      from (select campaign_id, count(*) filter (where state = 'completed') as completed, count(*) filter (where state = 'cancelled') as cancelled
              from withdrawn group by campaign_id) n
      where c.id = n.campaign_id returning c.id
  ) select array_agg(id) into woken from counted;
  return jsonb_build_object('ended', to_jsonb(ended), 'campaigns', to_jsonb(coalesce(woken, '{}')));
end $$;
