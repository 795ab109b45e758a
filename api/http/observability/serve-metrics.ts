import type { Registry } from 'prom-client';
import { openDatabase, type DatabaseAddress, type Db, poolUse } from '../../../db/kernel/connection';
import { platformState } from '../../../db/reconciliation/platform-state';
import { serveMetrics, type MetricsAddress } from '../../../runtime/observability/metrics-server';
import { poolGauges } from '../../../runtime/observability/pool-gauges';
import { stateGauges } from '../../../runtime/observability/state-gauges';

export interface MetricsSources {
  registry: Registry;
  /** The pool that the metrics describe. */
  db: Db;
  database: DatabaseAddress;
  clock: { now(): number };
}

/** Returns a function that stops the server. */
export async function serveApiMetrics(
  address: MetricsAddress,
  { registry, db, database, clock }: MetricsSources,
): Promise<() => Promise<void>> {
  // Use a separate pool, because the metrics must still work when the main pool is exhausted.
  const watching = openDatabase({ ...database, poolSize: 1, applicationName: 'api metrics' });
  stateGauges(registry, () => platformState(watching, clock.now()));
  poolGauges(registry, () => poolUse(db));
  const server = await serveMetrics(address, registry);
  return async () => {
    server.close();
    server.closeAllConnections();
    await watching.destroy();
  };
}
