/** Stores the rules of simulated campaigns before the campaigns exist, because a campaign must obey them from its first dial. */
import type { Db } from '../../../db/kernel/connection';
import type { ProfileRecord } from '../../faults/checker/evidence';
import type { CampaignRules } from '../plan/plan';

/** Triggers copy the rules into new rows. Can be executed repeatedly. */
export const APPLY_RULES = `
create table if not exists simulated_rules (campaign_id uuid primary key, window_timezone text, rule_profile text, contacts jsonb not null);
create or replace function apply_campaign_rules() returns trigger language plpgsql as $$ begin
  select window_timezone, rule_profile into new.window_timezone, new.rule_profile from simulated_rules where campaign_id = new.id;
  return new;
end $$;
create or replace function apply_contact_rules() returns trigger language plpgsql as $$ begin
  select contact->>'timezone', case when (contact->>'consent')::boolean then timestamp with time zone '2026-01-01' end
    into new.timezone, new.consent_at
    from simulated_rules cross join lateral (select contacts->(new.row_number - 2)) listed (contact) where campaign_id = new.campaign_id;
  return new;
end $$;
create or replace trigger zz_rules before insert on campaigns for each row execute function apply_campaign_rules();
create or replace trigger zz_rules before insert on contacts for each row execute function apply_contact_rules();`;

export async function storeRules(
  db: Db,
  { id, organizationId, rules }: { id: string; organizationId: string; rules: CampaignRules },
): Promise<void> {
  const { profile, windowTimezone, contacts } = rules;
  if (profile !== null) await storeProfile(db, organizationId, { name: id, profile });
  await db('simulated_rules').insert({
    campaign_id: id,
    window_timezone: windowTimezone,
    rule_profile: profile && id,
    contacts: JSON.stringify(contacts),
  });
}

/** Name of the profile that an organization uses for all its campaigns. */
export const ORGANIZATION_PROFILE = 'ours';

const STORED_AT = new Date('2026-01-01T00:00:00.000Z');

export async function storeProfile(
  db: Db,
  organizationId: string,
  { name, profile }: { name: string; profile: ProfileRecord },
): Promise<void> {
  await db('rule_profiles').insert({
    organization_id: organizationId,
    name,
    profile: JSON.stringify({ ...profile, holiday_dates: [], disclosure: null, caller_id_prefixes: null }),
    created_at: STORED_AT,
    updated_at: STORED_AT,
  });
}
