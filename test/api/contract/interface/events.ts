/** Checks bodies, signature and retries of webhooks by calling the code that creates them, without a network. */
import { randomUUID } from 'node:crypto';
import { attemptDelivery } from '../../../../activities/delivering/delivering';
import { signatureHeaders } from '../../../../activities/delivering/signature';
import { loadDelivery } from '../../../../db/webhooks/deliveries';
import { signatureFault } from '../../../../dev/receiver/receiver';
import { REPORTED_STATUSES, CAMPAIGN_STATUSES } from '../../../../domain/campaign-status';
import { DELIVERY_DELAYS_MS } from '../../../../domain/delivery';
import { callEvent, campaignEndedEvent, statusChangedEvents } from '../../../../domain/webhook-events';
import { PHONE_CALL, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import type { Item } from '../items';
import { expectType } from '../types';
import { cell, wordsOf } from '../values';

const NOW = Date.parse('2026-11-02T05:00:00.000Z');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const CAMPAIGN = {
  id: randomUUID(),
  campaignName: 'November',
  reportedStatus: 'active' as const,
  total: 5,
  completed: 1,
  inProgress: 1,
  failed: 1,
  createdAt: new Date(NOW),
};
const CALL = {
  callId: 'outbound-1-a',
  campaignId: CAMPAIGN.id,
  campaignName: 'November',
  contactName: PHONE_CALL.name,
  toNumber: PHONE_CALL.contact_number,
  callStatus: 'completed',
  endReason: 'agent',
  durationMs: 61_000,
  attempt: 1,
  maxAttempts: 3,
  willRetry: false,
  nextAttemptAt: null,
  outcome: null,
  tags: ['promise'],
  transcript: 'AGENT: Namaste',
  summary: 'Will pay',
  isCallback: false,
  doNotCall: false,
};

export function eventChecks(coverage: Coverage, items: readonly Item[]): void {
  const [statusChanged] = statusChangedEvents(CAMPAIGN, 'paused', NOW);
  hasExactly(coverage, items, 'campaign.status_changed', statusChanged?.payload ?? {});
  hasExactly(coverage, items, 'call.completed', callEvent('call.completed', CALL, NOW).payload);
  coverage.under('Events', { ...NAMES, ...RETRIES, ...SIGNATURE });
}

/** Checks that the payload has exactly the fields of the table, each with its type, plus the event id. */
function hasExactly(
  coverage: Coverage,
  items: readonly Item[],
  event: string,
  payload: Record<string, unknown>,
): void {
  const table = `Events > ${event} payload`;
  const rows = items.filter(({ id }) => id.startsWith(`${table} > `)).map((row) => cell(row, 'Field'));
  coverage.coversRows(table, (_bench, item) => {
    const whole: Record<string, unknown> = { event, ...payload };
    expectType(whole[cell(item, 'Field')], cell(item, 'Type'));
    expect(Object.keys(whole).sort()).toEqual([...rows].sort());
  });
}

const NAMES: Readonly<Record<string, Check>> = {
  'Two kinds are configured on a campaign: campaign_webhook_url (status changes of active, paused, completed, cancelled) and per_call_webhook_url (sent after a call finishes and its transcript and summary are generated).':
    async (bench, { text }) => {
      const reported = /status changes of ([^)]+)/.exec(text)?.[1] ?? '';
      expect(wordsOf(reported)).toEqual(REPORTED_STATUSES);
      for (const status of CAMPAIGN_STATUSES) {
        const reportedStatus = status === 'active' ? 'paused' : 'active';
        const sent = statusChangedEvents({ ...CAMPAIGN, reportedStatus }, status, NOW).length;
        expect([status, sent]).toEqual([status, wordsOf(reported).includes(status) ? 1 : 0]);
      }
      const campaign_webhook_url = 'https://example.com/status';
      const { id } = await bench.campaign({
        campaign_webhook_url,
        per_call_webhook_url: 'https://example.com/call',
      });
      await bench.api.ask(`/api/campaigns/${id}/pause`, { method: 'POST' });
      const { data } = await bench.get(`/api/webhook-deliveries?campaign_id=${id}`);
      expect(data.map(({ event, url }: any) => [event, url])).toEqual([
        ['campaign.status_changed', campaign_webhook_url],
      ]);
    },
  'Event names: campaign.status_changed, campaign.completed (all calls finished), campaign.cancelled, call.completed (call finished and processed), call.failed (call attempt failed), call.no_answer (recipient did not answer).':
    (_bench, { text }) => {
      const made = [
        ...statusChangedEvents(CAMPAIGN, 'paused', NOW),
        campaignEndedEvent(CAMPAIGN, 'completed', NOW),
        campaignEndedEvent(CAMPAIGN, 'cancelled', NOW),
        callEvent('call.completed', CALL, NOW),
        callEvent('call.failed', CALL, NOW),
        callEvent('call.no_answer', CALL, NOW),
      ];
      expect(wordsOf(text)).toEqual(made.map(({ event }) => event));
    },
};

/** Runs one delivery attempt for each response of the receiver, and returns the ledger's state after each. */
async function courseOf(
  bench: Bench,
  answers: { statusCode: number | null; error: string | null }[],
): Promise<any[]> {
  const id = randomUUID();
  const row = {
    id,
    organization_id: bench.api.organization.id,
    event_id: randomUUID(),
    event: 'call.completed',
  };
  await bench.api.db('webhook_deliveries').insert({
    ...row,
    url: 'https://example.com/hook',
    body: '{}',
    created_at: new Date(NOW),
    next_attempt_at: new Date(NOW),
  });
  const course: any[] = [];
  for (const answer of answers) {
    const deps = {
      db: bench.api.db,
      clock: () => NOW,
      settings: { decryptSecret: () => SECRET },
      webhooks: { post: () => Promise.resolve({ ...answer, durationMs: 1 }) },
    };
    await attemptDelivery(deps as never, await loadDelivery(bench.api.db, id, NOW));
    const { status, next_attempt_at } = await bench.api.db('webhook_deliveries').where({ id }).first();
    course.push([status, next_attempt_at === null ? null : next_attempt_at.getTime() - NOW]);
  }
  return course;
}

const refused = (statusCode: number | null) => ({
  statusCode,
  error: statusCode === null ? 'ECONNREFUSED' : 'refused',
});

const delayed: Check = (_bench, item) => {
  const delay = cell(item, 'Delay');
  const expected = delay === 'immediate' ? 0 : Number(/^(\d+) seconds$/.exec(delay)?.[1]) * 1000;
  expect(DELIVERY_DELAYS_MS[Number(cell(item, 'Attempt')) - 1]).toBe(expected);
};

const RETRIES: Readonly<Record<string, Check>> = {
  'Retry: a delivery is retried when the endpoint is unreachable or returns a non-2xx status.': async (
    bench,
  ) => {
    for (const answer of [refused(null), refused(301), refused(404), refused(500)]) {
      expect(await courseOf(bench, [answer])).toEqual([['pending', 5000]]);
    }
    expect(await courseOf(bench, [{ statusCode: 204, error: null }])).toEqual([['delivered', null]]);
  },
  1: delayed,
  2: delayed,
  3: delayed,
  4: delayed,
  5: delayed,
  'After 5 failed attempts the delivery is marked failed and not retried.': async (bench, { text }) => {
    const attempts = Number(/\d+/.exec(text)?.[0]);
    expect(DELIVERY_DELAYS_MS).toHaveLength(attempts);
    const course = await courseOf(
      bench,
      Array.from({ length: attempts }, () => refused(503)),
    );
    expect(course).toEqual([
      ...[5000, 25_000, 125_000, 625_000].map((delay) => ['pending', delay]),
      ['failed', null],
    ]);
  },
};

const TIMESTAMP_S = NOW / 1000;
const signed = () =>
  signatureHeaders({
    eventId: 'e-1',
    body: '{"a":1}',
    attempt: 1,
    timestampS: TIMESTAMP_S,
    secrets: [SECRET],
  });
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const SIGNATURE: Readonly<Record<string, Check>> = {
  'Signature: each delivery carries header X-Service-Signature with value sha256=<hex> and header X-Service-Timestamp with Unix seconds.':
    () => {
      expect(signed()['X-Service-Signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(signed()['X-Service-Timestamp']).toBe('1793595600');
    },
  // Computed with OpenSSL: printf '1793595600.{"a":1}' | openssl dgst -sha256 -hmac "whsec_Bw…Bwc="
  'The signature is HMAC-SHA256, keyed with <SIGNING_SECRET>, over the text <timestamp>.<raw body>.': () => {
    expect(signed()['X-Service-Signature']).toBe(
      'sha256=d53e8489e43538b20ac3c05038ba3ba725125db28d34caaab44cb1c9e6e2fef1',
    );
  },
  'A receiver rejects timestamps more than 300 seconds from its clock.': (_bench, { text }) => {
    const toleranceMs = Number(/\d+/.exec(text)?.[0]) * 1000;
    const fault = (ms: number) =>
      signatureFault({ headers: lowerCase(signed()), body: '{"a":1}', secrets: [SECRET], nowMs: NOW + ms });
    expect([toleranceMs, -toleranceMs].map(fault)).toEqual([null, null]);
    expect(fault(toleranceMs + 1000)).toMatch(/timestamp/);
    expect(fault(-toleranceMs - 1000)).toMatch(/timestamp/);
  },
};
