/** What a call needs from others before its dial, where they are slow: proven by what the dial does not wait for. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { briefWaits } from '../../activities/brief-waits';
import { diallingActivities, type DialInput, type DialStep } from '../../activities/dialling/dialling';
import type { RegistryVerdict } from '../../activities/dialling/do-not-disturb/registry-check';
import { preparingActivities, type Preparation, type Prepared } from '../../activities/dialling/preparing';
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

  test('whose agent takes its time, the dial does not wait: a regular activity does, and the dial goes on from there', async () => {
    carrier.isReady = 'slow';
    const callId = await engine.dispatch(owner);
    expect(await dial(callId)).toEqual({ kind: 'unprepared', of: 'room' });
    expect([carrier.done, await engine.stageOf(callId)]).toEqual([['prepare'], 'granted']);
    const prepared = await prepare(callId, 'room');
    expect(prepared).toEqual({ room: { isReady: true, until: engine.now + 10_000 } });
    await expect(dial(callId, { prepared })).resolves.toMatchObject({ kind: 'placed' });
    expect(carrier.done).toEqual(['prepare', 'prepare', 'dial']);
  });

  test('a room that was ready a while ago is looked at again', async () => {
    const callId = await engine.dispatch(owner);
    const prepared = await prepare(callId, 'room');
    engine.now += 10_000;
    carrier.isReady = false;
    await expect(dial(callId, { prepared })).resolves.toMatchObject({ kind: 'unavailable' });
  });

  test('an agent that a regular activity waited for in vain is not waited for again by the dial', async () => {
    carrier.isReady = false;
    const callId = await engine.dispatch(owner);
    const prepared = await prepare(callId, 'room');
    carrier.done.length = 0;
    await expect(dial(callId, { prepared })).resolves.toMatchObject({
      kind: 'unavailable',
      endReason: 'carrier_unavailable',
    });
    expect(carrier.done).toEqual([]);
  });

  test('agents that keep silent hold no slot beyond a brief wait, and none at all while they do so', async () => {
    const some = { ...deps(), briefWaits: briefWaits({ most: 100, log: deps().log }) };
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

  describe('as many dials as may be are under way in a worker', () => {
    test('so the next comes again soon, and nothing was begun for it', async () => {
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

  describe('a do-not-disturb registry that takes its time', () => {
    const guarded = (
      verdict: () => Promise<RegistryVerdict>,
      waits = briefWaits({ most: 9, log: deps().log }),
    ) => ({
      ...deps(),
      briefWaits: waits,
      dndRegistry: { keptForMs: 60_000, verdict },
    });
    const late = new Promise<never>(() => undefined);

    test('is not waited for by the dial, whose room stays; a regular activity is, and its word counts for the dial', async () => {
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
    ] as const)('and says %s at last keeps the call from being dialled', async (verdict, step) => {
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

    test('is asked again where its word is a while ago', async () => {
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

  test('as many preparations as may be are under way in a worker: another is made in a moment', async () => {
    const { settings, ...others } = deps();
    const atOnce = { ...settings.atOnce, preparations: 0 };
    const activities = preparingActivities({ ...others, settings: { ...settings, atOnce } });
    await expect(activities.prepareDial({ callId: 'any', of: 'room' })).rejects.toMatchObject({
      type: 'Busy',
    });
  });
});
