-- Has the words of a call written down once it is concluded, and again where something that was said in it becomes known later.
-- Guarantee: what is said in a call costs the call nothing while it is spoken but a look whether it is concluded.
-- Locks: those of write_words.
-- Callers: trigger index_words on calls, trigger index_words on call_segments.
create or replace function index_words() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'calls' then
    perform write_words(array[new.call_id]);
  else
    perform write_words(array(select distinct call_id from said));
  end if;
  return null;
end $$;

create trigger index_words after update of concluded_at on calls
  for each row when (old.concluded_at is null and new.concluded_at is not null) execute function index_words();
create trigger index_words after insert on call_segments referencing new table as said
  for each statement execute function index_words();
