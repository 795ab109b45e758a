/**
 * Reasons why a campaign is paused automatically: a spend limit, the circuit breaker for carrier failures, a missing caller ID or a wrong
 * setup.
 */
import { assertNever } from './assert-never';

export type Breaker =
  | MeasuredBreaker
  /** Rule profiles can require that the caller ID begins with one of the prefixes. */
  | { kind: 'no_number'; prefixes?: readonly string[] }
  | { kind: 'setup'; fault: SetupFault };

/** A setup fault that makes the carrier reject every call. */
export type SetupFault = keyof typeof SETUP_FAULTS;

const SETUP_FAULTS = {
  no_trunk: 'the platform has no SIP trunk; the operator must set LIVEKIT_SIP_TRUNK_ID or SIP_TRUNK_ADDRESS',
  trunk_missing:
    "LiveKit has no SIP trunk with the platform's id; the operator must correct LIVEKIT_SIP_TRUNK_ID or create the trunk",
  trunk_address:
    'the SIP bridge cannot use the address of the trunk; the operator must correct SIP_TRUNK_ADDRESS or the address of the stored trunk',
  trunk_login: "the SIP trunk rejects the platform's user name and password; the operator must correct them",
  trunk_forbids:
    "the SIP trunk rejects the campaign's dials (403); its provider must allow the caller ID, the countries and the platform's address",
  carrier_key: "the carrier rejects the platform's API key; the operator must correct it",
  caller_id: 'the carrier rejects the caller ID; give the agent an outbound number that the carrier allows',
  request:
    "the carrier rejects the platform's requests as invalid; the worker's log names the faults for the operator",
} as const;

export interface MeasuredBreaker {
  kind: 'campaign_spend' | 'organization_spend' | 'campaign_failures' | 'organization_failures';
  /** In credits per day, or as a share of the latest dials. */
  limit: number;
  measured: number;
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

/** Explains to API clients and operators what happened and what to do about it. */
export function describeBreaker(breaker: Breaker): string {
  if (breaker.kind === 'setup') return `setup fault: ${SETUP_FAULTS[breaker.fault]}; then resume`;
  if (breaker.kind === 'no_number' && breaker.prefixes !== undefined && breaker.prefixes.length > 0) {
    return `no caller ID: the rule profiles require one that begins with ${breaker.prefixes.join(' or ')}; give the agent such an outbound number, then resume`;
  }
  if (breaker.kind === 'no_number') {
    return 'no caller ID: the agent has no outbound number that the organization may use; give it one or register its number for the organization, then resume';
  }
  const { kind, limit, measured } = breaker;
  switch (kind) {
    case 'campaign_spend':
      return `spend limit: the campaign has spent ${measured} credits today (UTC) and its limit is ${limit}; resume tomorrow or raise the limit`;
    case 'organization_spend':
      return `spend limit: the organization has spent ${measured} credits today (UTC) and its limit is ${limit}; resume tomorrow or raise the limit`;
    case 'campaign_failures':
      return `circuit breaker: ${percent(measured)} of the campaign's latest dials failed at the carrier and the limit is ${percent(limit)}; resume when the carrier works again`;
    case 'organization_failures':
      return `circuit breaker: ${percent(measured)} of the organization's latest dials failed at the carrier and the limit is ${percent(limit)}; resume when the carrier works again`;
    default:
      return assertNever(kind);
  }
}
