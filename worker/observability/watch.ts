/** The worker's observability: the platform's metrics, the SDK's, and traces if configured. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type {
  ActivityInterceptorsFactory,
  InjectedSinks,
  TelemetryOptions,
  Worker,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ActivityDependencies } from '../../activities/dependencies';
import { activityMetrics, type ActivityMetrics } from '../../activities/metrics';
import type { Db } from '../../db/kernel/connection';
import { processRegistry } from '../../runtime/observability/metrics-server';
import type { WorkerSettings } from '../settings';
import { measuredTelephony, measuredWebhooks, activityTimer } from './measured-requests';
import { serveWorkerMetrics, sdkMetrics } from './metrics';

export interface Watch {
  metrics: ActivityMetrics;
  /** Options for `Runtime.install`, which must run before the SDK is used in any other way. */
  telemetryOptions: TelemetryOptions;
  clientInterceptors: WorkflowClientInterceptor[];
  activityInterceptors: ActivityInterceptorsFactory[];
  workerOptions: { sinks?: InjectedSinks<Sinks> };
  /** Wraps the dependencies to measure their requests. */
  measured<T extends Pick<ActivityDependencies, 'telephony' | 'webhooks'>>(dependencies: T): T;
  /** Starts serving metrics, if configured. */
  serve(sources: { db: Db; clock: () => number; worker: Pick<Worker, 'getStatus'> }): Promise<void>;
  close(): Promise<void>;
}

export async function openWatch(
  { metrics: address, tracesTo, database }: Pick<WorkerSettings, 'metrics' | 'tracesTo' | 'database'>,
  log: Logger,
): Promise<Watch> {
  const registry = address === null ? new Registry() : processRegistry();
  const sdk = address === null ? null : await sdkMetrics();
  const tracing = tracesTo === null ? null : await openTracing(tracesTo, log);
  let endMetrics = (): Promise<void> => Promise.resolve();
  return {
    metrics: activityMetrics(registry),
    telemetryOptions: sdk === null ? {} : { metrics: sdk.telemetry },
    clientInterceptors: tracing?.clientInterceptors ?? [],
    activityInterceptors: [activityTimer(registry), ...(tracing?.activityInterceptors ?? [])],
    workerOptions: tracing === null ? {} : { sinks: tracing.sinks },
    measured: (dependencies) => ({
      ...dependencies,
      telephony: measuredTelephony(dependencies.telephony, registry),
      webhooks: measuredWebhooks(dependencies.webhooks, registry),
    }),
    async serve(sources) {
      if (address === null || sdk === null) return;
      endMetrics = await serveWorkerMetrics(address, { registry, database, sdk, ...sources });
    },
    async close() {
      await endMetrics();
      await tracing?.close();
    },
  };
}

async function openTracing(endpoint: string, log: Logger) {
  const { openWorkerTracing, otlpExporter } = await import('./tracing.js');
  return openWorkerTracing({ exporter: otlpExporter(endpoint), log });
}
