/** Opens the API's metrics and, if configured, traces. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { DatabaseAddress, Db } from '../../../db/kernel/connection';
import { type MetricsAddress, processRegistry } from '../../../runtime/observability/metrics-server';
import type { ApiState } from '../endpoint/context';
import { apiMetrics, type ApiMetrics } from './api-metrics';
import { serveApiMetrics } from './serve-metrics';

export interface Watch {
  metrics: ApiMetrics;
  traceRequest: Middleware<ApiState> | undefined;
  clientInterceptors: WorkflowClientInterceptor[];
  /** Starts serving metrics, if configured. */
  serve(sources: { db: Db; clock: { now(): number } }): Promise<void>;
  close(): Promise<void>;
}

/** Addresses of the metrics server and of the trace collector. Null turns each off. */
export interface WatchSettings {
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
