-- Returns how many calls a campaign keeps ready ahead of its lines: three rounds of calls, at least 6 and at most 300.
-- The campaign claims more when one round is left, because starting workflows can take as long as a short call. One
-- claim then covers two rounds.
-- Same rule: domain/dry-run/lines.ts.
-- Guarantee: none; claim and refill share this number.
-- Locks: none.
-- Callers: ask_refill, claim_page.
create or replace function ready_ahead(c campaigns) returns integer language sql stable as $$
  select least(greatest(3 * least(c.concurrency, cl.max_concurrency), 6), 300) from organizations cl where cl.id = c.organization_id
$$;
