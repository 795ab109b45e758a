/**
 * What is said in a call, told while it is said: each segment gets its place in the order in which the call's segments became known, and
 * whoever listens (LISTEN captions) hears that there is something to read. Ids only: what was said stays in the table.
 */
import type { Knex } from 'knex';

const COLUMNS = `
alter table calls
  -- The highest seq of its segments. Counted under the row's lock, so that a later one is never committed before an earlier one.
  add column segments_told integer not null default 0;
alter table call_segments
  add column seq integer,
  -- The other side cut it short.
  add column interrupted boolean not null default false,
  -- 0 to 1, of the recogniser.
  add column confidence real,
  add column language text;
update call_segments s set seq = n.seq from (
  select call_id, start_ms, speaker, row_number() over (partition by call_id order by start_ms, speaker) as seq from call_segments
) n where n.call_id = s.call_id and n.start_ms = s.start_ms and n.speaker = s.speaker;
-- Of older calls nothing more is told.
update calls k set segments_told = s.seq from (select call_id, max(seq) as seq from call_segments group by call_id) s
where s.call_id = k.call_id and (k.concluded_at is null or k.ended_at > now() - interval '1 day');
alter table call_segments alter column seq set not null;`;

/** For what is written by hand: both statements of ours count by themselves, as they write the call's row too. */
const NEXT_SEQ = `
create function next_segment_seq() returns trigger language plpgsql as $$
begin
  update calls set segments_told = segments_told + 1 where call_id = new.call_id returning segments_told into new.seq;
  return new;
end $$;
create trigger call_segments_seq before insert on call_segments
  for each row when (new.seq is null) execute function next_segment_seq();`;

/**
 * One notification for fifty calls of a statement: "<call id>:<highest seq> …". An id has at most 128 characters and a payload at most
 * 8,000 bytes.
 */
const TELL_SEGMENTS = `
create function tell_segments() returns trigger language plpgsql as $$
begin
  perform pg_notify('captions', string_agg(call_id || ':' || seq, ' '))
  from (
    select call_id, max(seq) as seq, (row_number() over (order by call_id) - 1) / 50 as page from told group by call_id
  ) calls group by page;
  return null;
end $$;
create trigger call_segments_told after insert on call_segments
  referencing new table as told for each statement execute function tell_segments();`;

/** "<call id>": it was answered, or it is over. */
const TELL_CALL = `
create function tell_call() returns trigger language plpgsql as $$
begin
  perform pg_notify('captions', new.call_id);
  return null;
end $$;
create trigger calls_told after update of answered_at, stage on calls for each row
  when ((new.answered_at is not null and old.answered_at is null) or (new.stage = 'over' and old.stage <> 'over'))
  execute function tell_call();`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`${COLUMNS}${NEXT_SEQ}${TELL_SEGMENTS}${TELL_CALL}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop trigger calls_told on calls;
    drop trigger call_segments_told on call_segments;
    drop trigger call_segments_seq on call_segments;
    drop function tell_call, tell_segments, next_segment_seq;
    alter table call_segments drop column seq, drop column interrupted, drop column confidence, drop column language;
    alter table calls drop column segments_told`);
}
