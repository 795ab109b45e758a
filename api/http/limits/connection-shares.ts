import type { Admit } from '../../../db/kernel/connection';
import { Shares, type Release } from '../../../runtime/shares';
import { concernNow } from '../log';

/** As long as a statement may wait for a connection. */
const WAIT_MS = 2_500;
const WAITING = 400;

/**
 * The share of database connections of the organization whose request is handled. Together organizations leave a fifth of the pool to
 * everything else: keys that are looked up, events of carriers and health never queue behind them.
 */
export function connectionShares(poolSize: number): Admit {
  const shares = new Shares({
    most: Math.max(1, poolSize - Math.ceil(poolSize / 5)),
    mostOfOne: Math.max(1, Math.floor(poolSize / 2)),
    waiting: WAITING,
    waitMs: WAIT_MS,
  });
  return (): Promise<Release | null> => {
    const organization = concernNow().client_id;
    return organization === undefined ? Promise.resolve(nothing) : shares.enter(organization);
  };
}

const nothing: Release = () => undefined;
