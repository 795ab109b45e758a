import { waitUntil } from '../../dev/stack/wait-until';
import { recordPreparation } from '../../db/calls/engine';
import { callIdsIn, dialListener, undialled, wakeWorkers } from '../../db/calls/dial-wake-ups';
import { Notifications } from '../../db/kernel/notifications';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';

describeWith('postgres', 'waking workers to dial', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  const received = new Map<string, string[]>();
  const listeners: Notifications[] = [];

  beforeAll(async () => {
    engine = await EngineDatabase.open();
    owner = await engine.owner(5);
  });
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
    received.clear();
  });
  afterAll(() => engine.close());

  async function listen(workerId: string): Promise<Notifications> {
    const { channel, applicationName } = dialListener(workerId);
    received.set(workerId, []);
    const listener = new Notifications({
      url: engine.url,
      channels: [channel],
      applicationName,
      onNotification: (_channel, payload) => received.get(workerId)?.push(...callIdsIn(payload)),
    });
    listener.start();
    listeners.push(listener);
    expect(await listener.ready(5_000)).toBe(true);
    return listener;
  }

  test('spreads calls over the workers that listen, each call to one of them', async () => {
    await listen('one');
    await listen('two');
    const callIds = ['call-1', 'call-2', 'call-3', 'call-4'];
    const woken = await wakeWorkers(engine.db, callIds);
    expect(woken.map(({ worker }) => worker).sort()).toEqual(['one', 'two']);
    const arrived = () => [...received.values()].flat();
    await waitUntil({
      what: 'the notifications',
      check: () => Promise.resolve(arrived().length >= callIds.length),
      timeoutMs: 5_000,
    });
    expect(arrived().sort()).toEqual(callIds);
    for (const { worker, callIds: sent } of woken)
      expect(received.get(worker)?.sort()).toEqual([...sent].sort());
  });

  test('wakes no worker that has stopped listening', async () => {
    const gone = await listen('gone');
    await listen('here');
    await gone.stop();
    await waitUntil({
      what: 'the end of the connection',
      check: async () =>
        (await engine.db('pg_stat_activity').where('application_name', 'worker dials gone')).length === 0,
      timeoutMs: 5_000,
    });
    for (const callId of ['call-1', 'call-2', 'call-3'])
      expect(await wakeWorkers(engine.db, [callId])).toMatchObject([{ worker: 'here', callIds: [callId] }]);
  });

  test('returns an empty list if no worker listens', async () => {
    expect(await wakeWorkers(engine.db, ['call-1'])).toEqual([]);
  });

  test('finds the calls whose dial has no result, and whether their worker still listens or prepares the dial', async () => {
    await listen('here');
    const [placed, begun, waiting, lost, prepared] = [
      await engine.dispatch(owner),
      await engine.dispatch(owner),
      await engine.dispatch(owner),
      await engine.dispatch(owner),
      await engine.dispatch(owner),
    ];
    await engine.dial(placed);
    await engine.begin(begun);
    await recordPreparation(engine.db, waiting, engine.now);
    await recordPreparation(engine.db, prepared, engine.now + 1);
    const woken = [placed, begun, waiting, prepared].map((callId) => ({ callId, worker: 'here' }));
    const found = await undialled(engine.db, [...woken, { callId: lost, worker: 'gone' }], engine.now);
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { callId: begun, isRequested: true, isListening: true, isPreparing: false },
        { callId: waiting, isRequested: false, isListening: true, isPreparing: false },
        { callId: prepared, isRequested: false, isListening: true, isPreparing: true },
        { callId: lost, isRequested: false, isListening: false, isPreparing: false },
      ]),
    );
  });
});
