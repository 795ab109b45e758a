import type { PoolUse } from '../../domain/platform-state';
import type { Db } from './connection';

/** The counters of knex's pool, which its types don't declare. */
interface Pool {
  max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const isPool = (value: unknown): value is Pool =>
  typeof value === 'object' && value !== null && 'numUsed' in value && 'numPendingAcquires' in value;

/** Returns the current connections of this process. */
export function poolUse(db: Db): PoolUse {
  const client: unknown = db.client;
  const pool = typeof client === 'object' && client !== null && 'pool' in client ? client.pool : null;
  if (!isPool(pool)) return { used: 0, free: 0, waiting: 0, most: 0 };
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires(), most: pool.max };
}
