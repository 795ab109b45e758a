-- Returns rule profiles by name, as a JSON list: the organization's own profiles in full, and the names of shipped
-- profiles, which the platform's code contains. Skips nulls.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: dial_rules, db/campaigns/snapshot.ts, db/organizations/rule-profiles.ts.
create or replace function rule_profiles_of(p_organization uuid, p_names text[]) returns jsonb language plpgsql stable as $$
begin
  if array_remove(p_names, null) = '{}' then return '[]'; end if;
  return (select coalesce(jsonb_agg(coalesce(r.profile, to_jsonb(named.name)) order by named.nth), '[]')
    from unnest(p_names) with ordinality named (name, nth)
      left join rule_profiles r on r.organization_id = p_organization and r.name = named.name
    where named.name is not null);
end $$;
