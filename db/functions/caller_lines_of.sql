-- Returns how many of an organization's lines inbound calls can use: its own setting, or by default four fifths of its
-- maximum, rounded down, but at least one. Never more than the maximum.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: take_inbound, db/organizations/organizations.ts.
create or replace function caller_lines_of(c organizations) returns integer language sql immutable as $$
  select least(coalesce(c.caller_lines, greatest(1, c.max_concurrency - (c.max_concurrency + 4) / 5)), c.max_concurrency)
$$;
