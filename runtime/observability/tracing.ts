/**
 * Traces to an OpenTelemetry collector. Loaded by a process only where one is configured: without it nothing of this is in memory, and
 * what the Temporal client and the workflows send is as it was.
 */
import { setTimeout } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { loggingFailures, withIdsOnly } from './span-exporters';

const EXPORT_WITHIN_MS = 5_000;
/** Spans are not worth a slow stop. */
const LAST_EXPORT_WITHIN_MS = 2_000;

export interface TracingOptions {
  /** Where spans go: `otlpExporter` of the collector. */
  exporter: SpanExporter;
  /** As the traces name the process. */
  service: string;
  log: { warn(fields: Record<string, unknown>, sentence: string): void };
}

export interface Tracing {
  /** Takes spans that were not made by this process's own tracer: those of workflows. */
  processor: SpanProcessor;
  resource: ReturnType<typeof resourceFromAttributes>;
  /** Sends what is left, unless the collector takes too long. */
  close(): Promise<void>;
}

/** OTLP over HTTP, to the collector's base address: `/v1/traces` is added. */
export const otlpExporter = (endpoint: string): SpanExporter =>
  new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_WITHIN_MS });

/**
 * The tracer of this process and how its context travels become OpenTelemetry's global ones, as Temporal's interceptors look for them
 * there. Sampling and headers for the collector are OpenTelemetry's own variables.
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
      await Promise.race([end, setTimeout(LAST_EXPORT_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
