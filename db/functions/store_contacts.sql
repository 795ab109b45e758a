-- Stores contacts in a campaign: those of the JSON array p_contacts, or the next p_limit contacts of the list p_list after
-- the id p_after. Returns {read, lastId, afterRow, stored, failed, zoneKeys, columns}. `afterRow` is the last row before.
-- Guarantee: stores a contact once per campaign. Its external_id identifies it, or else its number among the contacts
-- without an external_id. A contact whose number the campaign already has is stored as a duplicate of the first row
-- with that number and is never dialled. admit_contacts must count the contacts in the same transaction.
-- Locks: an advisory lock of the campaign, so that appends to it run one after the other and engine transactions
-- don't wait for them. Taken before any row lock.
-- Callers: db/campaigns/append.ts.
create or replace function store_contacts(p_organization uuid, p_campaign uuid, p_contacts jsonb, p_list uuid, p_after bigint, p_limit integer) returns jsonb
language plpgsql as $$
declare
  last_row integer;
  result jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('append ' || p_campaign, 0));
  select coalesce(max(row_number), 1) into last_row from contacts where campaign_id = p_campaign;
  with given as materialized (
    (select nth, null::bigint as list_contact_id, external_id, name, phone_number, metadata, timezone, language, consent_at, '' as zone_key
      from rows from (jsonb_to_recordset(p_contacts) as (external_id text, name text, phone_number text, metadata jsonb, timezone text,
          language text, consent_at timestamptz)) with ordinality
        contact (external_id, name, phone_number, metadata, timezone, language, consent_at, nth))
    union all
    (select id, id, external_id, name, phone_number, metadata, timezone, language, consent_at, zone_key
      from list_contacts where list_id = p_list and organization_id = p_organization and id > p_after order by id limit p_limit)
  ), copies as (
    select *, row_number() over (partition by external_id, case when external_id is null then phone_number end order by nth) as copy from given
  ), added as materialized (
    -- Look-ups by row, because the planner could turn `not exists` into a join over all contacts of the campaign.
    select *, last_row + row_number() over (order by nth) as new_row from copies k
      where copy = 1 and case when external_id is null
        then (select min(row_number) from contacts where organization_id = p_organization and campaign_id = p_campaign
          and phone_number = k.phone_number and external_id is null)
        else (select row_number from contacts where campaign_id = p_campaign and external_id = k.external_id) end is null
  ), compared as (
    select *, coalesce(
        (select min(row_number) from contacts where organization_id = p_organization and campaign_id = p_campaign and phone_number = a.phone_number),
        nullif(min(new_row) over (partition by phone_number), new_row)) as duplicate_of
      from added a
  ), stored as (
    insert into contacts (campaign_id, row_number, name, phone_number, variables, state, reason, external_id, list_contact_id, timezone,
        language, consent_at, zone_key)
      select p_campaign, new_row, name, phone_number, metadata, case when duplicate_of is null then 'pending' else 'duplicate' end,
          'same number as row ' || duplicate_of, external_id, list_contact_id, timezone, language, consent_at, zone_key
        from compared order by new_row
      returning state, zone_key, variables
  )
  select jsonb_build_object('read', (select count(*) from given), 'lastId', (select max(list_contact_id) from given), 'afterRow', last_row,
      'stored', count(*), 'failed', count(*) filter (where state = 'duplicate'), 'zoneKeys', coalesce(jsonb_agg(distinct zone_key), '[]'),
      'columns', (select coalesce(jsonb_agg(distinct key), '[]') from stored, jsonb_object_keys(variables) key))
    into result from stored;
  return result;
end $$;
