/** Spans as a collector has them, and how they hang together. */
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

export interface ReceivedSpan {
  service: string;
  scope: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty of the first of a trace. */
  parentId: string;
  attributes: Record<string, unknown>;
  /** As it was sent, to look for what must not be in it. */
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

  /** Its own name, then that of each span above it. */
  pathOf(span: ReceivedSpan): string[] {
    const parent = this.parentOf(span);
    return [span.name, ...(parent === undefined ? [] : this.pathOf(parent))];
  }
}

/** Keeps what it is given in memory: the exporter for a collector loads a module in a way that jest does not have. */
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
