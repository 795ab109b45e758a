-- Writes the words of transcripts down, so that search_calls finds their calls; of calls that are not concluded, and without a transcript,
-- nothing.
-- Guarantee: run again it writes the same.
-- Locks: the rows that it writes.
-- Callers: index_words.
create or replace function write_words(p_calls text[]) returns void language sql as $$
  insert into call_words (call_id, client_id, accepted_at, words)
  select k.call_id, k.client_id, k.accepted_at, words_of(k, said.text)
  from calls k
  cross join lateral (select string_agg(s.text, ' ' order by s.start_ms) as text from call_segments s where s.call_id = k.call_id) said
  where k.call_id = any(p_calls) and k.concluded_at is not null and said.text is not null
  on conflict (call_id) do update set words = excluded.words
$$;
