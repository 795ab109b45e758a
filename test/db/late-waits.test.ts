/** Tests calls whose timer was lost. Reconciliation signals them once their wait is long over. */
import { createActivities } from '../../activities';
import { LONGEST_CALL_MS, LONG_WAIT_MS } from '../../activities/reconciliation/call-passes';
import { recheckSignal, workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { DIAL_SETTINGS } from '../servers/dial-settings';
import { listed } from '../servers/listed-workflows';
import { NO_GUARDS } from '../servers/no-guards';
import { DEADLINE_MS, EngineDatabase, START, type Owner } from './support/engine-database';
import { idleDependencies } from './support/idle-dependencies';

describeWith('postgres', 'a call that runs and makes no progress', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let rechecked: string[];
  let carrierHas: { carrierId: string; state: string }[];
  let hungUp: string[];
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(1);
    await engine.db.raw('delete from lines; delete from calls; delete from campaigns');
    engine.now = START;
    [rechecked, carrierHas, hungUp] = [[], [], []];
  });

  async function reconcileAt(at: number): Promise<void> {
    engine.now = at;
    const signal = (id: string, name: string): Promise<void> => {
      if (name === recheckSignal.name) rechecked.push(id);
      return Promise.resolve();
    };
    const activities = createActivities({
      ...idleDependencies(engine),
      db: engine.db,
      telephony: {
        find: () => Promise.resolve({ calls: carrierHas, carrierTime: null, lagMs: 0 }),
        held: () => Promise.resolve([]),
        hangUp: (carrierId: string) => Promise.resolve(void hungUp.push(carrierId)),
      },
      signals: { getHandle: (id: string) => ({ signal: (name: string) => signal(id, name) }) },
      workflows: {
        state: () => Promise.resolve('running'),
        startOnce: () => Promise.resolve(),
        openSince: () => listed(),
      },
    } as never);
    await activities.reconcile({ afterOutage: false });
  }

  const WAITS: [what: string, begin: () => Promise<string>, limitMs: number][] = [
    ['has a line', () => engine.dispatch(owner), 0],
    ['has not asked for a line yet', () => engine.dispatch(owner, { queued: false }), 0],
    [
      'waits for a line',
      async () => {
        await engine.dial(await engine.dispatch(owner));
        return engine.dispatch(owner);
      },
      DIAL_SETTINGS.dispatchWaitLimitMs,
    ],
  ];

  test.each(WAITS)('signals a call after its wait if it %s', async (_what, begin, limitMs) => {
    const callId = await begin();
    await reconcileAt(START + limitMs + LONG_WAIT_MS);
    expect(rechecked).toEqual([]);
    await reconcileAt(START + limitMs + 2 * LONG_WAIT_MS + 1);
    expect(rechecked).toEqual([workflowId.call(callId)]);
  });

  test('signals a call whose dial has no result once the carrier can no longer place it', async () => {
    const callId = await engine.dispatch(owner);
    await engine.begin(callId);
    await reconcileAt(START + NO_GUARDS.pendingDialMs);
    expect(rechecked).toEqual([]);
    await reconcileAt(START + NO_GUARDS.pendingDialMs + 1);
    expect(rechecked).toEqual([workflowId.call(callId)]);
  });

  test('signals a call that is past its deadline', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    await engine.db('calls').update({ reported_at: new Date(START + DEADLINE_MS) });
    await reconcileAt(START + DEADLINE_MS);
    expect(rechecked).toEqual([]);
    await reconcileAt(START + DEADLINE_MS + 1);
    expect(rechecked).toEqual([workflowId.call(callId)]);
  });

  test('hangs up and ends a call that exceeds the maximum talk time, and frees its line', async () => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    carrierHas = [{ carrierId: `carrier-${callId}`, state: 'answered' }];
    await reconcileAt(START + LONGEST_CALL_MS);
    expect(hungUp).toEqual([]);
    expect(await engine.call(callId)).toMatchObject({ stage: 'placed' });
    await reconcileAt(START + 2 * LONGEST_CALL_MS);
    expect(hungUp).not.toEqual([]);
    expect(await engine.call(callId)).toMatchObject({ stage: 'over', end_reason: 'lost' });
    expect(await engine.db('lines').where({ organization_id: owner.organizationId })).toEqual([]);
  });
});
