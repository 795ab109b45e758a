-- Returns when the organization tried to call a number in the last thirty days, oldest first: every dial whose request
-- the carrier hasn't stated as not placed. p_hashes are keyed hashes of the number, for attempts before its erasure.
-- Guarantee: complete while the caller's call holds a line, because the organization's other calls to the number can't
-- get one (lines_of_number).
-- Locks: none.
-- Callers: start_dial.
create or replace function attempts_of(p_organization uuid, p_number text, p_hashes jsonb, p_now timestamptz) returns timestamptz[]
language sql stable as $$
  select coalesce(array_agg(at order by at), '{}') from (
    select requested_at as at from calls
      where to_number = p_number and organization_id = p_organization and direction = 'Outbound' and not_after is not null
        and requested_at > p_now - interval '30 days'
    union all
    select attempted_at from erased_attempts
      where organization_id = p_organization and number_hash = any(array(select decode(hash, 'hex') from jsonb_array_elements_text(p_hashes) hash))
        and attempted_at > p_now - interval '30 days'
  ) attempts
$$;
