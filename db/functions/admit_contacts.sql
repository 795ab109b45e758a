-- Makes contacts that store_contacts has stored part of a campaign: counts them and asks the campaign's workflow to survey.
-- p_stored: {stored, failed, afterRow, zoneKeys, columns, list}. `list` is {id, version} of the list that they were
-- copied from, or null. Returns {kind: 'admitted', stored, failed, total}, {kind: 'refused', status}, or
-- {kind: 'unknown'}. The caller must roll back unless they are admitted.
-- Guarantee: a campaign can't complete before contacts that were admitted have ended, because finishCampaign compares
-- the counts under the same lock. The campaign keeps its status. Contacts that were removed from their list while it
-- was copied aren't stored.
-- Locks: organization, then campaign.
-- Callers: db/campaigns/append.ts.
create or replace function admit_contacts(p_organization uuid, p_campaign uuid, p_stored jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  c campaigns%rowtype;
  stored_contacts integer := (p_stored->>'stored')::integer;
  failed integer := (p_stored->>'failed')::integer;
begin
  perform 1 from organizations where id = p_organization for no key update;
  select * into c from campaigns where id = p_campaign and organization_id = p_organization for no key update;
  if not found then return jsonb_build_object('kind', 'unknown'); end if;
  if c.ended_at is not null or c.status in ('completed', 'cancelled') then
    return jsonb_build_object('kind', 'refused', 'status', c.status);
  end if;
  if c.contacts_erased_at is not null then return jsonb_build_object('kind', 'refused', 'status', 'past its retention'); end if;
  if p_stored->'list' <> 'null' and not exists (
      select from contact_lists where id = (p_stored->'list'->>'id')::uuid and updated_at::text || contacts = p_stored->'list'->>'version') then
    with removed as (
      delete from contacts ct where campaign_id = p_campaign and row_number > (p_stored->>'afterRow')::integer
          and not exists (select from list_contacts where id = ct.list_contact_id)
        returning state
    ) select stored_contacts - count(*), failed - count(*) filter (where state = 'duplicate') into stored_contacts, failed from removed;
  end if;
  if stored_contacts > 0 then
    update campaigns set total_contacts = total_contacts + stored_contacts, failed_contacts = failed_contacts + failed,
        zone_keys = array(select jsonb_array_elements_text(p_stored->'zoneKeys') union select unnest(c.zone_keys) order by 1),
        contact_columns = (c.contact_columns || array(
          select column_name from jsonb_array_elements_text(p_stored->'columns') column_name where column_name <> all (c.contact_columns)))[1:100],
        refill_requested_at = coalesce(refill_requested_at, p_now), updated_at = p_now
      where id = p_campaign;
  end if;
  return jsonb_build_object('kind', 'admitted', 'stored', stored_contacts, 'failed', failed, 'total', c.total_contacts + stored_contacts);
end $$;
