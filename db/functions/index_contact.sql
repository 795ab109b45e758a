-- Fills the columns that contacts are searched by: the owner of the campaign, and the name normalized by fold.
-- Guarantee: every write of a contact sets both.
-- Locks: none.
-- Callers: trigger index_contact on contacts.
create or replace function index_contact() returns trigger language plpgsql as $$
begin
  select c.organization_id, fold(new.name) into new.organization_id, new.folded_name from campaigns c where c.id = new.campaign_id;
  return new;
end $$;

create trigger index_contact before insert or update of name on contacts for each row execute function index_contact();
