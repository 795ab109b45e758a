import type { Worker } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import { openDatabase, type DatabaseAddress, type Db } from '../../db/kernel/connection';
import { platformState } from '../../db/reconciliation/platform-state';
import { poolUse } from '../../db/kernel/pool-use';
import { serveMetrics, type MetricsAddress } from '../../runtime/observability/metrics-server';
import { poolGauges } from '../../runtime/observability/pool-gauges';
import { stateGauges } from '../../runtime/observability/state-gauges';
import type { SdkMetrics } from './sdk-metrics';
import { workerGauges } from './worker-gauges';

export interface MetricsSources {
  registry: Registry;
  /** Pool whose use is exported. */
  db: Db;
  database: DatabaseAddress;
  clock: () => number;
  worker: Pick<Worker, 'getStatus'>;
  sdk: Pick<SdkMetrics, 'text'>;
}

/** Serves our metrics, Node's and the SDK's on one endpoint. Returns a function that stops it. */
export async function serveWorkerMetrics(
  address: MetricsAddress,
  { registry, db, database, clock, worker, sdk }: MetricsSources,
): Promise<() => Promise<void>> {
  // A separate connection, so that an exhausted pool can still be measured.
  const watching = openDatabase({ ...database, poolSize: 1, applicationName: 'worker metrics' });
  stateGauges(registry, () => platformState(watching, clock()));
  poolGauges(registry, () => poolUse(db));
  workerGauges(registry, () => worker.getStatus());
  const server = await serveMetrics(address, registry, () => sdk.text());
  return async () => {
    server.close();
    server.closeAllConnections();
    await watching.destroy();
  };
}
