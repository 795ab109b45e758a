/**
 * For receivers of our webhooks: whether a delivery is ours. This one file needs nothing but Node, so it may be copied into the
 * receiver's own code instead of being imported from the package.
 *
 * Give it the body as it came, before any JSON parser: a body that was parsed and printed again has another signature.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Of Node's `request.headers`, of fetch's `request.headers`, or a plain object; names in any case. */
export type WebhookHeaders =
  Readonly<Record<string, string | readonly string[] | undefined>> | { get(name: string): string | null };

export interface WebhookToVerify {
  headers: WebhookHeaders;
  /** Raw. A text stands for its UTF-8 bytes. */
  body: string | Uint8Array;
  /** `whsec_<base64>`; any of them may have signed. Two during a rotation. */
  secrets: readonly string[];
  /** The time now, in milliseconds since the epoch; the machine's clock unless given. */
  nowMs?: number;
  /** How far the timestamp may lie from now, before and after; 300 unless given. */
  toleranceS?: number;
  /**
   * Which of the two forms that each delivery carries has to hold: `service` is X-Service-Signature and X-Service-Timestamp,
   * `standard` is the trio of Standard Webhooks. `either` unless given.
   */
  form?: WebhookForm | 'either';
}

export type WebhookForm = 'service' | 'standard';

export type WebhookRefusal =
  /** None of `secrets` is a secret: an empty one would let anybody sign. */
  | 'no-secret'
  /** A header of the form is not there, or is there twice. */
  | 'missing-header'
  | 'malformed-timestamp'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  /** Another secret, another body, or a signature that is none. */
  | 'signature-mismatch'
  /** X-Service-Event-Id, which is not signed, names another event than what is signed. */
  | 'event-id-mismatch'
  /** X-Service-Signature holds, and the body, which alone is signed with it, names no event. */
  | 'no-event-id';

export type WebhookVerdict =
  | {
      ok: true;
      /** Signed. The same in every retry and redelivery: what was seen before need not be done again. */
      eventId: string;
      /** Signed. When this attempt was made, in seconds since the epoch. */
      timestampS: number;
      /** 1 for the first. Not signed: for logs only. Null where the header is missing. */
      attempt: number | null;
      /** The form that held. */
      form: WebhookForm;
    }
  | { ok: false; reason: WebhookRefusal };

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';
/** Shorter ones are slips, such as a variable that is not set. Ours have 32. */
const MIN_SECRET_BYTES = 16;
/** One for each valid secret is sent: two. */
const MAX_SIGNATURES = 10;

/** Never throws because of what was received. Compares in constant time. */
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
  // The trio first: its signature covers the event id by itself.
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
  // Also where the clock or the tolerance is no number: what cannot be compared is not fresh.
  if (!(ageS <= toleranceS)) return 'timestamp-too-old';
  return -ageS <= toleranceS ? null : 'timestamp-too-new';
}

/** Looks at all of them, so that the time taken does not show which one it was. */
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

/** Null for a header that is not there, is empty, or is there more than once. */
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
