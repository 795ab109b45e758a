/** How the API describes contacts after each step of the engine. */
import * as calls from '../../db/calls/engine';
import { endCall } from '../../db/calls/ends';
import { withdrawRest } from '../../db/campaigns/engine';
import { storeRegistryAnswer } from '../../db/calls/do-not-disturb';
import { rows } from '../../db/kernel/query';
import { callEndOf, type EndFacts } from '../../domain/call-end';
import type { EndReason } from '../../domain/call-outcome';
import { shippedProfile } from '../../domain/rules/profile';
import { NO_GUARDS } from '../servers/no-guards';
import { campaignForm, newAgent, withFile } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

const MINUTE_MS = 60_000;
const FILE =
  'name,phone_number\nAsha,9876543210\nRavi,9876543211\nMeera,9876543212\nAsha again,9876543210\nDev,9876543213\n';

let api: TestApi;
let id: string;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.time = MONDAY;
  // Remove calls of earlier tests, which use the same numbers.
  await api.db('lines').delete();
  await api.db('campaigns').update({ status: 'paused' });
  const form = campaignForm(await newAgent(api), {
    concurrency: '1',
    max_retries: '2',
    retry_delay_mins: '30',
    perform_dnd_check: 'true',
  });
  const answer = await api.ask('/api/campaigns/create', { body: withFile(form, FILE) });
  if (answer.status !== 201) throw new Error(answer.text);
  id = answer.body.id;
});

const contacts = async (): Promise<any[]> => (await api.ask(`/api/campaigns/${id}/contacts`)).body.data;
const storyOf = async (row: number): Promise<[string | null, string, string | null]> => {
  const { why, next } = (await contacts()).find((contact) => contact.row === row);
  return [why, next.action, next.at];
};

/** Claims and registers a page in the same way as the campaign's workflow. Returns each row's call. */
async function feed(): Promise<Map<number, string>> {
  const now = api.clock.time;
  const page = { now, dialUntil: MONDAY + 300 * MINUTE_MS, limit: 10 };
  const { claimed } = await calls.claimPage(api.db, id, page);
  await calls.registerWaiting(
    api.db,
    api.organization.id,
    claimed.map(({ callId }) => callId),
    now,
  );
  const found = await rows<{ row: number; callId: string }>(
    api.db,
    `select c.row_number as "row", c.call_id as "callId" from contacts c where c.campaign_id = :id and c.call_id is not null`,
    { id },
  );
  return new Map(found.map(({ row, callId }) => [row, callId]));
}

const begin = (callId = '', guards: Partial<calls.DialGuards> = {}) =>
  calls.startDial(api.db, callId, {
    now: api.clock.time,
    notAfter: api.clock.time + 3_000,
    guards: { ...NO_GUARDS, ...guards },
  });

async function dial(callId = ''): Promise<void> {
  const { kind } = await begin(callId);
  if (kind !== 'ask') throw new Error(`the call may not be dialled: ${kind}`);
  await calls.recordPlaced(
    api.db,
    callId,
    { carrierId: `sim-${callId}`, from: null, deadlineAt: api.clock.time + 60_000 },
    api.clock.time,
  );
}

async function end(
  callId = '',
  endReason: EndReason = 'agent',
  facts: Partial<EndFacts> = {},
): Promise<void> {
  const endedAt = new Date(api.clock.time).toISOString();
  await endCall(api.db, callId, callEndOf({ endedAt, ...facts, endReason }, 1), api.clock.time);
}

test('reports that contacts wait to be dialled, and which row a duplicate repeats', async () => {
  expect((await contacts()).map(({ row, why, next }: any) => [row, why, next.action])).toEqual([
    [2, 'Waiting to be dialled', 'dial'],
    [3, 'Waiting to be dialled', 'dial'],
    [4, 'Waiting to be dialled', 'dial'],
    [5, 'Row 2 has the same number', 'none'],
    [6, 'Waiting to be dialled', 'dial'],
  ]);
});

test('reports which contacts wait for a line', async () => {
  const callOf = await feed();
  expect(callOf.size).toBe(4);
  expect([await storyOf(2), await storyOf(3)]).toEqual([
    [null, 'dial', null],
    ['Waiting for a free line', 'dial', null],
  ]);
});

test('reports a ringing call, its end, and the time of the redial', async () => {
  const callOf = await feed();
  await dial(callOf.get(2));
  expect((await contacts())[0]).toMatchObject({
    state: 'in_progress',
    why: null,
    next: {
      action: 'none',
      at: null,
      sentence:
        'Its call is in progress, attempt 1 of 2; if it is not answered, the next dial follows 30 minutes after it ends',
    },
    attempts: [{ attempt: 1, end_reason: null, ended_at: null, duration_ms: 0, is_callback: false }],
  });

  api.clock.time += MINUTE_MS;
  await end(callOf.get(2), 'no_answer', {
    dialingAt: new Date(MONDAY + 1_000).toISOString(),
    ringingAt: new Date(MONDAY + 2_000).toISOString(),
  });
  expect((await contacts())[0]).toMatchObject({
    state: 'pending',
    next_attempt_at: '2026-11-02T05:31:00.000Z',
    why: 'Last time, there was no answer; its redial is due 2026-11-02 05:31 UTC',
    next: { action: 'redial', at: '2026-11-02T05:31:00.000Z' },
    attempts: [
      {
        attempt: 1,
        call_id: callOf.get(2),
        call_status: 'no answer',
        end_reason: 'no_answer',
        started_at: '2026-11-02T05:00:00.000Z',
        dialed_at: '2026-11-02T05:00:01.000Z',
        ringing_at: '2026-11-02T05:00:02.000Z',
        answered_at: null,
        ended_at: '2026-11-02T05:01:00.000Z',
        duration_ms: 0,
      },
    ],
  });
});

test('reports the time from which the engine claims the contact again', async () => {
  const callOf = await feed();
  await dial(callOf.get(2));
  await end(callOf.get(2), 'busy');
  const [, action, at] = await storyOf(2);
  expect(action).toBe('redial');
  api.clock.time = Date.parse(at ?? '') - 1;
  expect((await feed()).get(2)).toBeUndefined();
  api.clock.time += 1;
  expect((await feed()).get(2)).toEqual(expect.any(String));
});

test('reports the contact as failed after its last attempt', async () => {
  for (const endReason of ['no_answer', 'busy'] as const) {
    const callOf = await feed();
    for (const [row, callId] of callOf) {
      if (row !== 2) continue;
      await api.db('calls').where({ call_id: callId }).update({ stage: 'granted' });
      await dial(callId);
      await end(callId, endReason);
    }
    api.clock.time += 30 * MINUTE_MS;
  }
  const [contact] = await contacts();
  expect(contact).toMatchObject({ state: 'failed', why: 'The line was busy, and all 2 dials are used up' });
  expect(contact.attempts.map(({ attempt, end_reason }: any) => [attempt, end_reason])).toEqual([
    [1, 'no_answer'],
    [2, 'busy'],
  ]);
});

test('reports a completed contact without a reason, with its talk time', async () => {
  const callOf = await feed();
  await dial(callOf.get(2));
  api.clock.time += MINUTE_MS;
  await end(callOf.get(2), 'callee', {
    answeredAt: new Date(MONDAY + 15_000).toISOString(),
    answeredBy: 'human',
  });
  expect((await contacts())[0]).toMatchObject({
    state: 'completed',
    why: null,
    next: { action: 'none', at: null, sentence: 'No further call: it was reached' },
    attempts: [{ end_reason: 'callee', answered_at: '2026-11-02T05:00:15.000Z', duration_ms: 45_000 }],
  });
});

test("reports the time of a callback, which doesn't count as an attempt", async () => {
  const callOf = await feed();
  await dial(callOf.get(2));
  await end(callOf.get(2), 'agent', { answeredAt: new Date(MONDAY).toISOString(), answeredBy: 'human' });
  const request = { id: 'cb-1', dueAt: '2026-11-02T07:00:00.000Z', maxDepth: 3 };
  await rows(api.db, 'select schedule_callback(:call, :request, :now)', {
    call: callOf.get(2) ?? '',
    request: JSON.stringify(request),
    now: new Date(api.clock.time).toISOString(),
  });
  expect((await contacts())[0]).toMatchObject({
    state: 'pending',
    why: 'It was reached; its callback is due 2026-11-02 07:00 UTC',
    next: { action: 'callback', at: '2026-11-02T07:00:00.000Z' },
  });

  api.clock.time = Date.parse(request.dueAt);
  const callback = (await feed()).get(2) ?? '';
  await api.db('calls').where({ call_id: callback }).update({ stage: 'granted' });
  await dial(callback);
  const [contact] = await contacts();
  expect(contact).toMatchObject({ state: 'in_progress', next: { sentence: 'Its callback is in progress' } });
  expect(contact.attempts.map(({ attempt, is_callback }: any) => [attempt, is_callback])).toEqual([
    [1, false],
    [1, true],
  ]);
});

test('reports a number on the do-not-disturb list, without an attempt', async () => {
  await api.db('dnd_numbers').insert({
    organization_id: api.organization.id,
    phone_number: '+919876543210',
    source: 'test',
    added_at: new Date(MONDAY),
  });
  const callOf = await feed();
  expect(await begin(callOf.get(2))).toEqual({ kind: 'dnd' });
  await end(callOf.get(2), 'dnd');
  expect((await contacts())[0]).toMatchObject({
    state: 'dnd',
    reason: 'dnd',
    why: 'The number is on a do-not-disturb list',
    attempts: [],
  });
  await api.db('dnd_numbers').delete();
});

test("queries the registry if no result is stored, and doesn't dial a number that the stored result lists", async () => {
  const guards = { registryNotBefore: new Date(MONDAY - MINUTE_MS).toISOString() };
  const callOf = await feed();
  expect(await begin(callOf.get(2), guards)).toEqual({ kind: 'askRegistry', to: '+919876543210' });
  await storeRegistryAnswer(api.db, {
    phoneNumber: '+919876543210',
    listed: true,
    requestedAt: MONDAY,
    keptForMs: MINUTE_MS,
  });
  expect(await begin(callOf.get(2), guards)).toEqual({ kind: 'dnd' });
});

test("reports a number that the registry couldn't verify, and the time of its redial", async () => {
  const callOf = await feed();
  await end(callOf.get(2), 'dnd_unverified');
  expect((await contacts())[0]).toMatchObject({
    state: 'pending',
    why: 'Last time, the do-not-disturb registry did not respond; its redial is due 2026-11-02 05:30 UTC',
    next: { action: 'redial', at: '2026-11-02T05:30:00.000Z' },
    attempts: [],
  });
});

test('reports the reason for a pause, a closed window and a cancellation', async () => {
  await api.ask(`/api/campaigns/${id}/pause`, { method: 'POST' });
  expect(await storyOf(2)).toEqual(['The campaign is paused on request', 'dial', null]);
  await api.ask(`/api/campaigns/${id}/resume`, { method: 'POST' });
  api.clock.time = Date.parse('2026-11-02T10:30:00.000Z');
  expect(await storyOf(2)).toEqual([
    'Outside the calling window until 2026-11-03 04:00 UTC',
    'dial',
    '2026-11-03T04:00:00.000Z',
  ]);
  await api.ask(`/api/campaigns/${id}/cancel`, { method: 'POST' });
  const withdrawal = { contactState: 'cancelled', callStatus: 'cancelled', endReason: 'cancelled' } as const;
  await withdrawRest(api.db, id, withdrawal, api.clock.time);
  expect(await storyOf(2)).toEqual(['The campaign was cancelled before its first dial', 'none', null]);
  expect(await storyOf(5)).toEqual(['Row 2 has the same number', 'none', null]);
});

describe('the rules of a campaign', () => {
  const change = (fields: Record<string, unknown>) => api.db('campaigns').where({ id }).update(fields);

  test("names the contact's window and when it opens on the contact's clock", async () => {
    await change({ window_timezone: 'contact', start_minute: 660, end_minute: 1200 });
    await api.db('contacts').where({ campaign_id: id, row_number: 3 }).update({ timezone: 'America/Denver' });
    const [asha, ravi] = await contacts();
    expect(asha).toMatchObject({
      why: 'Outside the calling window, 11:00–20:00 in Asia/Calcutta, until 2026-11-02 05:30 UTC',
      next: {
        at: '2026-11-02T05:30:00.000Z',
        sentence:
          'It is dialled when the rules allow it, 2026-11-02 11:00 in Asia/Calcutta (2026-11-02 05:30 UTC), attempt 1 of 2',
      },
    });
    expect(ravi.why).toBe(
      'Outside the calling window, 11:00–20:00 in America/Denver, until 2026-11-02 18:00 UTC',
    );
  });

  test('counts the attempts of other campaigns, and names the rule that they reach', async () => {
    await api.db('rule_profiles').insert({
      organization_id: api.organization.id,
      name: 'gentle',
      profile: JSON.stringify({ ...shippedProfile('none'), max_per_day: 1 }),
      created_at: new Date(api.clock.time),
      updated_at: new Date(api.clock.time),
    });
    await api
      .db('calls')
      .where({ to_number: '+919876543210' })
      .update({ requested_at: new Date(api.clock.time - 40 * 24 * 3_600_000) });
    const callOf = await feed();
    await dial(callOf.get(2));
    await end(callOf.get(2), 'no_answer');
    await change({ rule_profile: 'gentle' });
    await api
      .db('contacts')
      .where({ campaign_id: id, row_number: 2 })
      .update({ state: 'pending', call_id: null, reason: 'max_per_day' });
    expect((await contacts())[0].why).toMatch(
      /^Called as often today as the rule max_per_day allows, until /,
    );
  });

  test('names the consent that the profile of the organization requires', async () => {
    await api.db('organizations').where({ id: api.organization.id }).update({ rule_profile: 'us-tcpa' });
    try {
      expect(await storyOf(2)).toEqual([
        'Not called: the rule consent requires a consent that is not recorded',
        'none',
        null,
      ]);
      await api
        .db('contacts')
        .where({ campaign_id: id })
        .update({ consent_at: new Date(0) });
      expect((await storyOf(2))[0]).not.toContain('consent');
    } finally {
      await api.db('organizations').where({ id: api.organization.id }).update({ rule_profile: null });
    }
  });
});
