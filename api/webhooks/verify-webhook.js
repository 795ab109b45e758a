"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.verifyWebhook = verifyWebhook;
/**
 * For receivers of our webhooks: whether a delivery is ours. This one file needs nothing but Node, so it may be copied into the
 * receiver's own code instead of being imported from the package.
 *
 * Give it the body as it came, before any JSON parser: a body that was parsed and printed again has another signature.
 */
const node_crypto_1 = require("node:crypto");
const TOLERANCE_S = 300;
const PREFIX = 'whsec_';
/** Shorter ones are slips, such as a variable that is not set. Ours have 32. */
const MIN_SECRET_BYTES = 16;
/** One for each valid secret is sent: two. */
const MAX_SIGNATURES = 10;
/** Never throws because of what was received. Compares in constant time. */
function verifyWebhook(given) {
    const secrets = given.secrets.filter((secret) => decoded(secret).length >= MIN_SECRET_BYTES);
    if (secrets.length === 0)
        return refused('no-secret');
    const { form = 'either' } = given;
    const webhook = {
        header: headerReader(given.headers),
        body: typeof given.body === 'string' ? Buffer.from(given.body, 'utf8') : given.body,
        secrets,
        nowS: (given.nowMs ?? Date.now()) / 1000,
        toleranceS: given.toleranceS ?? TOLERANCE_S,
    };
    if (form !== 'either')
        return FORMS[form](webhook);
    // The trio first: its signature covers the event id by itself.
    const standard = FORMS.standard(webhook);
    if (standard.ok)
        return standard;
    const service = FORMS.service(webhook);
    return service.ok || standard.reason === 'missing-header' ? service : standard;
}
const FORMS = {
    service(webhook) {
        const { header, body, secrets } = webhook;
        const signature = header('x-service-signature');
        const timestamp = header('x-service-timestamp');
        if (signature === null || timestamp === null)
            return refused('missing-header');
        const fault = timestampFault(timestamp, webhook);
        if (fault !== null)
            return refused(fault);
        const expected = secrets.map((secret) => `sha256=${hmac(secret, `${timestamp}.`, body).toString('hex')}`);
        if (!isAnyOf(expected, [signature]))
            return refused('signature-mismatch');
        const eventId = eventIdIn(body);
        return eventId === null ? refused('no-event-id') : accepted(webhook, eventId, timestamp, 'service');
    },
    standard(webhook) {
        const { header, body, secrets } = webhook;
        const id = header('webhook-id');
        const signatures = header('webhook-signature');
        const timestamp = header('webhook-timestamp');
        if (id === null || signatures === null || timestamp === null)
            return refused('missing-header');
        const fault = timestampFault(timestamp, webhook);
        if (fault !== null)
            return refused(fault);
        const expected = secrets.map((secret) => `v1,${hmac(decoded(secret), `${id}.${timestamp}.`, body).toString('base64')}`);
        if (!isAnyOf(expected, signatures.split(' ').slice(0, MAX_SIGNATURES)))
            return refused('signature-mismatch');
        return accepted(webhook, id, timestamp, 'standard');
    },
};
const refused = (reason) => ({ ok: false, reason });
function accepted({ header }, eventId, timestamp, form) {
    const named = header('x-service-event-id');
    if (named !== null && named !== eventId)
        return refused('event-id-mismatch');
    const attempt = header('x-service-delivery-attempt');
    return {
        ok: true,
        eventId,
        timestampS: Number(timestamp),
        attempt: attempt !== null && /^[1-9]\d{0,8}$/.test(attempt) ? Number(attempt) : null,
        form,
    };
}
function timestampFault(timestamp, { nowS, toleranceS }) {
    if (!/^\d{1,12}$/.test(timestamp))
        return 'malformed-timestamp';
    const ageS = nowS - Number(timestamp);
    // Also where the clock or the tolerance is no number: what cannot be compared is not fresh.
    if (!(ageS <= toleranceS))
        return 'timestamp-too-old';
    return -ageS <= toleranceS ? null : 'timestamp-too-new';
}
/** Looks at all of them, so that the time taken does not show which one it was. */
function isAnyOf(expected, given) {
    let isFound = false;
    for (const one of expected)
        for (const other of given)
            isFound = isSame(one, other) || isFound;
    return isFound;
}
function isSame(one, other) {
    const [a, b] = [Buffer.from(one), Buffer.from(other)];
    return a.length === b.length && (0, node_crypto_1.timingSafeEqual)(a, b);
}
const hmac = (key, before, body) => (0, node_crypto_1.createHmac)('sha256', key).update(before).update(body).digest();
const decoded = (secret) => Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
function eventIdIn(body) {
    try {
        const value = JSON.parse(Buffer.from(body).toString('utf8'));
        if (typeof value !== 'object' || value === null || !('event_id' in value))
            return null;
        return typeof value.event_id === 'string' && value.event_id !== '' ? value.event_id : null;
    }
    catch {
        return null;
    }
}
/** Null for a header that is not there, is empty, or is there more than once. */
function headerReader(headers) {
    if (isFetchHeaders(headers))
        return (name) => headers.get(name) || null;
    const byName = new Map();
    for (const [name, value] of Object.entries(headers)) {
        const values = typeof value === 'string' ? [value] : (value ?? []);
        byName.set(name.toLowerCase(), [...(byName.get(name.toLowerCase()) ?? []), ...values]);
    }
    return (name) => {
        const [value, ...more] = byName.get(name) ?? [];
        return value === undefined || value === '' || more.length > 0 ? null : value;
    };
}
const isFetchHeaders = (headers) => typeof headers.get === 'function';
