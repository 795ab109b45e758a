/** OpenTelemetry collector that stores the traces it receives (OTLP over HTTP, protobuf). */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parse } from 'protobufjs';
import { SpanTree, type ReceivedSpan } from './span-tree';

/** The part of https://github.com/open-telemetry/opentelemetry-proto that the tests read. The parser skips other fields. */
const { root } = parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
  message Scope { string name = 1; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9; repeated Event events = 11; Status status = 15;
  }
  message Event { string name = 2; repeated KeyValue attributes = 3; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const Request = root.lookupType('Request');

export class OtlpReceiver extends SpanTree {
  private constructor(private readonly server: Server) {
    super();
  }

  static async open(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on('request', (request, response) => {
      void receiver.take(request).then((status) => response.writeHead(status).end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Safe to call more than once. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage): Promise<number> {
    const body = await buffer(request);
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf')
      return 404;
    const message: any = Request.toObject(Request.decode(body), {
      longs: Number,
      defaults: true,
      oneofs: true,
    });
    for (const { resource, scopeSpans } of message.resourceSpans) {
      const service = valuesOf(resource.attributes)['service.name'];
      for (const { scope, spans } of scopeSpans) {
        for (const span of spans) this.spans.push(received(span, String(service), scope.name));
      }
    }
    return 200;
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const valuesOf = (attributes: any[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value[value.value]]));

function received(span: any, service: string, scope: string): ReceivedSpan {
  return {
    service,
    scope,
    name: span.name,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentId: hex(span.parentSpanId),
    attributes: valuesOf(span.attributes),
    raw: JSON.stringify(span),
  };
}
