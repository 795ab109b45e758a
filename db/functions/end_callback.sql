-- Writes a callback's result to the call that scheduled it, even if the callback was never dialled.
-- Guarantee: takes effect once, because only a scheduled callback changes.
-- Locks: the row of the call that scheduled it. The caller must hold the campaign's row, if there is one.
-- Callers: defer_dial, end_calls, withdraw_list_contact, withdraw_rest.
create or replace function end_callback(p_of text, p_answered boolean, p_call_status text) returns void language sql as $$
  update calls set callback_status = case when p_answered then 'completed' when p_call_status in ('cancelled', 'expired') then p_call_status
    else 'failed' end where call_id = p_of and callback_status = 'scheduled'
$$;
