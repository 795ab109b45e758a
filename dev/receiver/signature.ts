/** What a receiver of our webhooks does to know that a delivery is ours, in both of the forms that each one carries. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedDelivery {
  /** By lower-case name, as Node gives them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As received, byte for byte: a parsed and printed body has another signature. */
  body: string;
  /** `whsec_<base64>`; any of them may have signed. */
  secrets: readonly string[];
  nowMs: number;
}

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';

/** Null when both signatures hold, else the first reason why not. */
export function signatureFault({ headers, body, secrets, nowMs }: SignedDelivery): string | null {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  const ownTimestamp = header('x-service-timestamp');
  const standardTimestamp = header('webhook-timestamp');
  if (![ownTimestamp, standardTimestamp].every((timestamp) => isRecent(timestamp, nowMs))) {
    return 'the timestamp is missing or more than 300 s away';
  }
  const own = header('x-service-signature');
  if (!secrets.some((secret) => isSame(own, `sha256=${hmac(secret, `${ownTimestamp}.${body}`, 'hex')}`))) {
    return 'X-Service-Signature does not match';
  }
  const signed = `${header('webhook-id')}.${standardTimestamp}.${body}`;
  const given = header('webhook-signature').split(' ');
  const expected = secrets.map((secret) => `v1,${hmac(decoded(secret), signed, 'base64')}`);
  if (!expected.some((signature) => given.some((one) => isSame(one, signature)))) {
    return 'webhook-signature does not match';
  }
  if (header('webhook-id') !== header('x-service-event-id')) return 'the two event ids differ';
  return null;
}

function isRecent(timestamp: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_S;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(text).digest(encoding);

const decoded = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
