/** Tests the notifications for live captions and their connection. */
import { Client } from 'pg';
import { applyProgress, type ProgressEvent } from '../../db/calls/events';
import { captionsSince, notify, registerListening, renewListening } from '../../db/calls/live-captions';
import { Notifications, type NotificationOptions } from '../../db/kernel/notifications';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';
import { PostgresProxy } from './support/postgres-proxy';

const iso = (ms: number): string => new Date(ms).toISOString();

describeWith('postgres', 'the notifications of a call', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let client: Client;
  let received: string[];

  beforeAll(async () => {
    engine = await EngineDatabase.open();
    owner = await engine.owner(200);
    client = new Client({ connectionString: engine.url });
    await client.connect();
    client.on('notification', ({ payload = '' }) => received.push(payload));
    await client.query('listen captions; listen captions_wanted; listen captions_live');
  });
  afterAll(async () => {
    await client.end();
    await engine.close();
  });
  beforeEach(async () => {
    await notified();
    received = [];
  });

  /** Returns all notifications so far. They arrive before the response to a later statement. */
  const notified = async (): Promise<string[]> => {
    await client.query('select 1');
    return received;
  };

  const unheeded = async (): Promise<string> => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    return callId;
  };
  const dialled = async (): Promise<string> => {
    const callId = await unheeded();
    await registerListening(engine.db, callId);
    return callId;
  };
  const segment = (reference: string, startMs: number): ProgressEvent => ({
    reference,
    carrierId: `sim-${reference}`,
    type: 'segment',
    at: iso(START),
    segment: { speaker: 'user', text: 'something private', startMs, endMs: startMs + 900 },
  });
  const apply = (events: ProgressEvent[]) =>
    applyProgress(engine.db, events, { now: engine.now, creditsPerMinute: 1 });

  test('sends one notification per batch, with the highest number of each call and without text', async () => {
    const [a, b] = [await dialled(), await dialled()].sort();
    await apply([segment(a ?? '', 0), segment(b ?? '', 0), segment(a ?? '', 1_000)]);
    expect(await notified()).toEqual([`${a}:2 ${b}:1`]);
  });

  test("splits notifications of very many calls to fit into Postgres' payloads", async () => {
    const callIds = await Promise.all(Array.from({ length: 120 }, dialled));
    await apply(callIds.map((callId) => segment(callId, 0)));
    const payloads = await notified();
    expect(payloads).toHaveLength(3);
    expect(payloads.join(' ').split(' ').sort()).toEqual(callIds.map((callId) => `${callId}:1`).sort());
  });

  test('sends nothing without a new segment or for an unknown call', async () => {
    const callId = await dialled();
    await apply([segment(callId, 0)]);
    await notified();
    received = [];
    await apply([
      segment(callId, 0),
      { ...segment(callId, 0), type: 'ringing', segment: undefined } as never,
    ]);
    await apply([segment('outbound-1-unknown', 0)]);
    expect(await notified()).toEqual([]);
  });

  test('sends one notification each for the answer and the end', async () => {
    const callId = await dialled();
    const answered: ProgressEvent = { ...segment(callId, 0), type: 'answered', answeredBy: 'human' };
    delete answered.segment;
    await apply([answered]);
    await apply([answered]);
    expect(await notified()).toEqual([callId]);
    await engine.end(callId, 'callee');
    await engine.end(callId, 'callee');
    expect(await notified()).toEqual([callId, callId]);
  });

  test('sends nothing after a rollback', async () => {
    const callId = await dialled();
    const undone = await engine.db.transaction();
    await applyProgress(undone, [segment(callId, 0)], { now: engine.now, creditsPerMinute: 1 });
    await undone.rollback();
    expect(await notified()).toEqual([]);
  });

  test('sends nothing for a whole call that has no listeners', async () => {
    const callId = await unheeded();
    await apply([
      { ...segment(callId, 0), type: 'answered', answeredBy: 'human', segment: undefined } as never,
    ]);
    await apply([segment(callId, 0), segment(callId, 1_000)]);
    await engine.end(callId, 'callee');
    expect(await notified()).toEqual([]);
  });

  test('sends notifications only for the calls of a batch that have listeners', async () => {
    const [heeded, ignored] = [await dialled(), await unheeded()];
    await apply([segment(heeded, 0), segment(ignored, 0)]);
    expect(await notified()).toEqual([`${heeded}:1`]);
  });

  test('stops sending when the last registration expires, and starts again after a renewal', async () => {
    const callId = await dialled();
    const runsOut = () =>
      engine.db('caption_listeners').where({ call_id: callId }).update({ until: new Date() });
    expect(await renewListening(engine.db, [callId])).toEqual([callId]);
    await runsOut();
    await apply([segment(callId, 0)]);
    expect(await notified()).toEqual([]);
    expect(await renewListening(engine.db, [callId])).toEqual([]);
    await registerListening(engine.db, callId);
    await apply([segment(callId, 1_000)]);
    expect(await notified()).toEqual([`${callId}:2`]);
  });

  test('notifies a listener that registers during a write, or lets the listener read the written row', async () => {
    const callId = await unheeded();
    const writer = await engine.db.transaction();
    await applyProgress(writer, [segment(callId, 0)], { now: engine.now, creditsPerMinute: 1 });
    const registered = registerListening(engine.db, callId).then(() =>
      captionsSince(engine.db, [{ callId, seq: 0 }]),
    );
    await engine.untilBlocked();
    await writer.commit();
    const [read] = await registered;
    expect([await notified(), read?.segments.length]).toEqual([[], 1]);
  });

  test('notifies a listener that registered after the transaction started and before it wrote', async () => {
    const callId = await unheeded();
    const writer = await engine.db.transaction();
    await writer.raw('select 1 from calls limit 1');
    await registerListening(engine.db, callId);
    await applyProgress(writer, [segment(callId, 0)], { now: engine.now, creditsPerMinute: 1 });
    await writer.commit();
    expect(await notified()).toEqual([`${callId}:1`]);
  });

  test('deletes expired registrations', async () => {
    const [gone, here] = [await dialled(), await dialled()];
    await engine
      .db('caption_listeners')
      .where({ call_id: gone })
      .update({ until: new Date(Date.now() - 120_000) });
    await renewListening(engine.db, [here]);
    expect(await engine.db('caption_listeners').where({ call_id: gone })).toEqual([]);
    expect(await engine.db('caption_listeners').where({ call_id: here })).toHaveLength(1);
  });

  test("reads captions of many calls at once, each from its reader's position, and skips unknown calls", async () => {
    const [a, b] = [await dialled(), await dialled()];
    await apply([segment(a, 0), segment(a, 1_000), segment(b, 0)]);
    const read = await captionsSince(engine.db, [
      { callId: a, seq: 1 },
      { callId: b, seq: 1 },
      { callId: 'outbound-1-unknown', seq: 0 },
    ]);
    const seqs = Object.fromEntries(
      read.map(({ callId, segments }) => [callId, segments.map(({ seq }) => seq)]),
    );
    expect(seqs).toEqual({ [a]: [2], [b]: [] });
    expect(read[0]).toMatchObject({ isOver: false, answeredAt: null });
  });

  describe('a connection for notifications', () => {
    const open = (options: Partial<NotificationOptions> = {}) => {
      const arrived: string[] = [];
      let subscriptions = 0;
      const looking = new Set<() => void>();
      const check = (): void => {
        for (const each of looking) each();
        looking.clear();
      };
      const notifications = new Notifications({
        url: engine.url,
        channels: ['a_channel', 'another_channel'],
        applicationName: 'test listener',
        onNotification: (channel, payload) => {
          arrived.push(`${channel} ${payload}`);
          check();
        },
        onSubscribed: () => {
          subscriptions += 1;
          check();
        },
        ...options,
      });
      const until = async (holds: () => boolean) => {
        while (!holds()) await new Promise<void>((resolve) => looking.add(resolve));
      };
      return { notifications, arrived, until, subscriptions: () => subscriptions };
    };
    const cut = () =>
      engine.db.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test listener' and datname = current_database()`,
      );

    test('reconnects when the connection was cut, and reports it', async () => {
      const { notifications, arrived, until, subscriptions } = open();
      notifications.start();
      expect(await notifications.ready(10_000)).toBe(true);
      for (const time of [1, 2, 3]) {
        await notify(engine.db, 'a_channel', [`${time}`]);
        await until(() => arrived.at(-1) === `a_channel ${time}`);
        await cut();
        await until(() => subscriptions() === time + 1);
      }
      await notify(engine.db, 'another_channel', ['x', 'y']);
      await until(() => arrived.length === 5);
      expect(arrived.slice(3)).toEqual(['another_channel x', 'another_channel y']);
      await notifications.stop();
    });

    test('reconnects when the connection stops responding', async () => {
      const proxy = await PostgresProxy.open(engine.url);
      const { notifications, arrived, until, subscriptions } = open({ url: proxy.url, checkedEveryMs: 50 });
      notifications.start();
      expect(await notifications.ready(10_000)).toBe(true);
      proxy.silenceAfter('select 1');
      while (proxy.undelivered.length === 0 && subscriptions() === 1)
        await new Promise((resolve) => setImmediate(resolve));
      proxy.speak();
      await until(() => subscriptions() === 2);
      await notify(engine.db, 'a_channel', ['received']);
      await until(() => arrived.length === 1);
      await notifications.stop();
      proxy.close();
    });

    test("reports that it isn't ready if it can't connect, and stops immediately", async () => {
      const notifications = new Notifications({
        url: 'postgres://nobody@127.0.0.1:1/none',
        channels: ['a_channel'],
        applicationName: 'test listener',
        onNotification: () => undefined,
        onSubscribed: () => undefined,
      });
      notifications.start();
      expect(await notifications.ready(50)).toBe(false);
      await notifications.stop();
      expect(await notifications.ready(50)).toBe(false);
    });

    test('closes its connection when it stops', async () => {
      const { notifications } = open();
      notifications.start();
      await notifications.ready(10_000);
      await notifications.stop();
      const left = async () =>
        (await engine.db('pg_stat_activity').where({ application_name: 'test listener' })).length;
      while ((await left()) > 0);
      expect(await left()).toBe(0);
    });
  });
});
