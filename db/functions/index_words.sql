-- Keeps call_words in step with the calls. Writes the words of a call when it is concluded, and again when more of its
-- transcript arrives. Copies later changes of agent, campaign and status.
-- Guarantee: storing a segment during a call only checks whether the call is concluded, and other changes during a call
-- cost nothing.
-- Locks: those of write_words, or the row of call_words.
-- Callers: trigger index_words on calls, trigger index_words on call_segments, trigger index_changes on all_calls.
create or replace function index_words() returns trigger language plpgsql as $$
begin
  if tg_level = 'STATEMENT' then
    perform write_words(array(select distinct call_id from said));
  elsif old.concluded_at is null then
    perform write_words(array[new.call_id]);
  else
    update call_words set agent_id = new.agent_id, campaign_id = new.campaign_id, final_status = new.final_status
      where call_id = new.call_id and organization_id = new.organization_id;
  end if;
  return null;
end $$;

create trigger index_words after update of concluded_at on calls
  for each row when (old.concluded_at is null and new.concluded_at is not null) execute function index_words();
create trigger index_words after insert on call_segments referencing new table as said
  for each statement execute function index_words();
-- The trigger is on all_calls, because archived calls change too.
create trigger index_changes after update of agent_id, campaign_id, call_status on all_calls
  for each row when (old.concluded_at is not null
    and (old.agent_id, old.campaign_id, old.call_status) is distinct from (new.agent_id, new.campaign_id, new.call_status))
  execute function index_words();
