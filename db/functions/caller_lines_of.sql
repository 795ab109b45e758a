-- How many of a client's lines callers may take: its own setting, else all but one line in five, and at least one. Never above its maximum.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: take_inbound, db/clients/clients.ts.
create or replace function caller_lines_of(c clients) returns integer language sql immutable as $$
  select least(coalesce(c.caller_lines, greatest(1, c.max_concurrency - (c.max_concurrency + 4) / 5)), c.max_concurrency)
$$;
