import { campaignWindow, decisionOfZone, type CampaignWindow } from '../rules/campaign-window';
import { hasCaps } from '../rules/profile';
import { mayDial, type DialDecision } from '../rules/dialling';
import { zoneKeyOf } from '../rules/number-zones';
import type { DryContact } from './contact-queue';
import type { DryRunPlan, LocalPlan } from './plan';

const ALLOWED: DialDecision = { isAllowed: true, within: { from: -Infinity, until: Infinity } };

/** Applies the local window and the rule profiles of the plan, if it has any. */
export class LocalRules {
  private readonly local: LocalPlan | null;
  private readonly hasCaps: boolean;

  constructor({ local }: DryRunPlan) {
    this.local = local ?? null;
    this.hasCaps = local?.rules.profiles.some(({ profile }) => hasCaps(profile)) ?? false;
  }

  /** Returns the key of the contact's zones. It is the same for all contacts of a plan without rules. */
  zoneOf(row: number): string {
    const callee = this.local?.callees.get(row);
    return callee === undefined ? '' : zoneKeyOf(callee);
  }

  /** Returns null if only the schedule applies. */
  windowOf(zonesLeft: () => readonly string[], now: number): CampaignWindow | null {
    if (this.local === null) return null;
    const { campaign, ofOperator } = this.local;
    return campaignWindow({ ...campaign, zones: zonesLeft() }, ofOperator, now);
  }

  decide({ row, zone, dials }: DryContact, now: number): DialDecision {
    const callee = this.local?.callees.get(row);
    if (this.local === null || callee === undefined) return ALLOWED;
    const { rules } = this.local;
    const attempts = this.hasCaps ? [...callee.attempts, ...dials] : [];
    return attempts.length === 0
      ? decisionOfZone(rules, { key: zone, consent: callee.consent }, now)
      : mayDial(rules, { ...callee, attempts }, now);
  }
}
