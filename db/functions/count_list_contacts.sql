-- Maintains the number of contacts in the lists of each organization, which count towards the quota contacts.
-- Guarantee: the same as add_to_list. Counts per row of a list, because each change of a list's contacts updates its row.
-- Locks: the same as add_to_list.
-- Callers: trigger count_list_contacts_changed on contact_lists, trigger count_list_contacts_deleted on contact_lists.
create or replace function count_list_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform add_to_list(old.organization_id, 'contacts', '', -old.contacts);
  else
    perform add_to_list(new.organization_id, 'contacts', '', (new.contacts - old.contacts)::bigint);
  end if;
  return null;
end $$;

create trigger count_list_contacts_changed after update of contacts on contact_lists
  for each row when (old.contacts <> new.contacts) execute function count_list_contacts();
create trigger count_list_contacts_deleted after delete on contact_lists
  for each row when (old.contacts <> 0) execute function count_list_contacts();
