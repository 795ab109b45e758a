/** Tests what continues while the requests to one receiver hang and the other receivers respond. */
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import type { ApplicationFailure } from '@temporalio/activity';
import { createActivities } from '../../activities';
import { BRIEF_MS, briefWaits, type BriefWaits, type BriefWaitsOptions } from '../../activities/brief-waits';
import { activityMetrics } from '../../activities/metrics';
import type { WebhookAnswer, WebhookSender } from '../../activities/delivering/sender';
import { receiverOf, receiverSlots, type ReceiverSlots } from '../../activities/delivering/delivering';
import { MAX_AT_ONCE } from '../../db/webhooks/receiver-slots';
import { MANY_AT_ONCE } from '../servers/at-once';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

const DEAD = 'https://dead.example/hook';
const ACCEPTED: WebhookAnswer = { statusCode: 204, durationMs: 1, error: null };
const SILENT: WebhookAnswer = { statusCode: null, durationMs: 5_000, error: 'no response within 5000 ms' };

/** Responds immediately, except for the dead receiver, whose requests hang until the test releases them. */
class Receivers implements WebhookSender {
  readonly posted: string[] = [];
  hanging = 0;
  /** Response of the dead receiver once it works again. Null while it hangs. */
  answer: WebhookAnswer | null = null;
  private letGo: () => void = () => undefined;
  private readonly over = new Promise<void>((resolve) => (this.letGo = resolve));

  async post(url: string): Promise<WebhookAnswer> {
    this.posted.push(url);
    if (url !== DEAD || this.answer !== null) return this.answer ?? ACCEPTED;
    this.hanging += 1;
    await this.over;
    this.hanging -= 1;
    return SILENT;
  }

  timeOut(): void {
    this.letGo();
  }

  async untilHanging(count: number): Promise<void> {
    while (this.hanging < count) await new Promise((resolve) => setImmediate(resolve));
  }
}

describeWith('postgres', 'one dead receiver among fifty', () => {
  let engine: EngineDatabase;
  let receivers: Receivers;
  let activities: ReturnType<typeof createActivities>;
  let waits: BriefWaits;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    receivers = new Receivers();
    activities = activitiesWith(receivers);
  });
  afterEach(() => receivers.timeOut());

  function activitiesWith(webhooks: WebhookSender, options: Partial<BriefWaitsOptions> = {}) {
    const log = { info: () => undefined, warn: () => undefined };
    waits = briefWaits({ max: MANY_AT_ONCE.briefWaits, log, ...options });
    const deps = {
      db: engine.db,
      clock: () => engine.now,
      webhooks,
      telephony: { find: () => Promise.resolve({ calls: [] }) },
      settings: {
        decryptSecret: (encrypted: Buffer) => encrypted.toString(),
        callbacks: {},
        atOnce: MANY_AT_ONCE,
        analysis: { atOnce: 1 },
      },
      briefWaits: waits,
      log,
      metrics: activityMetrics(new Registry()),
    };
    return createActivities(deps as never);
  }

  async function campaignEvent(url: string, owner?: Owner): Promise<string> {
    const { organizationId } = owner ?? (await engine.owner());
    const id = randomUUID();
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: randomUUID(),
      organization_id: organizationId,
      event: 'campaign.completed',
      url,
      body: '{}',
      created_at: new Date(engine.now),
      next_attempt_at: new Date(engine.now),
    });
    return id;
  }

  /** Returns ended calls whose webhooks go to the URL. */
  async function endedCalls(count: number, url: string): Promise<string[]> {
    const owner = await engine.owner(count);
    const campaignId = await engine.campaign(owner, {
      contacts: count,
      concurrency: count,
      perCallWebhookUrl: url,
    });
    const { granted } = await engine.feed(owner, campaignId);
    expect(granted).toHaveLength(count);
    for (const callId of granted) {
      await engine.dial(callId);
      await engine.end(callId, 'agent', { answeredAt: new Date(START).toISOString() });
    }
    return granted;
  }

  const statusOf = async (id: string) =>
    (await engine.db('webhook_deliveries').where({ id }).first()).status as string;
  /** Returns the type of the failure, or null if the receiver accepted the webhook. */
  const attempt = (deliveryId: string): Promise<string | null> =>
    activities.deliverUntilDone({ deliveryId }).then(
      () => null,
      (error: ApplicationFailure) => error.type ?? error.name,
    );
  const attemptsOf = (id: string): Promise<any[]> =>
    engine.db('webhook_attempts').where({ delivery_id: id }).orderBy('attempt');

  test('delivers campaign events to other receivers without delay', async () => {
    const dead = await campaignEvent(DEAD);
    const others = await Promise.all(
      Array.from({ length: 49 }, (_, nth) => campaignEvent(`https://r${nth}.example/`)),
    );
    const hanging = attempt(dead);
    await receivers.untilHanging(1);
    await Promise.all(others.map((deliveryId) => activities.deliverUntilDone({ deliveryId })));
    expect([receivers.hanging, await statusOf(dead), await attemptsOf(dead)]).toEqual([1, 'pending', []]);
    receivers.timeOut();
    expect(await hanging).toBe('WebhookRefused');
    expect(await attemptsOf(dead)).toMatchObject([{ attempt: 1, error: SILENT.error }]);
  });

  const conclude = (callId: string) => activities.concludeCall({ callId, now: engine.now });

  test('finishes a slow attempt in the background without blocking the workflow task, and records it once', async () => {
    const [callId = ''] = await endedCalls(1, DEAD);
    const { undelivered, attemptAfterMs } = await conclude(callId);
    expect([receivers.hanging, await attemptsOf(undelivered ?? '')]).toEqual([1, []]);
    // A worker that tries too early makes no second attempt.
    await expect(activities.deliverUntilDone({ deliveryId: undelivered ?? '' })).rejects.toMatchObject({
      message: 'no answer: the next attempt is not due',
    });
    expect(receivers.posted).toEqual([DEAD]);
    receivers.timeOut();
    await waits.drained();
    expect(await attemptsOf(undelivered ?? '')).toMatchObject([{ attempt: 1, error: SILENT.error }]);
    engine.now += BRIEF_MS + attemptAfterMs;
    expect(await attempt(undelivered ?? '')).toBe('WebhookRefused');
    expect((await attemptsOf(undelivered ?? '')).map(({ attempt: nth }) => nth)).toEqual([1, 2]);
  });

  test('makes no attempt in a workflow task until the receiver has responded quickly to a regular activity', async () => {
    // A generous limit, so that a stall of the machine doesn't make the receiver look slow.
    activities = activitiesWith(receivers, { limitMs: 3_000 });
    const [first = '', second = '', third = ''] = await endedCalls(3, DEAD);
    await conclude(first);
    const left = await conclude(second);
    expect([left.attemptAfterMs, receivers.posted]).toEqual([0, [DEAD]]);
    receivers.timeOut();
    receivers.answer = ACCEPTED;
    expect(await attempt(left.undelivered ?? '')).toBeNull();
    expect(await conclude(third)).toMatchObject({ undelivered: null });
  });

  test("uses only a part of a worker's brief waits for one receiver, so that webhooks to other receivers aren't delayed", async () => {
    const silent = await endedCalls(MAX_AT_ONCE + 10, DEAD);
    const alive = await endedCalls(10, 'https://alive.example/hook');
    const atMost = MANY_AT_ONCE.briefWaits / 4;
    activities = activitiesWith(receivers, { limitMs: 60_000 });
    const ending = silent.map(conclude);
    await receivers.untilHanging(MAX_AT_ONCE);
    let leftAtOnce = 0;
    for (const each of ending) void each.then(() => (leftAtOnce += 1));
    const reported = await Promise.all(alive.map(conclude));
    expect(reported.map(({ undelivered }) => undelivered)).toEqual(Array(10).fill(null));
    while (leftAtOnce < 10) await new Promise((resolve) => setImmediate(resolve));
    expect([receivers.hanging, leftAtOnce]).toEqual([Math.min(MAX_AT_ONCE, atMost), 10]);
    expect(receivers.posted.filter((url) => url === DEAD)).toHaveLength(MAX_AT_ONCE);
    receivers.timeOut();
    const left = await Promise.all(ending);
    expect(left.filter(({ undelivered }) => undelivered === null)).toEqual([]);
  });

  test('releases the lines of calls before any webhook is sent', async () => {
    const calls = await endedCalls(3, DEAD);
    const ending = calls.map(conclude);
    await receivers.untilHanging(3);
    expect(await engine.db('lines').whereIn('call_id', calls)).toEqual([]);
    receivers.timeOut();
    await Promise.all(ending);
  });

  test('waits for a free slot if all are taken, without counting an attempt', async () => {
    const owner = await engine.owner();
    const many = await Promise.all(Array.from({ length: MAX_AT_ONCE + 1 }, () => campaignEvent(DEAD, owner)));
    const made = many.slice(0, -1).map(attempt);
    await receivers.untilHanging(MAX_AT_ONCE);
    const last = many.at(-1) as string;
    await expect(activities.deliverUntilDone({ deliveryId: last })).rejects.toMatchObject({
      type: 'WebhookRefused',
      message: 'no answer: the receiver is busy',
    });
    expect(await attemptsOf(last)).toEqual([]);
    receivers.timeOut();
    await Promise.all(made);
    engine.now += 10_000;
    await expect(activities.deliverUntilDone({ deliveryId: last })).rejects.toMatchObject({
      message: `no answer: ${SILENT.error}`,
    });
    expect(await attemptsOf(last)).toHaveLength(1);
  });

  test('retries within two seconds if the receiver was quick last time and all slots are taken', async () => {
    const owner = await engine.owner();
    activities = activitiesWith(receivers, { limitMs: 60_000 });
    const many = await Promise.all(Array.from({ length: MAX_AT_ONCE + 1 }, () => campaignEvent(DEAD, owner)));
    const made = many.slice(0, -1).map(attempt);
    await receivers.untilHanging(MAX_AT_ONCE);
    const last = many.at(-1) as string;
    const busy: ApplicationFailure = await activities
      .deliverUntilDone({ deliveryId: last })
      .catch((error) => error);
    expect(busy.message).toBe('no answer: the receiver is busy');
    expect(busy.nextRetryDelay).toBeGreaterThanOrEqual(1_000);
    expect(busy.nextRetryDelay).toBeLessThanOrEqual(2_000);
    receivers.answer = ACCEPTED;
    receivers.timeOut();
    await Promise.all(made);
    engine.now += Number(busy.nextRetryDelay);
    expect(await attempt(last)).toBeNull();
  });

  test('limits requests to a receiver across two workers, and expires the slots of a dead worker', async () => {
    const owner = await engine.owner();
    const other = activities;
    const many = await Promise.all(Array.from({ length: 2 * MAX_AT_ONCE }, () => campaignEvent(DEAD, owner)));
    activities = activitiesWith(receivers);
    const half = many.length / 2;
    const made = many.slice(0, half - 5).map(attempt);
    await receivers.untilHanging(half - 5);
    activities = other;
    const messages = many
      .slice(half, half + 12)
      .map((deliveryId) => other.deliverUntilDone({ deliveryId }).catch(({ message }: Error) => message));
    await receivers.untilHanging(MAX_AT_ONCE);
    let busy = 0;
    for (const each of messages) void each.then((message) => (busy += Number(/is busy/.test(message ?? ''))));
    while (busy < 7) await new Promise((resolve) => setImmediate(resolve));
    expect([receivers.hanging, busy]).toEqual([MAX_AT_ONCE, 7]);
    // No worker has recorded these attempts.
    engine.now += 10_000;
    const later = many.slice(half + 12, half + 15).map(attempt);
    await receivers.untilHanging(MAX_AT_ONCE + 3);
    receivers.timeOut();
    await Promise.all([...made, ...messages, ...later]);
    const left = await engine
      .db('receiver_slots')
      .where('receiver', 'like', `${owner.organizationId}%`)
      .where('taken_until', '>', new Date(engine.now));
    expect(left).toEqual([]);
  });

  test('sends one request at a time, with the usual delays, if two workflows run for one delivery', async () => {
    const id = await campaignEvent(DEAD);
    const first = attempt(id);
    await receivers.untilHanging(1);
    expect(await attempt(id)).toBe('WebhookRefused');
    receivers.timeOut();
    await first;
    await expect(activities.deliverUntilDone({ deliveryId: id })).rejects.toMatchObject({
      message: 'no answer: the next attempt is not due',
    });
    expect(receivers.posted).toEqual([DEAD]);
    engine.now += 5_000;
    await expect(activities.deliverUntilDone({ deliveryId: id })).rejects.toMatchObject({
      type: 'WebhookRefused',
    });
    expect((await attemptsOf(id)).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('receiver slots of a worker', () => {
  const take = (slots: ReceiverSlots, organizationId: string, url: string) =>
    slots.take(receiverOf({ organizationId, url }));

  test('counts slots by organization, scheme, host and port, and releases them', () => {
    const slots = receiverSlots(10, 1);
    const end = take(slots, 'a', 'https://r.example/one?x=1');
    expect(end).not.toBeNull();
    expect(take(slots, 'a', 'https://r.example/two')).toBeNull();
    for (const [client, url] of [
      ['b', 'https://r.example/'],
      ['a', 'https://r.example:8443/'],
      ['a', 'http://r.example/'],
      ['a', 'not a url'],
    ] as const) {
      expect(take(slots, client, url)).not.toBeNull();
    }
    end?.();
    expect(take(slots, 'a', 'https://r.example/three')).not.toBeNull();
  });

  test.each([
    [4, 2],
    [2, 1],
    [1, 1],
    [1_000, MAX_AT_ONCE],
  ])('shares %i slots so that one receiver gets at most %i', (inAll, perOwner) => {
    const slots = receiverSlots(inAll);
    const ends = Array.from({ length: perOwner }, () => take(slots, 'a', DEAD));
    expect(ends).not.toContain(null);
    expect(take(slots, 'a', DEAD)).toBeNull();
    expect(take(slots, 'b', DEAD) === null).toBe(inAll === 1);
  });

  test("limits slots in total, so that sixty receivers can't take every slot for activities", () => {
    const slots = receiverSlots(2);
    const ends = ['a', 'b', 'c'].map((client) => take(slots, client, DEAD));
    expect(ends.map((end) => end !== null)).toEqual([true, true, false]);
    ends[0]?.();
    expect(take(slots, 'c', DEAD)).not.toBeNull();
  });
});
