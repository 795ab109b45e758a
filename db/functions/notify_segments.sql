-- Notifies listeners of `captions` that calls have new segments, with the payload "<call id>:<highest seq> …". It has
-- ids only; the text stays in the table.
-- Guarantee: sent with the commit of the segments, and only for calls that have listeners (caption_listeners), because
-- a commit with a notification takes a lock of the whole server. Writers of segments and new listeners both lock the
-- call's row, so a listener that isn't seen here finds the segments when it reads. One notification covers fifty calls,
-- because an id has up to 128 characters and a payload up to 8,000 bytes.
-- Locks: none.
-- Callers: trigger call_segments_notified on call_segments.
create or replace function notify_segments() returns trigger language plpgsql as $$
begin
  perform pg_notify('captions', string_agg(call_id || ':' || seq, ' '))
  from (
    select t.call_id, max(t.seq) as seq, (row_number() over (order by t.call_id) - 1) / 50 as page
    from inserted t join caption_listeners l on l.call_id = t.call_id and l.until > clock_timestamp()
    group by t.call_id
  ) calls group by page;
  return null;
end $$;

create trigger call_segments_notified after insert on call_segments
  referencing new table as inserted for each statement execute function notify_segments();
