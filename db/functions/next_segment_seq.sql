-- Numbers a segment of a call that is inserted by hand. The engine's own statements number their segments themselves,
-- because they write the call's row anyway.
-- Guarantee: a later segment is never committed before an earlier one.
-- Locks: the call's row.
-- Callers: trigger call_segments_seq on call_segments.
create or replace function next_segment_seq() returns trigger language plpgsql as $$
begin
  update calls set emitted_segments = emitted_segments + 1 where call_id = new.call_id returning emitted_segments into new.seq;
  return new;
end $$;

create trigger call_segments_seq before insert on call_segments
  for each row when (new.seq is null) execute function next_segment_seq();
