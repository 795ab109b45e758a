import {
  usableNumbersOfCall,
  type NumberRule,
  callerIdBefore,
  callerIdSources,
  nextCallerIdTurn,
} from '../../db/agents/numbers';
import { campaignOfCall, type CampaignOfCall } from '../../db/campaigns/breakers';
import type { DialIntent } from '../../db/calls/engine';
import type { Db } from '../../db/kernel/connection';
import { outboundNumbers } from '../../domain/agent-config';
import { effectiveConfig } from '../../domain/effective-config';
import { allowedCallerIds } from '../../domain/rules/dialling';
import type { RuleProfile } from '../../domain/rules/profile';
import { PATTERNS } from '../../domain/agent-config/forms';

/**
 * Returns the number that the dispatch requested, or else the agent's next number. Null lets the carrier choose. A redial uses the number
 * that follows the one of the previous dial.
 */
async function callerId(
  db: Db,
  callId: string,
  { from, attempt }: Pick<DialIntent, 'from' | 'attempt'>,
  numbers: readonly string[],
): Promise<string | null> {
  if (from !== null) return from;
  if (numbers.length <= 1) return numbers[0] ?? null;
  const before = attempt > 1 ? await callerIdBefore(db, callId) : null;
  if (before !== null && numbers.includes(before)) return following(numbers, numbers.indexOf(before));
  return following(numbers, (await nextCallerIdTurn(db, callId)) - 2);
}

const following = (numbers: readonly string[], index: number): string | null =>
  numbers[(index + 1) % numbers.length] ?? null;

/**
 * A null `from` lets the carrier choose. `isRefused`: the call must not be dialled, because it has no allowed number and the carrier can't
 * or must not choose one.
 */
type ShownCallerId = { from: string | null; isRefused: boolean };

interface CallerIdRule extends NumberRule {
  /** The carrier doesn't choose a number itself. */
  isNeeded: boolean;
  /** Rule profiles that can require a prefix. */
  profiles: readonly RuleProfile[];
}

interface CallToShow {
  callId: string;
  start: Pick<DialIntent, 'from' | 'attempt'>;
  numbers: readonly string[];
}

/**
 * Checks the caller ID at the time of the dial, because the agent's list or a number's registration may have changed since the call was
 * accepted.
 */
async function shownCallerId(
  db: Db,
  { callId, start, numbers: all }: CallToShow,
  rule: CallerIdRule,
): Promise<ShownCallerId> {
  const numbers = allowedCallerIds(all, rule.profiles);
  if (numbers.length === 0 && rule.profiles.some(({ caller_id_prefixes: prefixes }) => prefixes !== null))
    return { from: null, isRefused: true };
  const from = await callerId(db, callId, start, numbers);
  if (from === null) return { from, isRefused: rule.registeredOnly || rule.isNeeded };
  if (!mayShow(from, numbers)) return { from, isRefused: true };
  if ((await usableNumbersOfCall(db, { callId, numbers: [from] }, rule)).length > 0)
    return { from, isRefused: false };
  // Check the whole list only in this rare case, because it can have 2,000 numbers.
  const others = start.from === null ? await usableNumbersOfCall(db, { callId, numbers }, rule) : [];
  if (others.length === 0) return { from, isRefused: true };
  return { from: await callerId(db, callId, start, others), isRefused: false };
}

/**
 * Works like `shownCallerId()`. But if a campaign's call would be refused, it can use the agent's current numbers, which may have been
 * added after the call was created. `campaign` is set in that case.
 */
export async function shownOrHeld(
  db: Db,
  call: CallToShow,
  rule: CallerIdRule,
): Promise<ShownCallerId & { campaign?: CampaignOfCall }> {
  const shown = await shownCallerId(db, call, rule);
  if (!shown.isRefused) return shown;
  const campaign = await campaignOfCall(db, call.callId);
  if (campaign === undefined) return shown;
  const numbers = outboundNumbers(campaign.agentConfig);
  return { ...(await shownCallerId(db, { ...call, numbers }, rule)), campaign };
}

/**
 * Returns whether a call without a campaign has no number to show. If the platform allows only registered numbers, the dial itself checks
 * this later.
 */
export async function lacksCallerId(db: Db, callId: string, rule: NumberRule): Promise<boolean> {
  if (rule.registeredOnly) return false;
  const call = await callerIdSources(db, callId);
  if (call === undefined || call.from !== null) return false;
  return effectiveConfig(call.config, call.modifyAgent).deployment.phone.call_type.Outbound.length === 0;
}

/** Returns whether the agent's current list allows the number, even for a call that was accepted earlier. */
export function mayShow(callerId: string | null, numbers: readonly string[]): boolean {
  if (callerId === null) return true;
  return PATTERNS.e164.test(callerId) && (numbers.length === 0 || numbers.includes(callerId));
}
