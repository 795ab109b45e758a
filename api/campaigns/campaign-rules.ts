/** Rules of a campaign: its local window and the profiles of the operator, the organization and the campaign. */
import type { Db } from '../../db/kernel/connection';
import { ruleProfilesOf } from '../../db/organizations/rule-profiles';
import { hasLocalRules, type ZonedCampaign } from '../../domain/rules/campaign-window';
import type { DiallingRules } from '../../domain/rules/dialling';
import { shippedProfile, type RuleProfile } from '../../domain/rules/profile';
import { rulesOf, type StoredWindow } from '../../domain/rules/stored-rules';
import type { ApiSettings } from '../settings';

/** Returns the rule profile of the operator. */
export const operatorProfile = ({ ruleProfile }: Pick<ApiSettings, 'ruleProfile'>): RuleProfile | null =>
  ruleProfile === null ? null : shippedProfile(ruleProfile);

export interface CampaignRules {
  campaign: Omit<ZonedCampaign, 'zones'>;
  ofOperator: RuleProfile | null;
  /** The same rules, ready for decisions. */
  rules: DiallingRules;
}

/** Returns null if only the campaign's window in UTC applies. */
export async function rulesOfCampaign(
  { db, settings }: { db: Db; settings: Pick<ApiSettings, 'ruleProfile'> },
  organizationId: string,
  terms: StoredWindow & { ruleProfile: string | null },
): Promise<CampaignRules | null> {
  const profiles = await ruleProfilesOf(db, organizationId, terms.ruleProfile);
  const campaign = { ...terms, profiles };
  const ofOperator = operatorProfile(settings);
  if (!hasLocalRules(campaign, ofOperator)) return null;
  return { campaign, ofOperator, rules: rulesOf({ window: terms, profiles }, ofOperator) };
}
