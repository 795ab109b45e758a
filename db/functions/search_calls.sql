-- Finds the calls of an organization whose transcripts contain all words of p_search. Returns their number, at most
-- 10,000, and the ids of one page, newest first. Finds nothing if p_search has no word.
-- Guarantee: reads only calls of p_organization, so the cost doesn't grow with other organizations. One index
-- intersects the words with owner, agent, campaign and status. Words that occur in more than 10,000 calls are searched
-- by time instead, because their newest calls are close together. Both queries leave the planner no choice, because it
-- misjudges how often words occur together and would read every call. For that reason the first query compares the
-- owner with an operator that no index supports.
-- Locks: none.
-- Callers: db/calls/history.ts.
create or replace function search_calls(
  p_organization uuid, p_agent uuid, p_campaign uuid, p_status text, p_search text, p_call text, p_from timestamptz, p_to timestamptz,
  p_limit integer, p_offset integer
) returns table (total integer, call_ids text[]) language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = on as $$
declare
  most constant integer := 10000;
  -- A word contains no quote or backslash, because words_of splits there.
  asked constant tsquery := (select string_agg('''' || word || '''', ' & ')::tsquery from unnest(words_of(p_search)) word);
  marks constant text[] := array_remove(array[p_organization::text, p_agent::text, p_campaign::text, p_status], null);
begin
  total := 0;
  call_ids := '{}';
  if asked is not null then
    with hit as materialized (
      select w.call_id, w.accepted_at from call_words w
      where w.organization_id is not distinct from p_organization and w.words @@ asked
        and array[w.organization_id::text, w.agent_id::text, w.campaign_id::text, w.final_status] @> marks
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
      where w.organization_id = p_organization and w.words @@ asked
        and (p_agent is null or w.agent_id = p_agent) and (p_campaign is null or w.campaign_id = p_campaign)
        and (p_status is null or w.final_status = p_status) and (p_call is null or w.call_id = p_call)
        and (p_from is null or w.accepted_at >= p_from) and (p_to is null or w.accepted_at < p_to)
      order by w.accepted_at desc, w.call_id desc limit greatest(0, least(p_limit, most - p_offset)) offset p_offset);
  end if;
  return next;
end $$;
