-- Finds the calls of an organization in whose transcripts all the words of p_search stand. Returns how many, at most 10,000, and the ids of one page,
-- the newest first. Without a word in p_search nothing is found.
-- Guarantee: only calls of p_client are read or counted, because both queries name their owner. The cost does not grow with the calls of other
-- organizations, and hardly with the own ones: one index intersects the words with owner, agent, campaign and status. The newest calls of a word
-- that stands in more than 10,000 are found by time, as they are close together. The planner has no choice in either query, because a wrong
-- guess of how often words stand together makes it read every call. So the first query compares the owner with an operator that no index has.
-- Locks: none.
-- Callers: db/calls/search.ts.
create or replace function search_calls(
  p_client uuid, p_agent uuid, p_campaign uuid, p_status text, p_search text, p_call text, p_from timestamptz, p_to timestamptz,
  p_limit integer, p_offset integer
) returns table (total integer, call_ids text[]) language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = on as $$
declare
  most constant integer := 10000;
  -- A word holds no quote and no backslash, at which words are cut.
  asked constant tsquery := (select string_agg('''' || word || '''', ' & ')::tsquery from unnest(words_of(p_search)) word);
  marks constant text[] := array_remove(array[p_client::text, p_agent::text, p_campaign::text, p_status], null);
begin
  total := 0;
  call_ids := '{}';
  if asked is not null then
    with hit as materialized (
      select w.call_id, w.accepted_at from call_words w
      where w.client_id is not distinct from p_client and w.words @@ asked
        and array[w.client_id::text, w.agent_id::text, w.campaign_id::text, w.final_status] @> marks
        and (p_agent is null or w.agent_id = p_agent) and (p_campaign is null or w.campaign_id = p_campaign)
        and (p_status is null or w.final_status = p_status) and (p_call is null or w.call_id = p_call)
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
      where w.client_id = p_client and w.words @@ asked
        and (p_agent is null or w.agent_id = p_agent) and (p_campaign is null or w.campaign_id = p_campaign)
        and (p_status is null or w.final_status = p_status) and (p_call is null or w.call_id = p_call)
        and (p_from is null or w.accepted_at >= p_from) and (p_to is null or w.accepted_at < p_to)
      order by w.accepted_at desc, w.call_id desc limit greatest(0, least(p_limit, most - p_offset)) offset p_offset);
  end if;
  return next;
end $$;
