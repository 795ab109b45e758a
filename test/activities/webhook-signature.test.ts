import { createHmac } from 'node:crypto';
import { signatureHeaders } from '../../activities/delivering/signature';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
const OTHER_KEY = Buffer.alloc(32, 0xff);
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;

/** Computed with `openssl dgst -sha256 -hmac` over `1762147200.{}`. */
const FIXED = 'sha256=528ff78056f2ccc90e9bac58b97f604c82d853fb1762725696c78ce4505510f4';

const event = {
  eventId: '0b5e6f0a-0000-4000-8000-000000000001',
  body: '{"event":"call.completed","summary":"Grüße"}',
  attempt: 3,
  timestampS: 1_762_147_200,
  secrets: [secretOf(KEY)],
};

describe("the platform's own signature header", () => {
  test('contains the HMAC-SHA256 of timestamp and body, keyed with the whole secret string', () => {
    const expected = createHmac('sha256', 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')
      .update(`1762147200.${event.body}`, 'utf8')
      .digest('hex');
    expect(signatureHeaders(event)['X-Service-Signature']).toBe(`sha256=${expected}`);
  });

  test('matches a signature computed with openssl', () => {
    const headers = signatureHeaders({ ...event, body: '{}' });
    expect(headers['X-Service-Signature']).toBe(FIXED);
  });

  test('is accompanied by headers for the timestamp, the event and the attempt number', () => {
    expect(signatureHeaders(event)).toMatchObject({
      'X-Service-Timestamp': '1762147200',
      'X-Service-Event-Id': event.eventId,
      'X-Service-Delivery-Attempt': '3',
    });
  });
});

describe('the Standard Webhooks signature', () => {
  test('contains the HMAC-SHA256 of id, timestamp and body, keyed with the decoded bytes', () => {
    const expected = createHmac('sha256', KEY)
      .update(`${event.eventId}.1762147200.${event.body}`, 'utf8')
      .digest('base64');
    expect(signatureHeaders(event)).toMatchObject({
      'webhook-id': event.eventId,
      'webhook-timestamp': '1762147200',
      'webhook-signature': `v1,${expected}`,
    });
  });

  test("matches the example of the standard's own libraries", () => {
    const headers = signatureHeaders({
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampS: 1_614_265_330,
      body: '{"test": 2432232314}',
      attempt: 1,
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a signature during a rotation', () => {
  const both = { ...event, secrets: [secretOf(OTHER_KEY), secretOf(KEY)] };

  test("uses the oldest secret in the platform's own header, because the receiver already knows it", () => {
    const oldest = signatureHeaders({ ...event, secrets: [secretOf(KEY)] });
    expect(signatureHeaders(both)['X-Service-Signature']).toBe(oldest['X-Service-Signature']);
  });

  test('has one entry per secret in the standard header, newest first', () => {
    const one = (key: Buffer) =>
      signatureHeaders({ ...event, secrets: [secretOf(key)] })['webhook-signature'];
    expect(signatureHeaders(both)['webhook-signature']).toBe(`${one(OTHER_KEY)} ${one(KEY)}`);
  });
});

test('signs each attempt again', () => {
  const later = signatureHeaders({ ...event, attempt: 4, timestampS: event.timestampS + 125 });
  const before = signatureHeaders(event);
  expect(later['X-Service-Signature']).not.toBe(before['X-Service-Signature']);
  expect(later['webhook-signature']).not.toBe(before['webhook-signature']);
  expect(later['webhook-id']).toBe(before['webhook-id']);
});

test('sends all headers except a signature for an organization without a secret', () => {
  expect(signatureHeaders({ ...event, secrets: [] })).toEqual({
    'X-Service-Timestamp': '1762147200',
    'X-Service-Event-Id': event.eventId,
    'X-Service-Delivery-Attempt': '3',
    'webhook-id': event.eventId,
    'webhook-timestamp': '1762147200',
  });
});
