-- Stores the words of transcripts and the owners of their calls, so that search_calls finds the calls. Skips calls that
-- aren't concluded or have no transcript.
-- Guarantee: a repeated run writes the same.
-- Locks: the rows that it writes.
-- Callers: index_words.
create or replace function write_words(p_calls text[]) returns void language sql as $$
  insert into call_words (call_id, organization_id, agent_id, campaign_id, final_status, accepted_at, words)
  select k.call_id, k.organization_id, k.agent_id, k.campaign_id, k.final_status, k.accepted_at, array_to_tsvector(words_of(said.text))
  from calls k
  cross join lateral (select string_agg(s.text, ' ' order by s.start_ms) as text from call_segments s where s.call_id = k.call_id) said
  where k.call_id = any(p_calls) and k.concluded_at is not null and said.text is not null
  on conflict (call_id) do update set words = excluded.words
$$;
