-- Splits a text into the distinct words that calls are found by, normalized by fold. Text in a script without spaces
-- (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is split into single characters and pairs of neighbours.
-- Guarantee: transcripts and searches are split the same way in every database. Only the first 100,000 characters
-- count, about ten hours of talk, because a tsvector holds at most 1 MiB and a longer transcript would keep the call
-- from being concluded.
-- Locks: none.
-- Callers: write_words, search_calls.
create or replace function words_of(p_text text) returns text[] language plpgsql immutable as $$
declare
  -- Scripts without spaces between words.
  dense constant text := U&'[\0E00-\0EFF\1000-\109F\1780-\17FF\19E0-\19FF\1A20-\1AAF\3005-\3007\3040-\312F\31A0-\31BF\31F0-\31FF\3400-\4DBF\4E00-\9FFF\A9E0-\A9FF\AA60-\AA7F\F900-\FAFF\+020000-\+03FFFF]';
begin
  return array(
    with token as (
      select t.token, t.place, t.token ~ dense collate pg_c_utf8 as is_dense
      from regexp_split_to_table(
        regexp_replace(left(fold(left(p_text, 100000)), 100000) collate pg_c_utf8, '(' || dense || '+)', ' \1 ', 'g') collate pg_c_utf8,
        '[[:space:][:punct:][:cntrl:]]+') with ordinality as t (token, place)
      where t.token <> ''
    ), letter as (
      select l.letter, lead(l.letter) over (partition by k.place order by l.nth) as next
      from token k cross join lateral string_to_table(k.token, null) with ordinality as l (letter, nth) where k.is_dense
    )
    -- A lexeme can have 2,046 bytes.
    select distinct left(word, 500) from (
      select token from token where not is_dense union all select letter from letter union all select letter || next from letter where next is not null
    ) cut (word));
end $$;
