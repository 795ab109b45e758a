-- How many calls a campaign keeps ready ahead of its lines: two rounds of talk, as starting a round of workflows may take as long as a
-- short talk does; at least 4, at most 200.
-- Same rule: workflows/domain/dry-run/lines.ts.
-- Guarantee: none; a number that the claim and the refill share.
-- Locks: none.
-- Callers: ask_refill, claim_page.
create or replace function ready_ahead(c campaigns) returns integer language sql stable as $$
  select least(greatest(2 * least(c.call_concurrency, cl.max_concurrency), 4), 200) from clients cl where cl.id = c.client_id
$$;
