-- Notifies listeners of `captions` that a call was answered or is over, with the payload "<call id>".
-- Guarantee: sent with the commit of the change, and only if the call has listeners, as in notify_segments.
-- Locks: none.
-- Callers: trigger calls_notified on calls.
create or replace function notify_call() returns trigger language plpgsql as $$
begin
  if exists (select 1 from caption_listeners where call_id = new.call_id and until > clock_timestamp()) then
    perform pg_notify('captions', new.call_id);
  end if;
  return null;
end $$;

create trigger calls_notified after update of answered_at, stage on calls for each row
  when ((new.answered_at is not null and old.answered_at is null) or (new.stage = 'over' and old.stage <> 'over'))
  execute function notify_call();
