-- Adds to the total of a list, which is stored as the sum of its slots (docs/decisions/0012-totals-in-slots.md).
-- Updates a slot that no other open transaction has changed, or inserts a new one.
-- Guarantee: totals are exact at any instant, even after a rollback.
-- Locks: one slot, without waiting for it, so it can't be part of a deadlock.
-- Callers: count_agent_bytes, count_agents, count_campaigns, count_contacts, count_deliveries,
-- count_list_contacts, count_rows, drop_call_month.
create or replace function add_to_list(p_organization uuid, p_list text, p_part text, p_change bigint) returns void language plpgsql as $$
declare
  free bigint;
begin
  select slot into free from list_totals where organization_id = p_organization and list = p_list and part = p_part
    order by slot limit 1 for no key update skip locked;
  if found then
    update list_totals set total = total + p_change
      where organization_id = p_organization and list = p_list and part = p_part and slot = free;
  else
    insert into list_totals (organization_id, list, part, total) values (p_organization, p_list, p_part, p_change);
  end if;
end $$;
