-- Returns the rules that apply to a dial, as {window, profiles}; null if there are none. The window is that of the
-- campaign. The worker adds the operator's profile, which p_guards only mentions. The organization's profile doesn't
-- apply to dispatched calls, and the operator's only with rulesForDispatches.
-- Guarantee: reads only.
-- Locks: none.
-- Callers: start_dial.
create or replace function dial_rules(k calls, c campaigns, p_guards jsonb) returns jsonb language plpgsql stable as $$
declare
  is_dispatch boolean := k.campaign_id is null and k.callback_of is null;
  of_operator boolean := coalesce((p_guards->>'hasOperatorProfile')::boolean, false);
  of_organization text;
begin
  if k.medium <> 'telephony' or (is_dispatch and not (of_operator and coalesce((p_guards->>'rulesForDispatches')::boolean, false))) then
    return null;
  end if;
  if not is_dispatch then select rule_profile into of_organization from organizations where id = k.organization_id; end if;
  if c.window_timezone is null and c.rule_profile is null and of_organization is null and not of_operator then return null; end if;
  return jsonb_build_object('profiles', rule_profiles_of(k.organization_id, array[of_organization, c.rule_profile]), 'window',
    case when k.campaign_id is not null then jsonb_build_object('windowTimezone', c.window_timezone, 'fromDate', c.from_date, 'toDate', c.to_date,
      'startMinute', c.start_minute, 'endMinute', c.end_minute, 'daysOfWeek', c.days_of_week) end);
end $$;
