import type { Attributes, Link } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/**
 * Span attributes that can be exported: ids, and names and codes that the platform defines. Temporal's interceptors set the first four.
 */
const KEPT: ReadonlySet<string> = new Set([
  'temporalWorkflowId',
  'temporalActivityId',
  'run_id',
  'temporalUpdateId',
  'request_id',
  'organization_id',
  'call_id',
  'campaign_id',
  'http.request.method',
  'http.route',
  'http.response.status_code',
]);

const kept = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => KEPT.has(name)));

/** Exports only that a span failed. Leaves out the error message, which can quote rows or addresses. */
function bare(span: ReadableSpan): ReadableSpan {
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext === undefined ? {} : { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: { code: span.status.code },
    attributes: kept(span.attributes),
    links: span.links.map(({ context }): Link => ({ context })),
    events: span.events.map(({ name, time }) => ({ name, time })),
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

export const withIdsOnly = (exporter: SpanExporter): SpanExporter => ({
  export: (spans, done) => exporter.export(spans.map(bare), done),
  shutdown: () => exporter.shutdown(),
  forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
});

const LOG_EVERY_MS = 60_000;
const FAILED = 1;

/** Drops spans while the collector is down, and logs one line per minute. */
export function loggingFailures(
  exporter: SpanExporter,
  log: { warn(fields: Record<string, unknown>, sentence: string): void },
): SpanExporter {
  let loggedAt = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now();
        if (Number(result.code) === FAILED && now - loggedAt >= LOG_EVERY_MS) {
          loggedAt = now;
          log.warn({ spans: spans.length, error: result.error?.name }, 'traces could not be sent');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
