/**
 * Signs a delivery with two headers of our own and the three of Standard Webhooks (https://www.standardwebhooks.com). Each attempt gets a
 * new signature, because the signature covers the timestamp.
 */
import { createHmac } from 'node:crypto';

interface SignedEvent {
  eventId: string;
  body: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Seconds since the epoch. */
  timestampS: number;
  /**
   * `whsec_<base64>`, newest first. There are two during a rotation. Our own header has room for only one signature and uses the oldest
   * secret, because the receiver may not know the newest one yet.
   */
  secrets: readonly string[];
}

const SECRET_PREFIX = 'whsec_';

export function signatureHeaders({
  eventId,
  body,
  attempt,
  timestampS,
  secrets,
}: SignedEvent): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Service-Timestamp': String(timestampS),
    'X-Service-Event-Id': eventId,
    'X-Service-Delivery-Attempt': String(attempt),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampS),
  };
  const oldest = secrets.at(-1);
  if (oldest === undefined) return headers;
  headers['X-Service-Signature'] = `sha256=${hmac(oldest, `${timestampS}.${body}`, 'hex')}`;
  headers['webhook-signature'] = secrets
    .map((secret) => `v1,${hmac(decoded(secret), `${eventId}.${timestampS}.${body}`, 'base64')}`)
    .join(' ');
  return headers;
}

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding);

const decoded = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
