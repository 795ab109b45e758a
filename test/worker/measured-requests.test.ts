/** Tests the measurements around the carrier and the webhook sender, which must not change their results. */
import { Registry } from 'prom-client';
import { CarrierUnreachable, type Telephony } from '../../activities/telephony/port';
import type { WebhookAnswer } from '../../activities/delivering/sender';
import { measuredTelephony, measuredWebhooks } from '../../worker/observability/measured-requests';
import { valueOf } from '../servers/scrape';

const carrier = (members: object): Telephony => members as Telephony;

describe('a measured carrier', () => {
  let registry: Registry;
  beforeEach(() => (registry = new Registry()));

  const counted = async (operation: string, outcome: string) =>
    valueOf(await registry.metrics(), 'voice_agent_carrier_requests_total', { operation, outcome });

  test.each(['placed', 'notPlaced', 'invalidNumber', 'refused', 'unknown'])(
    "returns the carrier's result of a dial, and counts it as %s",
    async (kind) => {
      const answer = { kind, retryAfterMs: null };
      const measured = measuredTelephony(carrier({ dial: () => Promise.resolve(answer) }), registry);
      expect(await measured.dial({} as never)).toBe(answer);
      expect(await counted('dial', kind)).toBe(1);
    },
  );

  test('counts and times a failure, and throws the same error', async () => {
    const unreachable = new CarrierUnreachable('unreachable');
    const measured = measuredTelephony(carrier({ find: () => Promise.reject(unreachable) }), registry);
    await expect(measured.find('a-call')).rejects.toBe(unreachable);
    expect(await counted('find', 'failed')).toBe(1);
    const text = await registry.metrics();
    expect(valueOf(text, 'voice_agent_carrier_request_duration_seconds_count', { operation: 'find' })).toBe(
      1,
    );
  });

  test("keeps the state of its implementation, and doesn't count methods that send no request", async () => {
    class Implementation {
      private readonly rooms = new Set(['a-call']);
      preparesFirst(reference: string): boolean {
        return this.rooms.has(reference);
      }
      release(reference: string): Promise<void> {
        return Promise.resolve(void this.rooms.delete(reference));
      }
    }
    const measured = measuredTelephony(new Implementation() as unknown as Telephony, registry);
    expect(measured.preparesFirst('a-call')).toBe(true);
    await measured.release('a-call');
    expect(measured.preparesFirst('a-call')).toBe(false);
    expect(await counted('release', 'ok')).toBe(1);
    expect(await registry.metrics()).not.toContain('preparesFirst');
  });

  test("doesn't count now() as a request", async () => {
    const measured = measuredTelephony(carrier({ now: () => Promise.resolve(42) }), registry);
    expect(await measured.now()).toBe(42);
    expect(await registry.metrics()).not.toContain('operation="now"');
  });

  test('exposes neither the number nor the reference of a call in its metrics', async () => {
    const placed = { kind: 'placed', carrierId: 'carrier-secret' };
    const measured = measuredTelephony(carrier({ dial: () => Promise.resolve(placed) }), registry);
    await measured.dial({ to: '+919876543210', reference: 'outbound-1' } as never);
    const text = await registry.metrics();
    for (const word of ['9876543210', 'outbound-1', 'carrier-secret']) expect(text).not.toContain(word);
  });
});

describe('a measured webhook sender', () => {
  test.each<[string, WebhookAnswer]>([
    ['accepted', { statusCode: 204, durationMs: 12, error: null }],
    ['refused', { statusCode: 500, durationMs: 12, error: 'status 500' }],
    ['unanswered', { statusCode: null, durationMs: 5_000, error: 'no response within 5000 ms' }],
  ])('counts an attempt that is %s, without naming the receiver', async (outcome, answer) => {
    const registry = new Registry();
    const sender = measuredWebhooks({ post: () => Promise.resolve(answer) }, registry);
    expect(await sender.post('https://hooks.example/asha', '{}', {})).toBe(answer);
    const text = await registry.metrics();
    expect(valueOf(text, 'voice_agent_webhook_attempts_total', { outcome })).toBe(1);
    expect(valueOf(text, 'voice_agent_webhook_attempt_duration_seconds_sum')).toBe(answer.durationMs / 1000);
    expect(text).not.toContain('hooks.example');
  });
});
