/** Tests that the metrics of the reconciliation count repairs, not checks. */
import { Registry } from 'prom-client';
import { createActivities } from '../../activities';
import type { WorkflowStarter } from '../../activities/dependencies';
import { activityMetrics, type ActivityMetrics } from '../../activities/metrics';
import { describeWith } from '../servers/availability';
import { listed } from '../servers/listed-workflows';
import { valueOf } from '../servers/scrape';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { idleDependencies } from './support/idle-dependencies';

describeWith('postgres', 'the metrics of a reconciliation run', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let registry: Registry;
  let metrics: ActivityMetrics;
  let workflows: 'running' | 'closed' | 'missing';
  let signal: () => Promise<void>;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    registry = new Registry();
    metrics = activityMetrics(registry);
    workflows = 'running';
    signal = () => Promise.resolve();
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
  });

  const reconcile = (input = { afterOutage: false }): Promise<void> => {
    const starter: WorkflowStarter = {
      state: () => Promise.resolve(workflows),
      startOnce: () => Promise.resolve(),
      openSince: () => listed(),
    };
    const deps = {
      db: engine.db,
      telephony: {
        find: () => Promise.resolve({ calls: [], carrierTime: null, lagMs: 0 }),
        held: () => Promise.resolve([]),
      },
      signals: { getHandle: () => ({ signal: () => signal() }) },
      workflows: starter,
      ...idleDependencies(engine),
      metrics,
    };
    return createActivities(deps as never).reconcile(input);
  };

  const repairs = async (labels: Record<string, string> = {}) =>
    valueOf(await registry.metrics(), 'voice_agent_reconciliation_repairs_total', labels) ?? 0;

  test('records the time of the run and no repairs if nothing was lost', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    engine.now += MINUTE_MS;
    await reconcile();
    expect(await repairs()).toBe(0);
    expect(valueOf(await registry.metrics(), 'voice_agent_reconciliation_last_run_timestamp_seconds')).toBe(
      engine.now / 1000,
    );
  });

  test('counts started calls and repeated grant signals, each under their own pass', async () => {
    await engine.dispatch(owner, { queued: false });
    await engine.dispatch(owner);
    engine.now += 10_000;
    workflows = 'missing';
    await reconcile();
    expect(await repairs({ pass: 'repairDispatches', run: 'scheduled', action: 'started' })).toBe(1);
    workflows = 'running';
    await engine.dispatch(owner);
    engine.now += 10_000;
    await reconcile();
    expect(await repairs({ pass: 'repairUnusedLines', run: 'scheduled', action: 'signalled' })).toBe(1);
  });

  test('counts a call that the run ends, both under its pass and among the ended calls', async () => {
    await engine.dispatch(owner);
    engine.now += 10_000;
    workflows = 'missing';
    await reconcile();
    expect(await repairs({ pass: 'repairUnusedLines', action: 'ended' })).toBe(1);
    const text = await registry.metrics();
    expect(valueOf(text, 'voice_agent_calls_ended_total', { end_reason: 'cancelled' })).toBe(1);
  });

  test("counts a run after an outage separately, because it also repeats work that wasn't lost", async () => {
    await engine.dispatch(owner);
    engine.now += 1;
    await reconcile({ afterOutage: true });
    expect(await repairs({ run: 'after_outage', action: 'signalled' })).toBe(1);
    expect(await repairs({ run: 'scheduled' })).toBe(0);
  });

  test("doesn't count a signal that failed", async () => {
    await engine.dispatch(owner);
    engine.now += 10_000;
    signal = () => Promise.reject(new Error('Temporal is away'));
    await reconcile();
    expect(await repairs()).toBe(0);
  });

  test('counts a failed pass, and still runs the passes after it', async () => {
    await engine.dispatch(owner, { queued: false });
    engine.now += 10_000;
    workflows = 'missing';
    await engine.db.raw('alter table completion_mails rename to completion_mails_away');
    await expect(reconcile()).rejects.toThrow('some reconciliation passes failed');
    await engine.db.raw('alter table completion_mails_away rename to completion_mails');
    const failures = valueOf(await registry.metrics(), 'voice_agent_reconciliation_failures_total', {
      pass: 'repairMails',
    });
    expect([failures, await repairs({ action: 'started' })]).toEqual([1, 1]);
  });
});
