import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TelemetryOptions, Worker, WorkerStatus } from '@temporalio/worker';
import { Gauge, type Registry } from 'prom-client';
import { openDatabase, poolUse, type DatabaseAddress, type Db } from '../../db/kernel/connection';
import { platformState } from '../../db/reconciliation/platform-state';
import { serveMetrics, type MetricsAddress } from '../../runtime/observability/metrics-server';
import { poolGauges } from '../../runtime/observability/pool-gauges';
import { stateGauges } from '../../runtime/observability/state-gauges';

interface MetricsSources {
  registry: Registry;
  /** Pool whose use is exported. */
  db: Db;
  database: DatabaseAddress;
  clock: () => number;
  worker: Pick<Worker, 'getStatus'>;
  sdk: Pick<SdkMetrics, 'text'>;
}

/** Serves the platform's metrics, Node's and the SDK's on one endpoint. Returns a function that stops it. */
export async function serveWorkerMetrics(
  address: MetricsAddress,
  { registry, db, database, clock, worker, sdk }: MetricsSources,
): Promise<() => Promise<void>> {
  // Use a separate connection, so that an exhausted pool can still be measured.
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

/** Gauges of the SDK worker's own status. */
function workerGauges(registry: Registry, status: () => WorkerStatus): void {
  const registers = [registry];
  new Gauge({
    name: 'voice_agent_worker_polling',
    help: '1 while this worker runs and asks Temporal for tasks of a kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      const now = status();
      const runs = now.runState === 'RUNNING';
      this.set({ kind: 'workflow' }, runs && now.workflowPollerState === 'POLLING' ? 1 : 0);
      this.set({ kind: 'activity' }, runs && now.activityPollerState === 'POLLING' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'voice_agent_worker_activities',
    help: 'Activities under way in this worker; most are local ones.',
    labelNames: ['kind'],
    registers,
    collect() {
      const now = status();
      this.set({ kind: 'local' }, now.numInFlightLocalActivities);
      this.set({ kind: 'regular' }, now.numInFlightNonLocalActivities);
    },
  });
  new Gauge({
    name: 'voice_agent_worker_cached_workflows',
    help: 'Workflows that this worker keeps in memory.',
    registers,
    collect() {
      this.set(status().numCachedWorkflows);
    },
  });
}

const LOOPBACK = '127.0.0.1';
const ANSWER_WITHIN_MS = 2_000;

interface SdkMetrics {
  telemetry: NonNullable<TelemetryOptions['metrics']>;
  /** Returns Prometheus text, which is empty if the SDK doesn't respond. */
  text(): Promise<string>;
}

/**
 * Temporal's SDK serves its metrics on a port that its native part opens, here on the loopback interface. `Runtime.install` fails if
 * another process takes the port before that.
 */
export async function sdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`;
  return {
    telemetry: {
      prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      attachServiceName: false,
    },
    async text() {
      try {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const response = await fetch(`http://${bindAddress}/metrics`, { signal });
        return response.ok ? await response.text() : '';
      } catch {
        return '';
      }
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('a server that listens has no port');
  return address.port;
}
