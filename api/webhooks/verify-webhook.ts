/**
 * Verifies webhooks in a receiver. This file depends only on Node, so receivers can also copy it into their own code.
 *
 * Pass the raw body, before any JSON parser. A body that was parsed and serialized again has a different signature.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Node's `request.headers`, fetch's `request.headers` or a plain object. Names are case-insensitive. */
export type WebhookHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

export interface WebhookToVerify {
  headers: WebhookHeaders;
  /** Raw body. A string is encoded as UTF-8. */
  body: string | Uint8Array;
  /** Secrets in the form `whsec_<base64>`. A signature by any of them is valid; during a rotation there are two. */
  secrets: readonly string[];
  /** Current time in milliseconds since the epoch. Default: the machine's clock. */
  nowMs?: number;
  /** Maximum difference between the timestamp and now, in seconds. Default: 300. */
  toleranceS?: number;
  /**
   * Which signature must be valid. `service` is X-Service-Signature with X-Service-Timestamp, `standard` the three headers of Standard
   * Webhooks. Default: `either`.
   */
  form?: WebhookForm | 'either';
}

export type WebhookForm = 'service' | 'standard';

export type WebhookRefusal =
  /** `secrets` contains no valid secret. Anyone could sign with an empty one. */
  | 'no-secret'
  /** A header is missing or repeated. */
  | 'missing-header'
  | 'malformed-timestamp'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  /** The secret or the body differs, or the signature is malformed. */
  | 'signature-mismatch'
  /** X-Service-Event-Id, which isn't signed, differs from the signed event id. */
  | 'event-id-mismatch'
  /** X-Service-Signature is valid, but it covers only the body and the body contains no event id. */
  | 'no-event-id';

export type WebhookVerdict =
  | {
      ok: true;
      /** Signed. The same in every retry and redelivery, so use it to ignore duplicates. */
      eventId: string;
      /** Signed. Time of this attempt in seconds since the epoch. */
      timestampS: number;
      /** Number of the attempt, starting at 1; null if the header is missing. Not signed, so use it for logs only. */
      attempt: number | null;
      /** The signature that was valid. */
      form: WebhookForm;
    }
  | { ok: false; reason: WebhookRefusal };

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';
/** Anything shorter is a mistake, such as an unset variable. Our secrets have 32 bytes. */
const MIN_SECRET_BYTES = 16;
/** We send one signature per valid secret, so at most two. */
const MAX_SIGNATURES = 10;

/** Never throws on any input from the network. Compares in constant time. */
export function verifyWebhook(given: WebhookToVerify): WebhookVerdict {
  const secrets = given.secrets.filter((secret) => decoded(secret).length >= MIN_SECRET_BYTES);
  if (secrets.length === 0) return refused('no-secret');
  const { form = 'either' } = given;
  const webhook: Webhook = {
    header: headerReader(given.headers),
    body: typeof given.body === 'string' ? Buffer.from(given.body, 'utf8') : given.body,
    secrets,
    nowS: (given.nowMs ?? Date.now()) / 1000,
    toleranceS: given.toleranceS ?? TOLERANCE_S,
  };
  if (form !== 'either') return FORMS[form](webhook);
  // Try Standard Webhooks first, because its signature covers the event id.
  const standard = FORMS.standard(webhook);
  if (standard.ok) return standard;
  const service = FORMS.service(webhook);
  return service.ok || standard.reason === 'missing-header' ? service : standard;
}

interface Webhook {
  header: (name: string) => string | null;
  body: Uint8Array;
  secrets: readonly string[];
  nowS: number;
  toleranceS: number;
}

const FORMS: Readonly<Record<WebhookForm, (webhook: Webhook) => WebhookVerdict>> = {
  service(webhook) {
    const { header, body, secrets } = webhook;
    const signature = header('x-service-signature');
    const timestamp = header('x-service-timestamp');
    if (signature === null || timestamp === null) return refused('missing-header');
    const fault = timestampFault(timestamp, webhook);
    if (fault !== null) return refused(fault);
    const expected = secrets.map((secret) => `sha256=${hmac(secret, `${timestamp}.`, body).toString('hex')}`);
    if (!isAnyOf(expected, [signature])) return refused('signature-mismatch');
    const eventId = eventIdIn(body);
    return eventId === null ? refused('no-event-id') : accepted(webhook, eventId, timestamp, 'service');
  },

  standard(webhook) {
    const { header, body, secrets } = webhook;
    const id = header('webhook-id');
    const signatures = header('webhook-signature');
    const timestamp = header('webhook-timestamp');
    if (id === null || signatures === null || timestamp === null) return refused('missing-header');
    const fault = timestampFault(timestamp, webhook);
    if (fault !== null) return refused(fault);
    const expected = secrets.map(
      (secret) => `v1,${hmac(decoded(secret), `${id}.${timestamp}.`, body).toString('base64')}`,
    );
    if (!isAnyOf(expected, signatures.split(' ').slice(0, MAX_SIGNATURES)))
      return refused('signature-mismatch');
    return accepted(webhook, id, timestamp, 'standard');
  },
};

const refused = (reason: WebhookRefusal): WebhookVerdict => ({ ok: false, reason });

function accepted(
  { header }: Webhook,
  eventId: string,
  timestamp: string,
  form: WebhookForm,
): WebhookVerdict {
  const named = header('x-service-event-id');
  if (named !== null && named !== eventId) return refused('event-id-mismatch');
  const attempt = header('x-service-delivery-attempt');
  return {
    ok: true,
    eventId,
    timestampS: Number(timestamp),
    attempt: attempt !== null && /^[1-9]\d{0,8}$/.test(attempt) ? Number(attempt) : null,
    form,
  };
}

function timestampFault(timestamp: string, { nowS, toleranceS }: Webhook): WebhookRefusal | null {
  if (!/^\d{1,12}$/.test(timestamp)) return 'malformed-timestamp';
  const ageS = nowS - Number(timestamp);
  // Negated, so that a NaN clock or tolerance rejects the webhook.
  if (!(ageS <= toleranceS)) return 'timestamp-too-old';
  return -ageS <= toleranceS ? null : 'timestamp-too-new';
}

/** Compares all pairs, so that the time taken doesn't reveal which one matched. */
function isAnyOf(expected: readonly string[], given: readonly string[]): boolean {
  let isFound = false;
  for (const one of expected) for (const other of given) isFound = isSame(one, other) || isFound;
  return isFound;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const hmac = (key: string | Buffer, before: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(before).update(body).digest();

const decoded = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');

function eventIdIn(body: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof value !== 'object' || value === null || !('event_id' in value)) return null;
    return typeof value.event_id === 'string' && value.event_id !== '' ? value.event_id : null;
  } catch {
    return null;
  }
}

/** The reader returns null if the header is missing, empty or repeated. */
function headerReader(headers: WebhookHeaders): (name: string) => string | null {
  if (isFetchHeaders(headers)) return (name) => headers.get(name) || null;
  const byName = new Map<string, string[]>();
  for (const [name, value] of Object.entries(headers)) {
    const values = typeof value === 'string' ? [value] : (value ?? []);
    byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), ...values]);
  }
  return (name) => {
    const [value, ...more] = byName.get(name) ?? [];
    return value === undefined || value === '' || more.length > 0 ? null : value;
  };
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';
