/**
 * Sends traces to an OpenTelemetry collector. A process loads this file only if a collector is configured, so without one, tracing costs no
 * memory and adds nothing to Temporal requests or workflows.
 */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { withTimeout } from '../network/time-limit';
import { loggingFailures, withIdsOnly } from './span-exporters';

const EXPORT_WITHIN_MS = 5_000;
/** Time limit of the last export, so that spans don't delay the shutdown. */
const LAST_EXPORT_WITHIN_MS = 2_000;

export interface TracingOptions {
  /** Normally the collector's `otlpExporter`. */
  exporter: SpanExporter;
  /** Name of the process in traces. */
  service: string;
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}

export interface Tracing {
  /** Accepts spans that this process's tracer did not create, which are those of workflows. */
  processor: SpanProcessor;
  resource: ReturnType<typeof resourceFromAttributes>;
  /** Exports the remaining spans, unless the collector takes too long. */
  close(): Promise<void>;
}

/** Exports with OTLP over HTTP. `endpoint` is the collector's base URL. */
export const otlpExporter = (endpoint: string): SpanExporter =>
  new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_WITHIN_MS });

/**
 * Registers the tracer and propagator globally, because Temporal's interceptors look for them there. OpenTelemetry's own variables set the
 * sampling and the collector's headers.
 */
export function openTracing({ exporter, service, log }: TracingOptions): Tracing {
  const resource = resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid });
  const processor = new BatchSpanProcessor(withIdsOnly(loggingFailures(exporter, log)));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  return {
    processor,
    resource,
    async close() {
      const end = provider.shutdown().catch(() => undefined);
      await withTimeout(LAST_EXPORT_WITHIN_MS, end, () => undefined);
    },
  };
}
