/** A brake pauses a campaign by itself: too much spent, a carrier that fails too often, no number to call from, or a wrong set-up. */
import { assertNever } from './assert-never';

export type Brake = MeasuredBrake | { kind: 'no_number' } | { kind: 'setup'; fault: SetupFault };

/** A fault of the set-up, for which the carrier refuses every call alike. */
export type SetupFault = keyof typeof SETUP_FAULTS;

const SETUP_FAULTS = {
  no_trunk: 'the platform has no SIP trunk; its operator must set LIVEKIT_SIP_TRUNK_ID or SIP_TRUNK_ADDRESS',
  trunk_missing:
    'LiveKit has no SIP trunk with the id of the platform; its operator must correct LIVEKIT_SIP_TRUNK_ID, or create the trunk',
  trunk_address:
    'the SIP bridge cannot use the address of the trunk; the operator must correct SIP_TRUNK_ADDRESS, or that of the stored trunk',
  trunk_login:
    'the SIP trunk refuses the user name and password of the platform; the operator must correct them',
  trunk_forbids:
    "the SIP trunk forbids the campaign's dials (403); its provider must allow the caller ID, the countries and the platform's address",
  carrier_key: 'the carrier refuses the key of the platform; the operator must correct it',
  caller_id: 'the carrier refuses the caller ID; give the agent an outbound number that the carrier allows',
  request:
    'the carrier refuses the requests of the platform as wrong; the operator finds their faults in the log of the worker',
} as const;

export interface MeasuredBrake {
  kind: 'campaign_spend' | 'client_spend' | 'campaign_failures' | 'client_failures';
  /** Credits a day, or a share of the latest dials. */
  limit: number;
  measured: number;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

/** For clients and operators: what happened, and what to do about it. */
export function describeBrake(brake: Brake): string {
  if (brake.kind === 'setup') return `set-up fault: ${SETUP_FAULTS[brake.fault]}; then resume`;
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
