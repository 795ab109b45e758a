/** Loaded only if traces are configured. See `runtime/observability/tracing.ts`. */
import { TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import {
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
  type OpenTelemetrySinks,
  type SerializableSpan,
} from '@temporalio/interceptors-opentelemetry';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { openTracing, type Tracing, type TracingOptions } from '../../runtime/observability/tracing';

export { otlpExporter } from '../../runtime/observability/tracing';

export interface WorkerTracing {
  clientInterceptors: WorkflowClientInterceptor[];
  activityInterceptors: ActivityInterceptorsFactory[];
  sinks: InjectedSinks<OpenTelemetrySinks>;
  close(): Promise<void>;
}

export function openWorkerTracing(options: Omit<TracingOptions, 'service'>): WorkerTracing {
  const tracing = openTracing({ ...options, service: 'voice-agent-worker' });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    activityInterceptors: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) })],
    sinks: { exporter: { export: { fn: (info, spans) => take(tracing, info, spans) } } },
    close: () => tracing.close(),
  };
}

/**
 * Converts a workflow's spans from the format of an older OpenTelemetry version, which named the parent and the tracer differently.
 * Temporal's own exporter doesn't do this, so the collector would receive broken traces.
 */
function take(
  { processor, resource }: Tracing,
  info: { workflowId: string; runId: string },
  spans: SerializableSpan[],
): void {
  for (const span of spans) processor.onEnd(asReadable(span, info, resource));
}

function asReadable(
  { spanContext, parentSpanId, instrumentationLibrary, ...span }: SerializableSpan,
  info: { workflowId: string; runId: string },
  resource: Tracing['resource'],
): ReadableSpan {
  const { traceId, spanId, traceFlags } = spanContext;
  return {
    ...span,
    attributes: { ...span.attributes, temporalWorkflowId: info.workflowId, run_id: info.runId },
    spanContext: () => ({ traceId, spanId, traceFlags }),
    ...(parentSpanId === undefined
      ? {}
      : { parentSpanContext: { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED } }),
    instrumentationScope: { name: instrumentationLibrary.name },
    resource,
  };
}
