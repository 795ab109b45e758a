/** Tests the time limits of a dial to the millisecond, and the carrier's responses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { ActivityDependencies } from '../../activities/dependencies';
import { mayShow } from '../../activities/dialling/caller-id';
import { lineActivities } from '../../activities/dialling/lines';
import { diallingActivities } from '../../activities/dialling/dialling';
import type { DialInput, DialStep } from '../../activities/dialling/dial-step';
import { httpCarrier } from '../../activities/telephony/http/http-carrier';
import type { CarrierCall } from '../../activities/telephony/port';
import { createSimulator } from '../../dev/simulator/app';
import { Link } from '../../verify/faults/network/link';
import { DIAL_GIVE_UP_MS } from '../../domain/dial-backoff';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';
import { RoomyCarrier, roomyDependencies, type SentSignal } from './support/roomy-carrier';
import { carrierCall } from './support/carrier-call';

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
    await engine.db.raw('delete from lines; delete from calls; delete from trunks');
  });

  const dial = (
    callId: string,
    more: Partial<DialInput> = {},
    change: (deps: ActivityDependencies) => ActivityDependencies = (deps) => deps,
  ): Promise<DialStep> =>
    new MockActivityEnvironment().run(() =>
      diallingActivities(change(roomyDependencies(engine, carrier, []))).dial({
        callId,
        now: engine.now,
        ...more,
      }),
    );

  describe('a dial whose response was lost, over a carrier that can show the call up to 71 s later', () => {
    /** `waitedMs` is by our clock and `carrierMs` by the carrier's, both since the request. */
    async function lookedUp(waitedMs: number, carrierMs: number | null, calls: CarrierCall[] = []) {
      carrier.answer = { kind: 'unknown' };
      const callId = await engine.dispatch(owner);
      await dial(callId);
      engine.now += waitedMs;
      const carrierTime = carrierMs === null ? null : START + carrierMs;
      carrier.find = () => Promise.resolve({ calls, carrierTime, lagMs: 71_000, goneMeansOver: true });
      return { step: await dial(callId), stage: await engine.stageOf(callId) };
    }

    test.each([
      ['exactly 75 s have passed by our clock', 75_000, 300_000, 'requested'],
      ['exactly 74 s have passed by its clock', 300_000, 74_000, 'requested'],
      ['both have passed', 75_001, 74_001, 'granted'],
      ['exactly 75 s have passed by our clock and it reports no time', 75_000, null, 'requested'],
      ['more have passed and it reports no time', 75_001, null, 'granted'],
    ])(
      'repeats the dial only when the carrier can no longer show the call: %s',
      async (_when, waited, carrierMs, stage) => {
        await expect(lookedUp(waited, carrierMs)).resolves.toMatchObject({
          stage,
          step: { kind: stage === 'granted' ? 'unavailable' : 'unknown' },
        });
      },
    );

    test('gives up the dial when the carrier has placed no call for a minute, and not a millisecond earlier', async () => {
      const notPlacedSince = async (ms: number) => {
        carrier.answer = { kind: 'unknown' };
        const callId = await engine.dispatch(owner);
        await dial(callId);
        engine.now += 300_000;
        carrier.find = () =>
          Promise.resolve({ calls: [], carrierTime: engine.now, lagMs: 71_000, goneMeansOver: true });
        return dial(callId, { unavailableSince: engine.now - ms });
      };
      await expect(notPlacedSince(DIAL_GIVE_UP_MS - 1)).resolves.toMatchObject({ kind: 'unavailable' });
      await expect(notPlacedSince(DIAL_GIVE_UP_MS)).resolves.toEqual({ kind: 'over', callStatus: 'failed' });
    });

    test.each([
      [10_000, 1_000],
      [10_001, 5_000],
      [75_000, 5_000],
      [75_001, 1_000],
    ])(
      'schedules the next look-up according to the time since the dial: after %d ms, in %d ms',
      async (waited, dialAgainAfterMs) => {
        await expect(lookedUp(waited, 0)).resolves.toMatchObject({ step: { dialAgainAfterMs } });
      },
    );

    const found = carrierCall({ carrierId: 'found', reference: 'any', state: 'answered' });

    test('records the call as placed when a look-up finds it, even after a long delay', async () => {
      await expect(lookedUp(300_000, 300_000, [found])).resolves.toMatchObject({
        step: { kind: 'placed', deadlineMs: (30 + 3_600) * 1_000 + 40_000 },
        stage: 'placed',
      });
    });

    test('ends the call if the carrier shows that it has ended', async () => {
      const ended = { ...found, state: 'ended', endReason: 'busy' } as const;
      await expect(lookedUp(1_000, 1_000, [ended])).resolves.toEqual({
        step: { kind: 'over', callStatus: 'busy' },
        stage: 'over',
      });
    });
  });

  test("places one call and doesn't redial when a proxy returns 503 after the carrier accepted the dial", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dial-steps-'));
    const secret = 'shared with the carrier';
    const simulator = createSimulator({
      secret,
      logPath: join(folder, 'simulator.jsonl'),
      ringMs: 60_000,
      eventRetryDelaysMs: [],
    });
    const proxy = await Link.open(await simulator.listen(0));
    const telephony = httpCarrier({
      carrierUrl: `http://${proxy.host}`,
      secret,
      eventsUrl: 'http://127.0.0.1:9/events',
      clock: Date.now,
    });
    const overProxy = (deps: ActivityDependencies) => ({ ...deps, telephony });
    try {
      const callId = await engine.dispatch(owner);
      await telephony.now();
      proxy.loseAnswers(1, 'page');
      const steps: DialStep['kind'][] = [];
      for (let run = 0; run < 3; run += 1) {
        steps.push((await dial(callId, {}, overProxy)).kind);
        // Longer than the wait before a call that wasn't placed is dialled again.
        engine.now += 10_000;
      }
      expect(steps).toEqual(['unknown', 'placed', 'placed']);
      expect(simulator.stats()).toMatchObject({ placed: 1, duplicate_references: 0 });
    } finally {
      await proxy.close();
      await simulator.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('gives up the dial after a minute without carrier capacity, and not a millisecond earlier', async () => {
    carrier.isReady = false;
    const callId = await engine.dispatch(owner);
    const since = engine.now - DIAL_GIVE_UP_MS;
    await expect(dial(callId, { unavailableSince: since + 1 })).resolves.toMatchObject({
      kind: 'unavailable',
      since: since + 1,
    });
    await expect(dial(callId, { unavailableSince: since })).resolves.toEqual({
      kind: 'over',
      callStatus: 'failed',
    });
  });

  test('ends a call without a line when its maximum wait is over, and not a millisecond earlier', async () => {
    owner = await engine.owner(1);
    await engine.dispatch(owner);
    const callId = await engine.dispatch(owner);
    await expect(dial(callId, { lineBy: null })).resolves.toEqual({ kind: 'noLine' });
    await expect(dial(callId, { lineBy: engine.now + 1 })).resolves.toEqual({ kind: 'noLine' });
    await expect(dial(callId, { lineBy: engine.now })).resolves.toEqual({
      kind: 'over',
      callStatus: 'expired',
    });
  });

  test("continues a dial with a line after the call's maximum wait", async () => {
    const callId = await engine.dispatch(owner);
    await expect(dial(callId, { lineBy: engine.now - 1 })).resolves.toMatchObject({ kind: 'placed' });
  });

  test('contacts neither carrier nor registry for a call that must end', async () => {
    const callId = await engine.dispatch(owner);
    await expect(dial(callId, { stop: true })).resolves.toEqual({ kind: 'over', callStatus: null });
    expect([carrier.done, await engine.stageOf(callId)]).toEqual([[], 'granted']);
    await expect(dial(callId, { stop: false })).resolves.toMatchObject({ kind: 'placed' });
  });

  test("releases the worker's slot when the dial fails", async () => {
    const deps = roomyDependencies(engine, carrier, []);
    const atOnce = { ...deps.settings.atOnce, dials: 1 };
    const activities = diallingActivities({ ...deps, settings: { ...deps.settings, atOnce } });
    const dialled = async (callId: string): Promise<DialStep> =>
      new MockActivityEnvironment().run(() => activities.dial({ callId, now: engine.now }));
    carrier.now = () => Promise.reject(new Error('Postgres is away'));
    await expect(dialled(await engine.dispatch(owner))).rejects.toThrow('Postgres is away');
    carrier.now = () => Promise.resolve(engine.now);
    await expect(dialled(await engine.dispatch(owner))).resolves.toMatchObject({ kind: 'placed' });
  });

  test('signals the call that gets the line when the campaign was paused before the dial', async () => {
    owner = await engine.owner(1);
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const [paused = ''] = (await engine.feed(owner, campaignId)).granted;
    const waiting = await engine.dispatch(owner);
    await engine.set(campaignId, { status: 'paused' });
    const sent: SentSignal[] = [];
    await expect(dial(paused, {}, () => roomyDependencies(engine, carrier, sent))).resolves.toEqual({
      kind: 'noLine',
    });
    expect(sent.map(({ id, name }) => [id, name])).toEqual([
      [waiting, 'lineGranted'],
      [`campaign-${campaignId}`, 'refill'],
    ]);
  });

  test('prepares no room if the carrier needs none', async () => {
    carrier.preparesFirst = () => false;
    await dial(await engine.dispatch(owner));
    expect(carrier.done).toEqual(['dial']);
  });

  describe('a dial whose slot on the trunk comes later', () => {
    const every =
      (dialEveryMs: number) =>
      ({ settings, ...others }: ActivityDependencies): ActivityDependencies => ({
        ...others,
        settings: { ...settings, dialGuards: { ...settings.dialGuards, dialEveryMs } },
      });
    const afterAnother = async (dialEveryMs: number) => {
      const [first, second] = [await engine.dispatch(owner), await engine.dispatch(owner)];
      await dial(first, {}, every(dialEveryMs));
      return dial(second, {}, every(dialEveryMs));
    };

    test('waits for a slot that comes within a second', async () => {
      await expect(afterAnother(1_000)).resolves.toMatchObject({ kind: 'placed' });
    });

    test('closes the room and lets the workflow wait for a later slot, until half a second before the slot', async () => {
      await expect(afterAnother(1_001)).resolves.toEqual({ kind: 'paced', waitMs: 501 });
      expect(carrier.done).toEqual(['prepare', 'dial', 'prepare', 'release']);
    });
  });
});

describeWith('postgres', 'requestLine() of a dispatched call', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test('returns whether the call has had a line: true once it has, false while it waits or is unknown', async () => {
    const owner = await engine.owner(1);
    const carrier = new RoomyCarrier(() => engine.now);
    const { requestLine } = lineActivities(roomyDependencies(engine, carrier, []));
    const ask = (callId: string) =>
      requestLine({ callId, organizationId: owner.organizationId, now: engine.now });
    const [first, second] = [
      await engine.dispatch(owner, { queued: false }),
      await engine.dispatch(owner, { queued: false }),
    ];
    expect(await ask(first)).toEqual({ granted: true });
    expect(await ask(second)).toEqual({ granted: false });
    await engine.dial(first);
    expect(await ask(first)).toEqual({ granted: true });
    await engine.end(first, 'agent');
    expect(await ask(first)).toEqual({ granted: true });
    expect(await ask(second)).toEqual({ granted: true });
    expect(await ask('outbound-0-none')).toEqual({ granted: false });
  });
});

describe('a caller ID', () => {
  const [ours, another] = ['+918040000001', '+918040000002'];
  test.each([
    [null, [], true],
    [null, [ours], true],
    [ours, [], true],
    [ours, [ours], true],
    [ours, [another, ours], true],
    [another, [ours], false],
    ['8040000001', [], false],
    ['8040000001', ['8040000001'], false],
  ])("checks a caller ID against the agent's numbers: %s with %j gives %s", (callerId, numbers, isShown) => {
    expect(mayShow(callerId, numbers)).toBe(isShown);
  });
});
