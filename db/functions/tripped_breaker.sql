-- Returns the spend limit or circuit breaker that stops a campaign from dialling, as {kind, limit, measured}, or null.
-- p_limits are the configured limits; the organization's own row overrides them. Spend counts calls that ended on this
-- UTC day, the circuit breaker counts the latest dials.
-- Same rule: domain/dry-run/dry-run.ts.
-- Guarantee: reads only.
-- Locks: none. The caller holds the campaign's row; the organization's totals may be slightly out of date.
-- Callers: start_dial, start_transfer.
create or replace function tripped_breaker(c campaigns, p_limits jsonb, p_now timestamptz) returns jsonb language plpgsql as $$
declare
  cl organizations%rowtype;
  today date := (p_now at time zone 'UTC')::date;
  of_campaign numeric;
  of_organization numeric;
  rate numeric;
  dials integer := coalesce((p_limits->>'failureDials')::integer, 20);
  spent numeric;
  failing numeric;
begin
  select * into cl from organizations where id = c.organization_id;
  of_campaign := nullif(coalesce(cl.campaign_spend_per_day, (p_limits->>'campaignSpendPerDay')::numeric), 0);
  of_organization := nullif(coalesce(cl.spend_per_day, (p_limits->>'organizationSpendPerDay')::numeric), 0);
  rate := nullif(coalesce(cl.breaker_failure_rate, (p_limits->>'failureRate')::numeric), 0);
  if of_campaign is not null then
    select credits into spent from spend where owner_id = c.id and day = today;
    if spent >= of_campaign then return jsonb_build_object('kind', 'campaign_spend', 'limit', of_campaign, 'measured', spent); end if;
  end if;
  if of_organization is not null then
    select credits into spent from spend where owner_id = c.organization_id and day = today;
    if spent >= of_organization then return jsonb_build_object('kind', 'organization_spend', 'limit', of_organization, 'measured', spent); end if;
  end if;
  if rate is not null then
    failing := failure_rate(c.recent_dials, dials);
    if failing >= rate then return jsonb_build_object('kind', 'campaign_failures', 'limit', rate, 'measured', failing); end if;
    failing := failure_rate(cl.recent_dials, dials);
    if failing >= rate then return jsonb_build_object('kind', 'organization_failures', 'limit', rate, 'measured', failing); end if;
  end if;
  return null;
end $$;
