-- Cuts what was said in a call into the words by which search_calls finds it.
-- Guarantee: only the first 100,000 characters count, which are ten hours of talk. A tsvector has room for a mebibyte, and a longer transcript
-- would keep the call from being concluded.
-- Locks: none.
-- Callers: write_words.
create or replace function words_of(p_said text) returns tsvector language sql stable as $$
  select strip(to_tsvector('simple', left(p_said, 100000)))
$$;
