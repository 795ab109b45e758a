import type { EndedDial } from '../../db/calls/recent-dials';
import { carrierFailed } from '../../domain/call-outcome';
import { up, type PartHealth } from './part-health';

/** Fewer failures may be chance. */
const LEAST_DIALS = 3;

/**
 * Judges the carrier by the organization's latest dials, newest first: down if all failed, degraded if at least half failed. Returns null if
 * there are too few dials.
 */
export function carrierHealth(dials: readonly EndedDial[]): PartHealth | null {
  const judged = dials.flatMap(({ endReason, endedAt }) => {
    const hasFailed = carrierFailed(endReason);
    return hasFailed === null ? [] : [{ hasFailed, endedAt }];
  });
  if (judged.length < LEAST_DIALS) return null;
  const failed = judged.filter(({ hasFailed }) => hasFailed);
  if (failed.length * 2 < judged.length) return up('carrier');
  return {
    part: 'carrier',
    status: failed.length === judged.length ? 'down' : 'degraded',
    reason: 'dials_fail',
    since: failed.at(-1)?.endedAt.getTime() ?? null,
  };
}
