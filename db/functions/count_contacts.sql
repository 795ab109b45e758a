-- Maintains the number of contacts and the bytes of contact files of each organization. Leaves out contacts past their
-- retention and files that were deleted.
-- Guarantee: the same as add_to_list. Inserts and deletes are counted once per statement, for any number of rows.
-- Updates are counted per row, and only when they change what is kept. Appended contacts raise total_contacts.
-- Locks: the same as add_to_list; all slots of the lists when the table is truncated.
-- Callers: trigger count_contacts_inserted on campaigns, trigger count_contacts_deleted on campaigns, trigger
-- count_contacts_truncated on campaigns, trigger count_contacts_changed on campaigns.
create or replace function count_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from list_totals where list in ('contacts', 'contact_file_bytes');
  elsif tg_level = 'ROW' then
    perform add_to_list(new.organization_id, list, '', change) from (values
      ('contacts', (new.kept_contacts - old.kept_contacts)::bigint),
      ('contact_file_bytes', new.kept_file_bytes - old.kept_file_bytes)) changed (list, change)
      where change <> 0;
  elsif tg_op = 'INSERT' then
    perform add_to_list(organization_id, list, '', n) from (
      select organization_id, 'contacts' as list, sum(kept_contacts)::bigint as n from inserted group by organization_id
      union all select organization_id, 'contact_file_bytes', sum(kept_file_bytes)::bigint from inserted group by organization_id) counts
      where n <> 0;
  else
    perform add_to_list(organization_id, list, '', -n) from (
      select organization_id, 'contacts' as list, sum(kept_contacts)::bigint as n from deleted group by organization_id
      union all select organization_id, 'contact_file_bytes', sum(kept_file_bytes)::bigint from deleted group by organization_id) counts
      where n <> 0;
  end if;
  return null;
end $$;

create trigger count_contacts_inserted after insert on campaigns referencing new table as inserted
  for each statement execute function count_contacts();
create trigger count_contacts_deleted after delete on campaigns referencing old table as deleted
  for each statement execute function count_contacts();
create trigger count_contacts_truncated after truncate on campaigns
  for each statement execute function count_contacts();
create trigger count_contacts_changed after update of total_contacts, contacts_erased_at, contact_file_key on campaigns
  for each row when (old.total_contacts <> new.total_contacts or old.contacts_erased_at is distinct from new.contacts_erased_at
    or old.contact_file_key is distinct from new.contact_file_key)
  execute function count_contacts();
