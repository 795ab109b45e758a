import type { EndedDial } from '../../db/calls/recent-dials';
import { carrierFailed } from '../../workflows/domain/call-outcome';
import { up, type PartHealth } from './part-health';

/** What fewer dials say is chance. */
const LEAST_DIALS = 3;

/**
 * The carrier, by how the client's latest dials ended, the newest first: down where it failed each, degraded where it failed half or more.
 * Null where there are too few that say anything of it.
 */
export function carrierHealth(dials: readonly EndedDial[]): PartHealth | null {
  const telling = dials.flatMap(({ endReason, endedAt }) => {
    const hasFailed = carrierFailed(endReason);
    return hasFailed === null ? [] : [{ hasFailed, endedAt }];
  });
  if (telling.length < LEAST_DIALS) return null;
  const failed = telling.filter(({ hasFailed }) => hasFailed);
  if (failed.length * 2 < telling.length) return up('carrier');
  return {
    part: 'carrier',
    status: failed.length === telling.length ? 'down' : 'degraded',
    reason: 'dials_fail',
    since: failed.at(-1)?.endedAt.getTime() ?? null,
  };
}
