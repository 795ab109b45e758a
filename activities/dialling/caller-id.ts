/** Which of the agent's numbers a call comes from. */
import type { DialIntent } from '../../db/calls/engine';
import type { Db } from '../../db/kernel/connection';
import { callerIdBefore, nextOutboundTurn } from '../../db/calls/outbound-turns';
import { PATTERNS } from '../../workflows/domain/agent-config/forms';

/**
 * The number that the dispatch asked for, else the next of the agent's in turn; null leaves it to the carrier. A redial comes from the
 * number after the one that was not answered.
 */
export async function callerId(
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

/** A list that was changed since the call was accepted holds for it too: nobody is shown a number that the agent may not use. */
export function mayShow(callerId: string | null, numbers: readonly string[]): boolean {
  if (callerId === null) return true;
  return PATTERNS.e164.test(callerId) && (numbers.length === 0 || numbers.includes(callerId));
}
