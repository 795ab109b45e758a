/** Tests that a dial doesn't wait for slow agents and registries. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { briefWaits } from '../../activities/brief-waits';
import { diallingActivities } from '../../activities/dialling/dialling';
import type { DialInput, DialStep } from '../../activities/dialling/dial-step';
import type { RegistryVerdict } from '../../activities/dialling/do-not-disturb/registry-check';
import {
  directPreparation,
  preparingActivities,
  type Preparation,
  type Prepared,
} from '../../activities/dialling/preparing';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { RoomyCarrier, roomyDependencies } from './support/roomy-carrier';

describeWith('postgres', 'a dial', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    carrier = new RoomyCarrier(() => engine.now);
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
  });

  const deps = () => roomyDependencies(engine, carrier, []);
  const dial = (callId: string, more: Partial<DialInput> = {}): Promise<DialStep> =>
    diallingActivities(deps()).dial({ callId, now: engine.now, ...more });
  const prepare = (callId: string, of: Preparation, from = deps()): Promise<Prepared> =>
    new MockActivityEnvironment().run(() => preparingActivities(from).prepareDial({ callId, of }));

  test('leaves a long wait for an agent to a regular activity, and dials afterwards', async () => {
    carrier.isReady = 'slow';
    const callId = await engine.dispatch(owner);
    expect(await dial(callId)).toEqual({ kind: 'unprepared', of: 'room' });
    expect([carrier.done, await engine.stageOf(callId)]).toEqual([['prepare'], 'granted']);
    const prepared = await prepare(callId, 'room');
    expect(prepared).toEqual({ room: { isReady: true, until: engine.now + 10_000 } });
    await expect(dial(callId, { prepared })).resolves.toMatchObject({ kind: 'placed' });
    expect(carrier.done).toEqual(['prepare', 'prepare', 'dial']);
  });

  test('checks a room again if its preparation has expired', async () => {
    const callId = await engine.dispatch(owner);
    const prepared = await prepare(callId, 'room');
    engine.now += 10_000;
    carrier.isReady = false;
    await expect(dial(callId, { prepared })).resolves.toMatchObject({ kind: 'unavailable' });
  });

  test("doesn't wait again if a regular activity has already waited for the agent without success", async () => {
    carrier.isReady = false;
    const callId = await engine.dispatch(owner);
    const prepared = await prepare(callId, 'room');
    expect((await engine.call(callId)).preparing_until).toEqual(new Date(engine.now + 30_000));
    carrier.done.length = 0;
    await expect(dial(callId, { prepared })).resolves.toMatchObject({
      kind: 'unavailable',
      endReason: 'carrier_unavailable',
    });
    expect(carrier.done).toEqual([]);
  });

  describe('a direct dial', () => {
    const prepareDirectly = (callId: string, max = 9) => {
      const { settings, ...others } = deps();
      const atOnce = { ...settings.atOnce, preparations: max };
      return directPreparation({ ...others, settings: { ...settings, atOnce } })({ callId, of: 'room' });
    };

    test('waits for the agent, and records for how long the workflow needs no signal', async () => {
      const callId = await engine.dispatch(owner);
      const prepared = await prepareDirectly(callId);
      expect(prepared).toEqual({ room: { isReady: true, until: engine.now + 10_000 } });
      expect((await engine.call(callId)).preparing_until).toEqual(new Date(engine.now + 5_000));
      await expect(dial(callId, { prepared: prepared ?? {}, isDirect: true })).resolves.toMatchObject({
        kind: 'placed',
      });
      expect(carrier.done).toEqual(['prepare', 'dial']);
    });

    test.each(['slow', 'noAgent'] as const)(
      'leaves the wait to the workflow and keeps the room if the agent is %s',
      async (state) => {
        carrier.isReady = state;
        expect(await prepareDirectly(await engine.dispatch(owner))).toBeNull();
        expect(carrier.done).toEqual(['prepare']);
      },
    );

    test('leaves the wait to the workflow if too many calls wait', async () => {
      expect(await prepareDirectly(await engine.dispatch(owner), 0)).toBeNull();
      expect(carrier.done).toEqual([]);
    });
  });

  describe('a call for which no agent is ready', () => {
    async function withoutAgent(callId: string): Promise<DialStep> {
      carrier.isReady = 'noAgent';
      const prepared = await prepare(callId, 'room');
      return dial(callId, { prepared });
    }

    test('waits for an agent for 15 minutes, keeps its line and uses up no attempt', async () => {
      const callId = await engine.dispatch(owner);
      engine.now += 15 * 60_000 - 1;
      expect(await withoutAgent(callId)).toEqual({ kind: 'unprepared', of: 'room' });
      expect([await engine.stageOf(callId), carrier.done]).toEqual(['granted', ['prepare']]);
      carrier.isReady = true;
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'placed' });
    });

    test('fails after 15 minutes, or after one minute if a person waits in a browser session', async () => {
      const [phone, session] = [await engine.dispatch(owner), await engine.openSession(owner)];
      engine.now += 60_000;
      expect(await withoutAgent(session)).toEqual({ kind: 'over', callStatus: 'failed' });
      engine.now += 14 * 60_000;
      expect(await withoutAgent(phone)).toEqual({ kind: 'over', callStatus: 'failed' });
      expect((await engine.call(phone)).end_reason).toBe('carrier_unavailable');
    });

    test('returns its line if its campaign is paused meanwhile', async () => {
      const campaignId = await engine.campaign(owner, { contacts: 1 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.set(campaignId, { status: 'paused' });
      expect(await withoutAgent(callId)).toEqual({ kind: 'noLine' });
      expect([await engine.stageOf(callId), carrier.done]).toEqual(['waiting', ['prepare', 'release']]);
    });
  });

  test("waits only briefly for an agent that isn't responding, and not at all while agents remain slow", async () => {
    const some = { ...deps(), briefWaits: briefWaits({ max: 100, log: deps().log }) };
    let answer: (kind: 'ready') => void = () => undefined;
    const silence = new Promise<'ready'>((resolve) => (answer = resolve));
    carrier.prepare = () => {
      carrier.done.push('prepare');
      return silence.then((kind) => ({ kind }));
    };
    const calls = [await engine.dispatch(owner), await engine.dispatch(owner)] as const;
    const dialOne = (callId: string) => diallingActivities(some).dial({ callId, now: engine.now });
    expect(await dialOne(calls[0])).toEqual({ kind: 'unprepared', of: 'room' });
    expect(await dialOne(calls[1])).toEqual({ kind: 'unprepared', of: 'room' });
    expect(carrier.done).toEqual(['prepare']);
    answer('ready');
    await prepare(calls[0], 'room', some);
    await expect(dialOne(calls[1])).resolves.toMatchObject({ kind: 'placed' });
  });

  describe('a worker whose slots are all taken', () => {
    test('retries the dial soon, without preparing it', async () => {
      let takeUp: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (takeUp = resolve));
      carrier.dial = async () => {
        await answered;
        return carrier.answer;
      };
      const { settings, ...others } = deps();
      const { dial: ask } = diallingActivities({
        ...others,
        settings: { ...settings, atOnce: { ...settings.atOnce, dials: 1 } },
      });
      const [first, second] = [await engine.dispatch(owner), await engine.dispatch(owner)];
      const dialled = ask({ callId: first, now: engine.now });
      const step = await ask({ callId: second, now: engine.now });
      expect(step).toEqual({ kind: 'paced', waitMs: expect.any(Number) });
      expect(await engine.stageOf(second)).toBe('granted');
      takeUp();
      await expect(dialled).resolves.toMatchObject({ kind: 'placed' });
      await expect(ask({ callId: second, now: engine.now })).resolves.toMatchObject({ kind: 'placed' });
    });
  });

  describe('a slow do-not-disturb registry', () => {
    const guarded = (
      verdict: () => Promise<RegistryVerdict>,
      waits = briefWaits({ max: 9, log: deps().log }),
    ) => ({
      ...deps(),
      briefWaits: waits,
      dndRegistry: { keptForMs: 60_000, verdict },
    });
    const late = new Promise<never>(() => undefined);

    test("leaves the wait to a regular activity, keeps the room and uses the registry's answer", async () => {
      const callId = await engine.dispatch(owner);
      const ask = (prepared: Prepared = {}) =>
        diallingActivities(guarded(() => late)).dial({ callId, now: engine.now, prepared });
      expect(await ask()).toEqual({ kind: 'unprepared', of: 'registry' });
      expect(carrier.done).toEqual(['prepare']);
      const clear = await prepare(
        callId,
        'registry',
        guarded(() => Promise.resolve('clear')),
      );
      expect(clear).toEqual({ registry: { verdict: 'clear', until: engine.now + 10_000 } });
      await expect(ask({ ...clear, room: { isReady: true, until: engine.now + 1 } })).resolves.toMatchObject({
        kind: 'placed',
      });
      expect(carrier.done).toEqual(['prepare', 'dial']);
    });

    test.each([
      ['listed', { kind: 'over', callStatus: 'DND' }],
      ['unavailable', { kind: 'unavailable', endReason: 'dnd_unverified' }],
    ] as const)('prevents the dial if the registry finally answers %s', async (verdict, step) => {
      const callId = await engine.dispatch(owner);
      const prepared = await prepare(
        callId,
        'registry',
        guarded(() => Promise.resolve(verdict)),
      );
      const { dial: ask } = diallingActivities(guarded(() => late));
      await expect(ask({ callId, now: engine.now, prepared })).resolves.toMatchObject(step);
      expect(carrier.done).toEqual(['prepare', 'release']);
    });

    test('queries the registry again if its answer has expired', async () => {
      const callId = await engine.dispatch(owner);
      const prepared = await prepare(
        callId,
        'registry',
        guarded(() => Promise.resolve('clear')),
      );
      engine.now += 10_000;
      const { dial: ask } = diallingActivities(guarded(() => Promise.resolve('listed')));
      await expect(ask({ callId, now: engine.now, prepared })).resolves.toMatchObject({ callStatus: 'DND' });
    });
  });

  test('rejects a preparation as busy while all slots of the worker are taken', async () => {
    const { settings, ...others } = deps();
    const atOnce = { ...settings.atOnce, preparations: 0 };
    const activities = preparingActivities({ ...others, settings: { ...settings, atOnce } });
    await expect(activities.prepareDial({ callId: 'any', of: 'room' })).rejects.toMatchObject({
      type: 'Busy',
    });
  });
});
