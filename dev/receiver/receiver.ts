/** A webhook endpoint like that of an API client. It checks both signatures, logs the delivery and responds immediately. */
import http from 'node:http';
import { parsedJson, valueAt } from '../../domain/json';
import { closeServer, listen, readBody } from '../http';
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
    readBody(request, MAX_BODY_BYTES).then(
      (body) => {
        if (body === null) return void request.destroy();
        const seen = describe(request, body.toString('utf8'), options.secrets());
        const entry = { ...seen, status: options.answer?.(seen) ?? 200 };
        log.write(entry);
        entries.push(entry);
        response.writeHead(entry.status).end();
      },
      // The sender closed the connection, so nothing was delivered.
      () => undefined,
    );
  });
  const host = `${LOOPBACK}:${await listen(server, options.port)}`;
  return {
    url: `http://${host}`,
    host,
    entries,
    close: () => closeServer(server),
  };
}

function describe(
  request: http.IncomingMessage,
  body: string,
  secrets: readonly string[],
): Omit<ReceiverEntry, 'status'> {
  const nowMs = Date.now();
  const fields = parsedJson(body);
  const textAt = (name: string) => {
    const value = valueAt(fields, name);
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
