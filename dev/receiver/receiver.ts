/** A webhook endpoint like that of an API client. It checks both signatures, logs the delivery and responds immediately. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openReceiverLog, type ReceiverEntry } from './log';
import { verifyWebhook, type WebhookToVerify } from '../../api/webhooks/verify-webhook';

interface ReceiverOptions {
  /** 0 picks any free port. */
  port: number;
  /** The log, with one JSON line per delivery. */
  logPath: string;
  /** Called for each delivery, because a receiver may start before the secret is issued. */
  secrets: () => readonly string[];
  /** Returns the response status; 200 by default. Tests use it to simulate failing endpoints. */
  answer?: (entry: Omit<ReceiverEntry, 'status'>) => number;
}

export interface Receiver {
  /** Base URL. The receiver accepts any path and logs it. */
  url: string;
  /** `host:port`, as WEBHOOK_ALLOWED_HOSTS expects it. */
  host: string;
  /** The deliveries this process has received, in order. */
  entries: readonly ReceiverEntry[];
  close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** The largest deliveries contain a call's transcript, which is far smaller than this. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Rejects with EADDRINUSE if the port is in use. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const log = openReceiverLog(options.logPath);
  const entries: ReceiverEntry[] = [];
  const server = http.createServer((request, response) => {
    readBody(request).then(
      (body) => {
        const seen = describe(request, body, options.secrets());
        const entry = { ...seen, status: options.answer?.(seen) ?? 200 };
        log.write(entry);
        entries.push(entry);
        response.writeHead(entry.status).end();
      },
      // The sender closed the connection or sent too much, so nothing was delivered.
      () => request.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  const host = `${LOOPBACK}:${portOf(server.address())}`;
  return {
    url: `http://${host}`,
    host,
    entries,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function describe(
  request: http.IncomingMessage,
  body: string,
  secrets: readonly string[],
): Omit<ReceiverEntry, 'status'> {
  const nowMs = Date.now();
  const fields = fieldsOf(body);
  const textAt = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : null;
  };
  const eventId = textAt('event_id');
  const fault =
    signatureFault({ headers: request.headers, body, secrets, nowMs }) ??
    (eventId === request.headers['x-service-event-id']
      ? null
      : 'the event_id in the body differs from the header');
  const attempt = Number(request.headers['x-service-delivery-attempt'] ?? NaN);
  return {
    at: new Date(nowMs).toISOString(),
    path: request.url ?? '/',
    event: textAt('event'),
    event_id: eventId,
    attempt: Number.isInteger(attempt) ? attempt : null,
    call_id: textAt('call_id'),
    campaign_id: textAt('campaign_id'),
    valid: fault === null,
    fault,
    timestamp: headerOf(request, 'x-service-timestamp'),
    signature: headerOf(request, 'x-service-signature'),
  };
}

function headerOf(request: http.IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function fieldsOf(body: string): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('the receiver does not listen on a port');
  return address.port;
}

type SignedDelivery = Required<Pick<WebhookToVerify, 'headers' | 'body' | 'secrets' | 'nowMs'>>;

const FORMS = [
  ['service', 'X-Service-Signature'],
  ['standard', 'webhook-signature'],
] as const;

/** Returns null if both signatures are valid, or the first fault. */
export function signatureFault(delivery: SignedDelivery): string | null {
  for (const [form, signature] of FORMS) {
    const verdict = verifyWebhook({ ...delivery, form });
    // `describe` compares the event id in the body with the header.
    if (!verdict.ok && verdict.reason !== 'no-event-id') return `${signature}: ${verdict.reason}`;
  }
  return null;
}
