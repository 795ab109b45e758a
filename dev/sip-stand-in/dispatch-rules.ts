/** Finds the real server's trunk and dispatch rule for a caller, as livekit-server does in `MatchTrunk` and `EvaluateDispatchRule`. */
import { randomBytes } from 'node:crypto';
import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';
import type { RoomConfiguration, SipClient } from 'livekit-server-sdk';
import { millisecondsOf } from './participant-request';

export interface Matched {
  roomName: string;
  identity: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  roomConfig: RoomConfiguration | undefined;
  maxCallMs: number;
  ringTimeoutMs: number;
}

const DEFAULT_RING_TIMEOUT_MS = 180_000;
const LONGEST_CALL_MS = 86_400_000;

/** Returns null if no trunk or rule accepts the caller, who then gets "no such number". */
export async function matchCaller(sip: SipClient, to: string, from: string): Promise<Matched | null> {
  const [trunks, rules] = await Promise.all([sip.listSipInboundTrunk(), sip.listSipDispatchRule()]);
  const trunk = trunkFor(trunks, to, from);
  if (trunk === undefined) return null;
  const rule = ruleFor(rules, trunk, to, from);
  return rule === undefined ? null : matched(trunk, rule, to, from);
}

/** A trunk that lists the number takes precedence over one that accepts any number. */
function trunkFor(
  trunks: readonly SIPInboundTrunkInfo[],
  to: string,
  from: string,
): SIPInboundTrunkInfo | undefined {
  const willing = trunks.filter(({ allowedNumbers }) => takes(allowedNumbers, from));
  return (
    willing.find(({ numbers }) => numbers.includes(to)) ?? willing.find(({ numbers }) => numbers.length === 0)
  );
}

function ruleFor(
  rules: readonly SIPDispatchRuleInfo[],
  trunk: SIPInboundTrunkInfo,
  to: string,
  from: string,
): SIPDispatchRuleInfo | undefined {
  const willing = rules.filter(
    (rule) =>
      takes(rule.trunkIds, trunk.sipTrunkId) && takes(rule.numbers, to) && takes(rule.inboundNumbers, from),
  );
  return willing.find(({ trunkIds, numbers }) => trunkIds.length + numbers.length > 0) ?? willing[0];
}

/** An empty list accepts everything. */
const takes = (list: readonly string[], item: string): boolean => list.length === 0 || list.includes(item);

function matched(
  trunk: SIPInboundTrunkInfo,
  rule: SIPDispatchRuleInfo,
  to: string,
  from: string,
): Matched | null {
  const roomName = roomOf(rule, to, from);
  if (roomName === null) return null;
  const numbers: Record<string, string> = rule.hidePhoneNumber
    ? {}
    : { 'sip.phoneNumber': from, 'sip.hostname': 'stand-in.invalid', 'sip.trunkPhoneNumber': to };
  return {
    roomName,
    identity: `sip_${from}`,
    name: `Phone ${from}`,
    metadata: rule.metadata,
    attributes: {
      ...rule.attributes,
      'sip.trunkID': trunk.sipTrunkId,
      'sip.ruleID': rule.sipDispatchRuleId,
      ...numbers,
    },
    roomConfig: rule.roomConfig,
    maxCallMs: millisecondsOf(trunk.maxCallDuration) || LONGEST_CALL_MS,
    ringTimeoutMs: millisecondsOf(trunk.ringingTimeout) || DEFAULT_RING_TIMEOUT_MS,
  };
}

function roomOf({ rule }: SIPDispatchRuleInfo, to: string, from: string): string | null {
  const chosen = rule?.rule;
  const prefixed = (prefix: string, number: string) => (prefix === '' ? number : `${prefix}_${number}`);
  const random = `_${randomBytes(9).toString('base64url')}`;
  switch (chosen?.case) {
    case 'dispatchRuleDirect':
      return chosen.value.roomName;
    case 'dispatchRuleIndividual':
      return prefixed(chosen.value.roomPrefix, from) + (chosen.value.noRandomness ? '' : random);
    case 'dispatchRuleCallee':
      return prefixed(chosen.value.roomPrefix, to) + (chosen.value.randomize ? random : '');
    case undefined:
      return null;
  }
}
