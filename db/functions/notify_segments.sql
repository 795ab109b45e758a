-- Notifies listeners of `captions` that calls have new segments: "<call id>:<highest seq> …". Ids only: what was said stays in the table.
-- Guarantee: with the transaction that wrote them, and only of calls that have listeners (caption_listeners): a transaction that notifies
-- takes a lock of the whole server to commit. Whoever writes segments holds the call's row, and whoever registers takes it too, so a listener that is not
-- seen here finds the segments when it reads. One notification for fifty calls of a statement, as an id has at most 128 characters and a
-- payload at most 8,000 bytes.
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
