/** Tests that only one process runs the reconciliation at a time, and that no requested extra run is lost. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { Registry } from 'prom-client';
import { activityMetrics } from '../../activities/metrics';
import { reconcilingActivities } from '../../activities/reconciliation';
import { askCatchUp, requestedCatchUps, withLock } from '../../db/reconciliation/lock';
import { TimedOut, withTimeout } from '../../runtime/network/time-limit';
import type { ReconcileInput } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { listed } from '../servers/listed-workflows';
import { EngineDatabase, type Owner } from './support/engine-database';

describeWith('postgres', 'the reconciliation lock', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let described: string[];
  let signalled: string[];
  let answer: () => Promise<'running'>;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    await engine.db.raw(
      'truncate organizations, webhook_deliveries, webhook_attempts cascade; truncate catch_ups',
    );
    owner = await engine.owner();
    described = [];
    signalled = [];
    answer = () => Promise.resolve('running');
  });

  /** Returns the reconciliation of a separate process. */
  const reconcile = (input: ReconcileInput): Promise<void> => {
    const deps: any = {
      db: engine.db,
      signals: { getHandle: (id: string) => ({ signal: () => Promise.resolve(void signalled.push(id)) }) },
      workflows: {
        state: (id: string) => {
          described.push(id);
          return answer();
        },
        startOnce: () => Promise.resolve(),
        openSince: () => listed(),
      },
      telephony: { held: () => Promise.resolve([]) },
      log: { info: () => undefined, warn: () => undefined },
      metrics: activityMetrics(new Registry()),
      clock: () => engine.now,
    };
    return reconcilingActivities(deps).reconcile(input);
  };
  const scheduled = () => reconcile({ afterOutage: false });
  const afterOutage = () => reconcile({ afterOutage: true });

  /** Returns a run that has started and continues until it is released. */
  async function runThatLasts(): Promise<{ release: () => void; ended: Promise<void> }> {
    await engine.dispatch(owner, { queued: false });
    engine.now += 10_000;
    let release: () => void = () => undefined;
    const gate = new Promise<'running'>((resolve) => (release = () => resolve('running')));
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    answer = () => {
      began();
      return gate;
    };
    const ended = scheduled();
    await begun;
    return { release, ended };
  }

  test('lets one run hold the lock, and ends simultaneous runs without any checks', async () => {
    const { release, ended } = await runThatLasts();
    await Promise.all([scheduled(), scheduled()]);
    expect(described).toHaveLength(1);
    release();
    await ended;
    await scheduled();
    expect(described).toHaveLength(2);
  });

  test('makes one extra run for all requests that arrive during a run', async () => {
    const { release, ended } = await runThatLasts();
    await Promise.all([afterOutage(), afterOutage()]);
    const granted = await engine.dispatch(owner);
    engine.now += 1;
    expect(signalled).toEqual([]);
    release();
    await ended;
    // The call is too recent for any check except one after an outage.
    expect(signalled).toEqual([granted]);
    expect(await requestedCatchUps(engine.db)).toEqual([]);
  });

  test('makes an extra run for a request that another process left behind', async () => {
    await askCatchUp(engine.db, engine.now);
    const granted = await engine.dispatch(owner);
    engine.now += 1;
    await scheduled();
    expect(signalled).toEqual([granted]);
    await scheduled();
    expect(signalled).toHaveLength(1);
  });

  test('repeats a failed extra run with the next run', async () => {
    await engine.dispatch(owner);
    engine.now += 1;
    answer = () => {
      answer = () => Promise.resolve('running');
      return engine.db
        .raw(
          `select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
           where l.locktype = 'advisory' and d.datname = current_database() and l.pid <> pg_backend_pid()`,
        )
        .then(() => 'running');
    };
    await expect(afterOutage()).rejects.toThrow();
    expect(await requestedCatchUps(engine.db)).toHaveLength(1);
    expect(signalled).toHaveLength(1);
    await scheduled();
    expect(signalled).toHaveLength(2);
    expect(await requestedCatchUps(engine.db)).toEqual([]);
  });

  test('fails on purpose after each run of a scheduled workflow but the last', async () => {
    const attempt = (nth: number) =>
      new MockActivityEnvironment({ attempt: nth }).run(() => reconcile({ afterOutage: false, runs: 2 }));
    const granted = await engine.dispatch(owner);
    engine.now += 10_000;
    await expect(attempt(1)).rejects.toMatchObject({ type: 'RunsAgain', nonRetryable: false });
    expect(signalled).toEqual([granted]);
    await attempt(2);
    expect(signalled).toEqual([granted, granted]);
  });

  test('stops the holder of an expired lock before the next part of its work', async () => {
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (release = resolve));
    let noticed: Promise<void> = Promise.resolve();
    const late = withLock(engine.db, (keepsLock) =>
      withTimeout(
        1,
        stuck.then(() => (noticed = keepsLock())),
      ),
    );
    await expect(late).rejects.toThrow(TimedOut);
    expect(await withLock(engine.db, () => Promise.resolve())).toBe(true);
    release();
    await new Promise(setImmediate);
    await expect(noticed).rejects.toThrow();
  });
});
