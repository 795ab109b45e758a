/** What stops a campaign although nobody asked for it: too much spent, or a carrier that fails too often. */
import { assertNever } from './assert-never';

export interface Brake {
  kind: 'campaign_spend' | 'client_spend' | 'campaign_failures' | 'client_failures';
  /** Credits a day, or a share of the latest dials. */
  limit: number;
  measured: number;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

/** For clients and operators: what happened, and what to do about it. */
export function describeBrake({ kind, limit, measured }: Brake): string {
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
