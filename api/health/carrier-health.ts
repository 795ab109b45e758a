import type { EndedDial } from '../../db/calls/recent-dials';
import { carrierFailed } from '../../domain/call-outcome';
import { up, type PartHealth } from './part-health';

/** Fewer may fail by chance. */
const LEAST_DIALS = 3;

/**
 * The carrier, by how the client's latest dials ended, the newest first: down where it failed each, degraded where it failed half or more.
 * Null where too few show whether it works.
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
