-- How many calls a campaign keeps ready ahead of its lines: three rounds of talk. They are claimed again when one round is left, as
-- starting workflows may take as long as a short talk does, so that two rounds share the work of a claim; at least 6, at most 300.
-- Same rule: domain/dry-run/lines.ts.
-- Guarantee: none; a number that the claim and the refill share.
-- Locks: none.
-- Callers: ask_refill, claim_page.
create or replace function ready_ahead(c campaigns) returns integer language sql stable as $$
  select least(greatest(3 * least(c.call_concurrency, cl.max_concurrency), 6), 300) from clients cl where cl.id = c.client_id
$$;
