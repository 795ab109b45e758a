/** Which of the agent's numbers a call comes from. */
import { usableNumbersOfCall, type NumberRule } from '../../db/agents/numbers';
import { campaignOfCall, type CampaignOfCall } from '../../db/campaigns/brakes';
import type { DialIntent } from '../../db/calls/engine';
import type { Db } from '../../db/kernel/connection';
import { callerIdBefore, callerIdSources, nextOutboundTurn } from '../../db/calls/outbound-turns';
import { outboundNumbers } from '../../domain/agent-config';
import { effectiveConfig } from '../../domain/effective-config';
import { PATTERNS } from '../../domain/agent-config/forms';

/**
 * The number that the dispatch asked for, else the next of the agent's in turn; null leaves it to the carrier. A redial comes from the
 * number after the one that was not answered.
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
  return following(numbers, (await nextOutboundTurn(db, callId)) - 2);
}

const following = (numbers: readonly string[], index: number): string | null =>
  numbers[(index + 1) % numbers.length] ?? null;

/** Null leaves the number to the carrier. */
export type ShownCallerId = { from: string | null; isRefused: boolean };

/** `isNeeded`: the carrier does not choose one. */
type CallerIdRule = NumberRule & { isNeeded: boolean };

interface CallToShow {
  callId: string;
  start: Pick<DialIntent, 'from' | 'attempt'>;
  numbers: readonly string[];
}

/**
 * The caller ID of a call, judged as it is dialled: the agent's list may have been changed, or a number registered for another client, since
 * the call was accepted. Refused where the dispatch asked for a number that may not be shown, where none of the agent's may be, and where the
 * carrier would have to choose and doesn't, or could choose another client's (registered numbers only).
 */
async function shownCallerId(
  db: Db,
  { callId, start, numbers }: CallToShow,
  rule: CallerIdRule,
): Promise<ShownCallerId> {
  const from = await callerId(db, callId, start, numbers);
  if (from === null) return { from, isRefused: rule.registeredOnly || rule.isNeeded };
  if (!mayShow(from, numbers)) return { from, isRefused: true };
  if ((await usableNumbersOfCall(db, { callId, numbers: [from] }, rule)).length > 0)
    return { from, isRefused: false };
  // Rare, and of up to two thousand numbers each takes a while to read: only then the whole list is looked at.
  const others = start.from === null ? await usableNumbersOfCall(db, { callId, numbers }, rule) : [];
  if (others.length === 0) return { from, isRefused: true };
  return { from: await callerId(db, callId, start, others), isRefused: false };
}

/**
 * As above. A campaign's call that would be refused is shown one of the numbers that its agent has by now: it may wait since before it got
 * them. `campaign` is that of a call which is refused.
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
 * Whether the carrier would have to choose for a call without a campaign; false where numbers must be registered, which is judged as the call is
 * dialled. The agent of a campaign may have got its number by now.
 */
export async function lacksCallerId(db: Db, callId: string, rule: NumberRule): Promise<boolean> {
  if (rule.registeredOnly) return false;
  const call = await callerIdSources(db, callId);
  if (call === undefined || call.from !== null) return false;
  return effectiveConfig(call.config, call.modifyAgent).deployment.phone.call_type.Outbound.length === 0;
}

/** A list that was changed since the call was accepted holds for it too: nobody is shown a number that the agent may not use. */
export function mayShow(callerId: string | null, numbers: readonly string[]): boolean {
  if (callerId === null) return true;
  return PATTERNS.e164.test(callerId) && (numbers.length === 0 || numbers.includes(callerId));
}
