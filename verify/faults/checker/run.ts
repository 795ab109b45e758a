/** Prepares the evidence and rows of a run for the invariants. */
import { callersOf, type Caller } from './callers';
import { dialsOf, type Dial } from './dials';
import type { CampaignRecord, Evidence } from './evidence';
import { outagesOf, type Outage } from './outages';
import { askedOf, type Asked } from './requests';
import type { Rows } from './rows';
import { termsHistory, type TermsHistory } from './terms';
import { trueTimes } from './true-time';

export type { Caller } from './callers';

export interface Run {
  evidence: Evidence;
  rows: Rows;
  /** In the order of placement. */
  dials: Dial[];
  callers: Caller[];
  asked: Asked[];
  outages: Outage[];
  campaign: (id: string | null) => CampaignRecord | undefined;
  terms: (campaign: CampaignRecord) => TermsHistory;
}

export function runOf(evidence: Evidence, rows: Rows): Run {
  const asked = askedOf(evidence.requests);
  const times = trueTimes(evidence);
  const campaigns = new Map(evidence.campaigns.map((campaign) => [campaign.id, campaign]));
  const histories = new Map(
    evidence.campaigns.map((campaign) => [campaign.id, termsHistory(campaign, asked)]),
  );
  return {
    evidence,
    rows,
    dials: dialsOf(evidence.carrier, times, rows.calls, evidence.campaigns),
    callers: callersOf(evidence.carrier, times),
    asked,
    outages: outagesOf(evidence),
    campaign: (id) => (id === null ? undefined : campaigns.get(id)),
    terms: (campaign) => histories.get(campaign.id) ?? termsHistory(campaign, asked),
  };
}

/** Groups calls by contact in the order of placement, whatever their references. */
export function dialsByContact(dials: readonly Dial[]): Map<string, Dial[]> {
  const result = new Map<string, Dial[]>();
  for (const dial of dials) {
    if (dial.campaignId === null || dial.contactRow === null) continue;
    const key = contactKey(dial.campaignId, dial.contactRow);
    const others = result.get(key);
    if (others === undefined) result.set(key, [dial]);
    else others.push(dial);
  }
  return result;
}

export const contactKey = (campaignId: string, row: number): string => `${campaignId} ${row}`;
