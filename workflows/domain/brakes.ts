/** What stops a campaign although nobody asked for it: too much spent, a carrier that fails too often, or no number to call from. */
import { assertNever } from './assert-never';

export type Brake = MeasuredBrake | { kind: 'no_number' };

export interface MeasuredBrake {
  kind: 'campaign_spend' | 'client_spend' | 'campaign_failures' | 'client_failures';
  /** Credits a day, or a share of the latest dials. */
  limit: number;
  measured: number;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

/** For clients and operators: what happened, and what to do about it. */
export function describeBrake(brake: Brake): string {
  if (brake.kind === 'no_number') {
    return 'no caller ID: the agent has no outbound number that the organisation may use; give it one, or have its number registered for the organisation, then resume';
  }
  const { kind, limit, measured } = brake;
  switch (kind) {
    case 'campaign_spend':
      return `spend brake: the campaign has spent ${measured} credits today (UTC), its limit is ${limit}; resume it tomorrow, or raise the limit`;
    case 'client_spend':
      return `spend brake: the organisation has spent ${measured} credits today (UTC), its limit is ${limit}; resume tomorrow, or raise the limit`;
    case 'campaign_failures':
      return `failure brake: the carrier failed ${percent(measured)} of the campaign's latest dials, the limit is ${percent(limit)}; resume when the carrier is well`;
    case 'client_failures':
      return `failure brake: the carrier failed ${percent(measured)} of the organisation's latest dials, the limit is ${percent(limit)}; resume when the carrier is well`;
    default:
      return assertNever(kind);
  }
}
