-- The calls of a client in whose transcripts all of some words stand: how many, at most 10,000, and a page of their ids, the newest first.
-- p_narrow has the words by which write_words marks whose call it is, the client's first; p_search what somebody searches for. Without a
-- word in it nothing is found.
-- Guarantee: what a search costs does not grow with the calls of others, and hardly with the client's own. A rare word is found by the index
-- of words. Of one that stands in more than 10,000 calls the newest are found by time, as they are close together. The planner is given
-- the choice in neither case: it guesses how often words stand together, and a wrong guess reads every call.
-- Locks: none.
-- Callers: db/calls/search.ts.
create or replace function search_calls(
  p_client uuid, p_narrow text, p_search text, p_call text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer
) returns table (total integer, call_ids text[]) language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = on as $$
declare
  most constant integer := 10000;
  searched constant tsquery := plainto_tsquery('simple', p_search);
  asked constant tsquery := plainto_tsquery('simple', p_narrow) && searched;
begin
  total := 0;
  call_ids := '{}';
  if numnode(searched) > 0 then
    with hit as materialized (
      select w.call_id, w.accepted_at from call_words w
      where w.words @@ asked and (p_call is null or w.call_id = p_call)
        and (p_from is null or w.accepted_at >= p_from) and (p_to is null or w.accepted_at < p_to)
      limit most + 1
    )
    select count(*)::integer, array(select h.call_id from hit h order by h.accepted_at desc, h.call_id desc limit p_limit offset p_offset)
      into total, call_ids from hit;
  end if;
  if total > most then
    total := most;
    perform set_config('enable_bitmapscan', 'off', true);
    call_ids := array(
      select w.call_id from call_words w
      where w.client_id = p_client and w.words @@ asked and (p_call is null or w.call_id = p_call)
        and (p_from is null or w.accepted_at >= p_from) and (p_to is null or w.accepted_at < p_to)
      order by w.accepted_at desc, w.call_id desc limit greatest(0, least(p_limit, most - p_offset)) offset p_offset);
  end if;
  return next;
end $$;
