-- What a call is found by: the words of its transcript, and whose it is by words that nobody says: client, agent and campaign with their ids,
-- status with the call's.
-- Guarantee: of a transcript of more than 100,000 characters, of ten hours, those: a tsvector has room for a mebibyte, and more would keep the
-- call from being concluded.
-- Locks: none.
-- Callers: write_words.
create or replace function words_of(k all_calls, p_said text) returns tsvector language sql stable as $$
  select strip(to_tsvector('simple', concat_ws(' ', 'client' || replace(k.client_id::text, '-', ''),
    'agent' || replace(k.agent_id::text, '-', ''), 'campaign' || replace(k.campaign_id::text, '-', ''),
    'status' || replace(lower(k.final_status), ' ', ''), left(p_said, 100000))))
$$;
