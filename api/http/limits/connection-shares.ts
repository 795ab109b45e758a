import type { Admit } from '../../../db/kernel/connection';
import { Shares, type Release } from '../../../runtime/shares';
import { concernNow } from '../log';

/** Same as the time that a statement may wait for a connection. */
const WAIT_MS = 2_500;
const WAITING = 400;

/**
 * Limits the database connections of the current request's organization. A fifth of the pool stays reserved for key lookups, carrier events
 * and health checks, so that they never queue behind organizations.
 */
export function connectionShares(poolSize: number): Admit {
  const shares = new Shares({
    max: Math.max(1, poolSize - Math.ceil(poolSize / 5)),
    maxPerOwner: Math.max(1, Math.floor(poolSize / 2)),
    waiting: WAITING,
    waitMs: WAIT_MS,
  });
  return (): Promise<Release | null> => {
    const organization = concernNow().organization_id;
    return organization === undefined ? Promise.resolve(nothing) : shares.enter(organization);
  };
}

const nothing: Release = () => undefined;
