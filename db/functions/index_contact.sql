-- Fills the columns by which a contact is found: its owner, which is that of its campaign, and its name in the form that fold gives it.
-- Guarantee: no way of writing a contact leaves them out or makes them differ.
-- Locks: none.
-- Callers: trigger index_contact on contacts.
create or replace function index_contact() returns trigger language plpgsql as $$
begin
  new.client_id := (select client_id from campaigns where id = new.campaign_id);
  new.folded_name := fold(new.name);
  return new;
end $$;

create trigger index_contact before insert or update of name on contacts for each row execute function index_contact();
