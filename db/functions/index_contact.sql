-- Fills the columns by which a contact is found: its owner, which is that of its campaign, and its name in the form that fold gives it.
-- Guarantee: no way of writing a contact leaves them out or makes them differ.
-- Locks: none.
-- Callers: trigger index_contact on contacts.
create or replace function index_contact() returns trigger language plpgsql as $$
begin
  select c.client_id, fold(new.name) into new.client_id, new.folded_name from campaigns c where c.id = new.campaign_id;
  return new;
end $$;

create trigger index_contact before insert or update of name on contacts for each row execute function index_contact();
