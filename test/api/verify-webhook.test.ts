import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureHeaders } from '../../activities/delivering/signature';
import { verifyWebhook, type WebhookHeaders } from '../../api/webhooks/verify-webhook';
import { randomUUID } from 'node:crypto';
import { openApiDocument } from '../../api/http/openapi/document';
import {
  callEvent,
  campaignEndedEvent,
  statusChangedEvents,
  WEBHOOK_EVENTS,
  type EventDraft,
} from '../../domain/webhook-events';
import { schemaChecker } from './support/openapi-answers';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW_S = 1_762_147_200;
const eventId = '0b5e6f0a-0000-4000-8000-000000000001';
const body = JSON.stringify({ event: 'call.completed', event_id: eventId });

const signed = (secrets = [SECRET]) =>
  signatureHeaders({ eventId, body, attempt: 3, timestampS: NOW_S, secrets });
const verify = (headers: WebhookHeaders, more: object = {}) =>
  verifyWebhook({ headers, body, secrets: [SECRET], nowMs: NOW_S * 1000, ...more });
const without = (pattern: RegExp) =>
  Object.fromEntries(Object.entries(signed()).filter(([name]) => !pattern.test(name)));

test('accepts either signature form, and returns which one it was', () => {
  expect(verify(signed())).toEqual({ ok: true, eventId, timestampS: NOW_S, attempt: 3, form: 'standard' });
  expect(verify(without(/^webhook-/))).toMatchObject({ ok: true, eventId, form: 'service' });
  expect(verify(without(/^x-service/i))).toMatchObject({ ok: true, eventId, attempt: null });
});

test('requires a specific form on request', () => {
  expect(verify(without(/^webhook-/), { form: 'standard' })).toEqual({ ok: false, reason: 'missing-header' });
  expect(verify(without(/^x-service/i), { form: 'service' })).toEqual({
    ok: false,
    reason: 'missing-header',
  });
  for (const form of ['service', 'standard']) expect(verify(signed(), { form })).toMatchObject({ form });
});

test('reads the event id from the signed body if only our own signature form is present', () => {
  const headers = without(/^webhook-/);
  expect(verify({ ...headers, 'X-Service-Event-Id': 'another' })).toEqual({
    ok: false,
    reason: 'event-id-mismatch',
  });
  const unnamed = signatureHeaders({
    eventId,
    body: '[]',
    attempt: 1,
    timestampS: NOW_S,
    secrets: [SECRET],
  });
  expect(verify(unnamed, { body: '[]', form: 'service' })).toEqual({ ok: false, reason: 'no-event-id' });
  expect(verify(unnamed, { body: '[]' })).toMatchObject({ ok: true, eventId });
});

test('accepts a webhook with two signatures if the receiver has the old or the new secret', () => {
  for (const secrets of [[SECRET], [OTHER], [SECRET, OTHER], [OTHER, SECRET]]) {
    expect(verify(signed([OTHER, SECRET]), { secrets })).toMatchObject({ ok: true, eventId });
  }
});

test('requires a usable secret, and never accepts an unusable one', () => {
  expect(verify(signed(), { secrets: ['', 'whsec_', SECRET] })).toMatchObject({ ok: true });
  for (const secrets of [[], [''], ['whsec_'], ['undefined']]) {
    expect(verify(signed(secrets), { secrets })).toEqual({ ok: false, reason: 'no-secret' });
  }
});

test('accepts headers as Node, fetch and frameworks provide them', async () => {
  const lowered = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const lists = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]));
  for (const headers of [lowered, lists, new Headers(signed()), await throughNode(signed())]) {
    expect(verify(headers)).toMatchObject({ ok: true, eventId, attempt: 3 });
  }
});

async function throughNode(headers: Record<string, string>): Promise<WebhookHeaders> {
  let received: WebhookHeaders = {};
  const server = createServer((incoming, response) => {
    received = incoming.headers;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => request({ port, headers }, resolve).end());
  server.closeAllConnections();
  server.close();
  return received;
}

test('treats a repeated header as missing', () => {
  const headers = { ...without(/^webhook-/), 'x-service-signature': 'sha256=00' };
  expect(verify(headers)).toEqual({ ok: false, reason: 'missing-header' });
  expect(verify({ ...signed(), 'webhook-id': [eventId, 'another'] })).toMatchObject({ form: 'service' });
});

test('never throws, even for arbitrary input', () => {
  const odd = [
    '',
    ' ',
    'v1,',
    'v1',
    ',',
    'v1,💥',
    'sha256=',
    '=',
    '1e3',
    '-5',
    '١٢٣',
    'NaN',
    'x'.repeat(9000),
  ];
  for (const value of odd) {
    for (const name of Object.keys(signed())) {
      const verdict = verify({ ...signed(), [name]: value }, { body: value });
      expect(verdict.ok).toBe(false);
    }
  }
  expect(verify({})).toEqual({ ok: false, reason: 'missing-header' });
  expect(verify(signed(), { body: Buffer.from([0xff, 0xfe]) })).toMatchObject({ ok: false });
});

test("rejects everything if the clock or the tolerance isn't a number", () => {
  expect(verify(signed(), { nowMs: NaN })).toMatchObject({ ok: false });
  expect(verify(signed(), { toleranceS: NaN })).toMatchObject({ ok: false });
});

test('accepts a smaller tolerance', () => {
  const at = (offS: number) => verify(signed(), { toleranceS: 10, nowMs: (NOW_S + offS) * 1000 });
  expect([at(10).ok, at(-10).ok]).toEqual([true, true]);
  expect([at(11), at(-11)]).toEqual([
    { ok: false, reason: 'timestamp-too-old' },
    { ok: false, reason: 'timestamp-too-new' },
  ]);
});

describe('an event in the AsyncAPI document', () => {
  const NOW = Date.parse('2026-11-03T05:00:00.123Z');

  const campaign = {
    id: randomUUID(),
    campaignName: 'November reminders',
    reportedStatus: 'active' as const,
    total: 10,
    completed: 3,
    inProgress: 2,
    failed: 1,
    createdAt: new Date('2026-11-02T04:00:00.000Z'),
  };

  const call = {
    callId: 'outbound-1-a',
    campaignId: campaign.id,
    campaignName: 'November reminders',
    contactName: 'Asha',
    toNumber: '+919876543210',
    callStatus: 'busy',
    endReason: 'busy',
    durationMs: 0,
    attempt: 2,
    maxAttempts: 3,
    willRetry: true,
    nextAttemptAt: new Date(NOW),
    outcome: null,
    tags: [],
    transcript: '',
    summary: '',
    isCallback: false,
    doNotCall: false,
  };

  const drafts: EventDraft[] = [
    ...statusChangedEvents(campaign, 'paused', NOW),
    campaignEndedEvent(campaign, 'completed', NOW),
    campaignEndedEvent(campaign, 'cancelled', NOW),
    callEvent('call.completed', call, NOW),
    callEvent('call.no_answer', { ...call, willRetry: false, nextAttemptAt: null }, NOW),
    callEvent('call.failed', call, NOW),
  ];

  const document = openApiDocument([], { publicUrl: 'https://calls.example.test' }) as any;
  const validate = schemaChecker(document);
  const faultsOf = (event: string, body: unknown) =>
    validate(['webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'], body);

  test('documents exactly the events that exist', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(WEBHOOK_EVENTS));
    expect(drafts.map(({ event }) => event).sort()).toEqual(Object.keys(WEBHOOK_EVENTS).sort());
  });

  test.each(drafts.map((draft) => [draft.event, draft] as const))(
    'documents every field of %s',
    (event, { payload }) => {
      const body: Record<string, unknown> = { event, event_id: randomUUID(), ...payload };
      expect(faultsOf(event, body)).toEqual([]);
      for (const field of Object.keys(body)) {
        const { [field]: _left, ...rest } = body;
        expect(faultsOf(event, rest)).not.toEqual([]);
      }
      expect(faultsOf(event, { ...body, surplus: 1 })).not.toEqual([]);
    },
  );
});
