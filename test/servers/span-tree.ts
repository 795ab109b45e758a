/** Spans received by a collector, with their ancestry. */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

export interface ReceivedSpan {
  service: string;
  scope: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the root span of a trace. */
  parentId: string;
  attributes: Record<string, unknown>;
  /** The unparsed span, for tests that search it for forbidden data. */
  raw: string;
}

export class SpanTree {
  readonly spans: ReceivedSpan[] = [];

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  parentOf({ parentId, traceId }: ReceivedSpan): ReceivedSpan | undefined {
    return this.spans.find((span) => span.spanId === parentId && span.traceId === traceId);
  }

  /** Returns the span's name, followed by those of its ancestors. */
  pathOf(span: ReceivedSpan): string[] {
    const parent = this.parentOf(span);
    return [span.name, ...(parent === undefined ? [] : this.pathOf(parent))];
  }
}

/** Exports spans into memory. The real exporter loads a module in a way that Jest doesn't support. */
export function keeping(tree: SpanTree): SpanExporter {
  return {
    export(spans, done) {
      tree.spans.push(...spans.map(received));
      done({ code: 0 });
    },
    shutdown: () => Promise.resolve(),
  };
}

const received = (span: ReadableSpan): ReceivedSpan => ({
  service: String(span.resource.attributes['service.name']),
  scope: span.instrumentationScope.name,
  name: span.name,
  traceId: span.spanContext().traceId,
  spanId: span.spanContext().spanId,
  parentId: span.parentSpanContext?.spanId ?? '',
  attributes: span.attributes,
  raw: JSON.stringify({ ...span, resource: undefined }),
});
