/** Loaded only if tracing is configured: see `runtime/observability/tracing.ts`. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { Middleware } from 'koa';
import { openTracing, type TracingOptions } from '../../runtime/observability/tracing';
import type { ApiState } from './context';
import { alsoConcerns, concernNow } from './log';
import { routeOf } from './middleware';

export { otlpExporter } from '../../runtime/observability/tracing';

export interface ApiTracing {
  traceRequest: Middleware<ApiState>;
  /** Propagates the trace of a request to the workflows that it starts and signals. */
  clientInterceptors: WorkflowClientInterceptor[];
  close(): Promise<void>;
}

export function openApiTracing(options: Omit<TracingOptions, 'service'>): ApiTracing {
  const tracing = openTracing({ ...options, service: 'voice-agent-api' });
  return {
    traceRequest: requestSpans(),
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    close: () => tracing.close(),
  };
}

/**
 * Starts a new trace for each request. Ignores the client's `traceparent`, because otherwise any client could decide which traces are
 * sampled.
 */
function requestSpans(): Middleware<ApiState> {
  const tracer = trace.getTracer('voice-agent-api');
  return (ctx, next) =>
    tracer.startActiveSpan(ctx.method, { kind: SpanKind.SERVER, root: true }, async (span) => {
      alsoConcerns({ trace_id: span.spanContext().traceId });
      try {
        await next();
      } finally {
        const route = routeOf(ctx);
        span.updateName(`${ctx.method} ${route}`);
        span.setAttributes({
          ...concernNow(),
          'http.request.method': ctx.method,
          'http.route': route,
          'http.response.status_code': ctx.status,
        });
        if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    });
}
