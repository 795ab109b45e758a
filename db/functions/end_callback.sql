-- A callback is over, whether it was dialled or not: writes its result to the call that asked for it.
-- Guarantee: once, as only a scheduled one changes.
-- Locks: the row of the call that asked for it. The caller holds the campaign's, if there is one.
-- Callers: end_calls, withdraw_rest.
create or replace function end_callback(p_of text, p_answered boolean, p_call_status text) returns void language sql as $$
  update calls set callback_status = case when p_answered then 'completed' when p_call_status in ('cancelled', 'expired') then p_call_status
    else 'failed' end where call_id = p_of and callback_status = 'scheduled'
$$;
