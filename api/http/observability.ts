/** Opens the API's metrics and, if configured, traces. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { type DatabaseAddress, type Db, openDatabase, poolUse } from '../../db/kernel/connection';
import {
  type MetricsAddress,
  processRegistry,
  serveMetrics,
} from '../../runtime/observability/metrics-server';
import type { ApiState } from './context';
import { apiMetrics, type ApiMetrics } from './metrics';
import { platformState } from '../../db/reconciliation/platform-state';
import { poolGauges } from '../../runtime/observability/pool-gauges';
import { stateGauges } from '../../runtime/observability/state-gauges';

interface Watch {
  metrics: ApiMetrics;
  traceRequest: Middleware<ApiState> | undefined;
  clientInterceptors: WorkflowClientInterceptor[];
  /** Starts serving metrics, if configured. */
  serve(sources: { db: Db; clock: { now(): number } }): Promise<void>;
  close(): Promise<void>;
}

/** Addresses of the metrics server and of the trace collector. Null turns each off. */
interface WatchSettings {
  metrics: MetricsAddress | null;
  tracesTo: string | null;
  database: DatabaseAddress;
}

export async function openWatch(
  { metrics: address, tracesTo, database }: WatchSettings,
  log: Logger,
): Promise<Watch> {
  const registry = address === null ? new Registry() : processRegistry();
  const tracing = tracesTo === null ? null : await openTracing(tracesTo, log);
  let endMetrics = (): Promise<void> => Promise.resolve();
  return {
    metrics: apiMetrics(registry),
    traceRequest: tracing?.traceRequest,
    clientInterceptors: tracing?.clientInterceptors ?? [],
    async serve(sources) {
      if (address !== null) endMetrics = await serveApiMetrics(address, { registry, database, ...sources });
    },
    async close() {
      await endMetrics();
      await tracing?.close();
    },
  };
}

async function openTracing(endpoint: string, log: Logger) {
  const { openApiTracing, otlpExporter } = await import('./tracing.js');
  return openApiTracing({ exporter: otlpExporter(endpoint), log });
}

interface MetricsSources {
  registry: Registry;
  /** The pool that the metrics describe. */
  db: Db;
  database: DatabaseAddress;
  clock: { now(): number };
}

/** Returns a function that stops the server. */
async function serveApiMetrics(
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
