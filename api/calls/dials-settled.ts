import { setTimeout as sleep } from 'node:timers/promises';
import { isCarrierBeingAsked, type AskedFor } from '../../db/calls/asked-calls';
import type { ApiDependencies } from '../dependencies';

const POLL_MS = 25;
/** A carrier that answers does so within a second or two. */
const POLL_SELDOM_MS = 250;
const SELDOM_AFTER_MS = 3_000;

/**
 * Until nothing that was asked for can come to a call unseen: the carrier has it, has not placed it, or can no longer take it up. Mostly a
 * fraction of a second; as long as the telephony says (`settlesMs`) where the carrier is silent.
 */
export async function dialsSettled(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  of: AskedFor,
): Promise<void> {
  const since = performance.now();
  while (await isCarrierBeingAsked(db, of, clock.now())) {
    const pollMs = performance.now() - since < SELDOM_AFTER_MS ? POLL_MS : POLL_SELDOM_MS;
    await sleep(pollMs);
  }
}
