import { setTimeout as sleep } from 'node:timers/promises';
import { isDialPending, type DialOwner } from '../../db/calls/engine';
import type { ApiDependencies } from '../dependencies';

const POLL_MS = 25;
/** Most carriers answer within a second or two. */
const POLL_SELDOM_MS = 250;
const SELDOM_AFTER_MS = 3_000;

/**
 * Waits until every dial in flight has succeeded, failed or timed out. This usually takes a fraction of a second, but up to the telephony's
 * `pendingDialMs` if the carrier doesn't respond.
 */
export async function dialsDrained(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  of: DialOwner,
): Promise<void> {
  const since = performance.now();
  while (await isDialPending(db, of, clock.now())) {
    const pollMs = performance.now() - since < SELDOM_AFTER_MS ? POLL_MS : POLL_SELDOM_MS;
    await sleep(pollMs);
  }
}
