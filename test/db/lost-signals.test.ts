/** Tests calls that end, or fail to be processed, without a signal to their workflow. */
import { Registry } from 'prom-client';
import { campaignFeedingActivities } from '../../activities/campaigns/steps';
import { activityMetrics } from '../../activities/metrics';
import { reconcilingActivities } from '../../activities/reconciliation';
import { hangUp } from '../../db/calls/hang-up';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';

describeWith('postgres', 'a finished call', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let signals: { id: string; name: string; args: unknown[] }[];
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    signals = [];
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
  });

  const deps = (more: object = {}): any => ({
    db: engine.db,
    signals: {
      getHandle: (id: string) => ({
        signal: (name: string, ...args: unknown[]) => Promise.resolve(signals.push({ id, name, args })),
      }),
    },
    log: { info: () => undefined, warn: () => undefined },
    metrics: activityMetrics(new Registry()),
    telephony: { held: () => Promise.resolve([]) },
    clock: () => engine.now,
    ...more,
  });

  test('signals a workflow when its call is registered, if the call ended before the workflow started', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 2 });
    const callIds = (await engine.claim(campaignId)).claimed.map(({ callId }) => callId);
    const [ended = '', other = ''] = callIds;
    const actor = { kind: 'operator', id: 'test', requestId: null } as const;
    const end = callEndOf(endedAt(engine.now, 'cancelled'), 1);
    await hangUp(engine.db, { callId: ended, organizationId: owner.organizationId, actor }, end, engine.now);
    await campaignFeedingActivities(deps()).registerWaiting({
      organizationId: owner.organizationId,
      callIds,
      now: engine.now,
    });
    expect(signals).toEqual([
      { id: other, name: 'lineGranted', args: [] },
      { id: ended, name: 'callEnded', args: [{ callStatus: 'cancelled' }] },
    ]);
  });

  test("processes other calls when one call can't be processed", async () => {
    const callIds = [await engine.dispatch(owner), await engine.dispatch(owner)];
    for (const callId of callIds) {
      await engine.dial(callId);
      await engine.end(callId, 'agent', { answeredAt: new Date(engine.now).toISOString() });
      engine.now += 1_000;
    }
    const telephony = {
      find: (callId: string) =>
        callId === callIds[0] ? Promise.reject(new Error('no transcript')) : Promise.resolve({ calls: [] }),
      held: () => Promise.resolve([]),
    };
    const workflows = { state: () => Promise.resolve('closed'), startOnce: () => Promise.resolve() };
    engine.now += MINUTE_MS;
    const activities = reconcilingActivities(deps({ workflows, telephony }));
    await expect(activities.reconcile({ afterOutage: false })).rejects.toThrow(
      'some reconciliation passes failed',
    );
    expect(await engine.db('calls').whereNotNull('concluded_at').pluck('call_id')).toEqual([callIds[1]]);
  });
});
