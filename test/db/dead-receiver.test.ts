/** One receiver that keeps silent, among others that answer: proven by what is done while its requests still hang. */
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createActivities } from '../../activities';
import { activityMetrics } from '../../activities/metrics';
import type { WebhookAnswer, WebhookSender } from '../../activities/webhooks/sender';
import { MAX_AT_ONCE, receiverTurns } from '../../activities/webhooks/turns';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';

const DEAD = 'https://dead.example/hook';
const ACCEPTED: WebhookAnswer = { statusCode: 204, durationMs: 1, error: null };
const SILENT: WebhookAnswer = { statusCode: null, durationMs: 5_000, error: 'no answer within 5000 ms' };

/** Answers at once, but for the dead one: its requests hang until the test lets them go. */
class Receivers implements WebhookSender {
  readonly posted: string[] = [];
  hanging = 0;
  private letGo: () => void = () => undefined;
  private readonly over = new Promise<void>((resolve) => (this.letGo = resolve));

  async post(url: string): Promise<WebhookAnswer> {
    this.posted.push(url);
    if (url !== DEAD) return ACCEPTED;
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
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(() => {
    receivers = new Receivers();
    activities = activitiesWith(receivers);
  });
  afterEach(() => receivers.timeOut());

  function activitiesWith(webhooks: WebhookSender) {
    const deps = {
      db: engine.db,
      clock: () => engine.now,
      webhooks,
      telephony: { find: () => Promise.resolve({ calls: [] }) },
      settings: { decryptSecret: (encrypted: Buffer) => encrypted.toString(), callbacks: {} },
      log: { info: () => undefined, warn: () => undefined },
      metrics: activityMetrics(new Registry()),
    };
    return createActivities(deps as never);
  }

  async function campaignEvent(url: string, owner?: Owner): Promise<string> {
    const { clientId } = owner ?? (await engine.owner());
    const id = randomUUID();
    await engine.db('webhook_deliveries').insert({
      id,
      event_id: randomUUID(),
      client_id: clientId,
      event: 'campaign.completed',
      url,
      body: '{}',
      created_at: new Date(engine.now),
      next_attempt_at: new Date(engine.now),
    });
    return id;
  }

  /** Calls that have ended and tell the URL so. */
  async function endedCalls(count: number, url: string): Promise<string[]> {
    const owner = await engine.owner(count);
    const campaignId = await engine.campaign(owner, {
      contacts: count,
      callConcurrency: count,
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
  const attemptsOf = (id: string): Promise<any[]> =>
    engine.db('webhook_attempts').where({ delivery_id: id }).orderBy('attempt');

  test('keeps no campaign event of the others waiting', async () => {
    const dead = await campaignEvent(DEAD);
    const others = await Promise.all(
      Array.from({ length: 49 }, (_, nth) => campaignEvent(`https://r${nth}.example/`)),
    );
    const hanging = activities.deliverOnce({ deliveryId: dead });
    await receivers.untilHanging(1);
    const results = await Promise.all(others.map((deliveryId) => activities.deliverOnce({ deliveryId })));
    expect(results).toEqual(Array(49).fill({ settled: true }));
    expect([receivers.hanging, await statusOf(dead), await attemptsOf(dead)]).toEqual([1, 'pending', []]);
    receivers.timeOut();
    expect(await hanging).toEqual({ settled: false });
    expect(await attemptsOf(dead)).toMatchObject([{ attempt: 1, error: SILENT.error }]);
  });

  test('holds no more than its turns, however many of its calls end; the calls of others are told meanwhile', async () => {
    const silent = await endedCalls(MAX_AT_ONCE + 5, DEAD);
    const alive = await endedCalls(10, 'https://alive.example/hook');
    const now = engine.now;
    const ending = silent.map((callId) => activities.concludeCall({ callId, mayAnalyse: false, now }));
    await receivers.untilHanging(MAX_AT_ONCE);
    // Those over the turns are left to a later attempt at once: their slots are free.
    let leftAtOnce = 0;
    for (const each of ending) void each.then(() => (leftAtOnce += 1));
    const told = await Promise.all(
      alive.map((callId) => activities.concludeCall({ callId, mayAnalyse: false, now })),
    );
    expect(told.map(({ undelivered }) => undelivered)).toEqual(Array(10).fill(null));
    while (leftAtOnce < 5) await new Promise((resolve) => setImmediate(resolve));
    expect([receivers.hanging, leftAtOnce]).toEqual([MAX_AT_ONCE, 5]);
    expect(receivers.posted.filter((url) => url === DEAD)).toHaveLength(MAX_AT_ONCE);
    receivers.timeOut();
    const left = await Promise.all(ending);
    expect(left.filter(({ undelivered }) => undelivered === null)).toEqual([]);
  });

  test('keeps no line: the calls have given theirs back before anybody is told', async () => {
    const calls = await endedCalls(3, DEAD);
    const ending = calls.map((callId) =>
      activities.concludeCall({ callId, mayAnalyse: false, now: engine.now }),
    );
    await receivers.untilHanging(3);
    expect(await engine.db('lines').whereIn('call_id', calls)).toEqual([]);
    receivers.timeOut();
    await Promise.all(ending);
  });

  test('that is found busy is asked when its turn comes, and the attempt is not counted', async () => {
    const owner = await engine.owner();
    const many = await Promise.all(Array.from({ length: MAX_AT_ONCE + 1 }, () => campaignEvent(DEAD, owner)));
    const made = many.slice(0, -1).map((deliveryId) => activities.deliverOnce({ deliveryId }));
    await receivers.untilHanging(MAX_AT_ONCE);
    const last = many.at(-1) as string;
    await expect(activities.deliverUntilSettled({ deliveryId: last })).rejects.toMatchObject({
      type: 'WebhookRefused',
      message: 'no answer: the receiver is busy',
    });
    expect(await attemptsOf(last)).toEqual([]);
    receivers.timeOut();
    await Promise.all(made);
    engine.now += 10_000;
    await expect(activities.deliverUntilSettled({ deliveryId: last })).rejects.toMatchObject({
      message: `no answer: ${SILENT.error}`,
    });
    expect(await attemptsOf(last)).toHaveLength(1);
  });

  test('that two workflows see to gets one request at a time, and the delays of the ledger', async () => {
    const id = await campaignEvent(DEAD);
    const first = activities.deliverOnce({ deliveryId: id });
    await receivers.untilHanging(1);
    expect(await activities.deliverOnce({ deliveryId: id })).toEqual({ settled: false });
    receivers.timeOut();
    await first;
    await expect(activities.deliverUntilSettled({ deliveryId: id })).rejects.toMatchObject({
      message: 'no answer: the next attempt is not due',
    });
    expect(receivers.posted).toEqual([DEAD]);
    engine.now += 5_000;
    await expect(activities.deliverUntilSettled({ deliveryId: id })).rejects.toMatchObject({
      type: 'WebhookRefused',
    });
    expect((await attemptsOf(id)).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('turns', () => {
  test('are counted by client and by scheme, host and port, and come back', () => {
    const turns = receiverTurns(1);
    const end = turns.take('a', 'https://r.example/one?x=1');
    expect(end).not.toBeNull();
    expect(turns.take('a', 'https://r.example/two')).toBeNull();
    for (const [client, url] of [
      ['b', 'https://r.example/'],
      ['a', 'https://r.example:8443/'],
      ['a', 'http://r.example/'],
      ['a', 'not a url'],
    ] as const) {
      expect(turns.take(client, url)).not.toBeNull();
    }
    end?.();
    expect(turns.take('a', 'https://r.example/three')).not.toBeNull();
  });
});
