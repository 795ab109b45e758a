/** Tests workflows that are open but make no progress. Their calls are concluded without them, and they are reported. */
import { createActivities } from '../../activities';
import type { WorkflowState } from '../../activities/dependencies';
import { CarrierUnreachable } from '../../activities/telephony/port';
import { platformState } from '../../db/reconciliation/platform-state';
import { unconcludedCalls } from '../../db/reconciliation/overdue';
import { describeWith } from '../servers/availability';
import { listed } from '../servers/listed-workflows';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';
import { idleDependencies } from './support/idle-dependencies';

describeWith('postgres', 'a stuck workflow', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let state: WorkflowState;
  let started: string[];
  let signalled: string[];
  let described: string[];
  /** Workflows that Temporal lists as open, and the start times that were requested. */
  let open: string[][];
  let asked: number[];
  let carrier: () => Promise<object>;
  let worker: ReturnType<typeof createActivities>;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    await engine.db.raw(
      'truncate organizations, webhook_deliveries, webhook_attempts cascade; truncate suspect_workflows',
    );
    owner = await engine.owner();
    [started, signalled, described, open, asked] = [[], [], [], [], []];
    carrier = () => Promise.resolve({ calls: [], carrierTime: null, lagMs: 0 });
    worker = startWorker();
  });

  const reconcile = (input = { afterOutage: false }): Promise<void> => worker.reconcile(input);
  function startWorker(): ReturnType<typeof createActivities> {
    const deps = {
      db: engine.db,
      telephony: {
        find: () => carrier(),
        hangUp: () => Promise.reject(new Error('nobody is to be hung up on')),
        held: () => Promise.resolve([]),
      },
      signals: { getHandle: (id: string) => ({ signal: () => Promise.resolve(void signalled.push(id)) }) },
      workflows: {
        state: (id: string) => {
          described.push(id);
          return Promise.resolve(state);
        },
        startOnce: (_type: string, id: string) => Promise.resolve(void started.push(id)),
        openSince: (before: number) => {
          asked.push(before);
          return listed(...open);
        },
      },
      ...idleDependencies(engine),
    };
    return createActivities(deps as never);
  }
  const later = async (ms: number): Promise<void> => {
    engine.now += ms;
    await reconcile();
  };
  const stuck = async () => (await platformState(engine.db, engine.now)).stuckWorkflows;
  const isConcluded = async (callId: string) => (await engine.call(callId)).concluded_at !== null;

  async function placed(): Promise<string> {
    const campaignId = await engine.campaign(owner, {
      contacts: 1,
      perCallWebhookUrl: 'https://example.com/call',
    });
    await engine.set(campaignId, { check_at: new Date(engine.now + 600 * MINUTE_MS) });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    return callId;
  }
  async function over(): Promise<string> {
    const callId = await placed();
    await engine.end(callId, 'busy');
    // Ends the campaign, because concluding the call could also wake the campaign's workflow.
    await engine.db('campaigns').update({ ended_at: new Date(engine.now) });
    return callId;
  }

  test("concludes the call once and starts its webhook after its workflow's tasks have failed for a minute", async () => {
    const callId = await over();
    state = 'stuck';
    await later(21_000);
    expect(signalled).toContain(callId);
    expect([await isConcluded(callId), await stuck()]).toEqual([false, 0]);
    await later(MINUTE_MS + 1);
    expect([await isConcluded(callId), await stuck()]).toEqual([true, 1]);
    const deliveries: { id: string }[] = await engine.db('webhook_deliveries').where({ call_id: callId });
    expect(started).toEqual(deliveries.map(({ id }) => `delivery-${id}`));
    expect(deliveries).toHaveLength(1);
  });

  test('reports a stuck workflow until it makes progress, and checks it once a minute', async () => {
    const callId = await over();
    state = 'stuck';
    await later(21_000);
    await later(MINUTE_MS + 1);
    await engine.db('webhook_deliveries').delete();
    described = [];
    for (let n = 0; n < 5; n++) await later(10_000);
    expect(described).toEqual([]);
    await later(11_000);
    expect([described, await stuck()]).toEqual([[callId], 1]);
    state = 'running';
    await later(MINUTE_MS + 1);
    expect(await stuck()).toBe(0);
  });

  test('waits five minutes after the first check if no fault is visible, then reports the workflow until it ends', async () => {
    const callId = await over();
    state = 'running';
    await later(21_000);
    await later(5 * MINUTE_MS - 1);
    expect([await isConcluded(callId), await stuck()]).toEqual([false, 0]);
    await later(21_000);
    expect([await isConcluded(callId), await stuck()]).toEqual([true, 1]);
    await later(MINUTE_MS + 1);
    expect(await stuck()).toBe(1);
    state = 'closed';
    await later(MINUTE_MS + 1);
    expect(await stuck()).toBe(0);
  });

  test("doesn't suspect a workflow just because no worker ran for an hour", async () => {
    const callId = await over();
    state = 'running';
    engine.now += 60 * MINUTE_MS;
    await reconcile({ afterOutage: true });
    await reconcile();
    expect([await isConcluded(callId), await stuck()]).toEqual([false, 0]);
    await engine.conclude((await engine.call(callId)).campaign_id as string);
    await reconcile();
    expect(await engine.db('suspect_workflows')).toEqual([]);
  });

  test('reports a stuck workflow during a live call, and lets the call continue until the carrier reports its end', async () => {
    const callId = await placed();
    state = 'stuck';
    await later(21_000);
    expect((await engine.call(callId)).stage).toBe('placed');
    expect(await stuck()).toBe(1);
    carrier = () => Promise.resolve({ calls: [], carrierTime: null, lagMs: 0, goneMeansOver: true });
    await later(21_000);
    expect((await engine.call(callId)).stage).toBe('over');
    await later(21_000);
    await later(MINUTE_MS + 1);
    expect(await isConcluded(callId)).toBe(true);
  });

  test('reports a workflow that is stuck before the dial, and keeps its call until the code is fixed', async () => {
    const callId = await engine.dispatch(owner);
    state = 'stuck';
    await later(4_000);
    expect((await engine.call(callId)).stage).toBe('granted');
    expect(await stuck()).toBe(1);
  });

  test("starts a due delivery although the call's workflow is stuck", async () => {
    const callId = await over();
    state = 'missing';
    await later(21_000);
    state = 'stuck';
    started = [];
    await engine
      .db('webhook_deliveries')
      .where({ call_id: callId })
      .update({ next_attempt_at: new Date(engine.now - MINUTE_MS) });
    await later(1_000);
    expect(started).toEqual([expect.stringMatching(/^delivery-/)]);
  });

  test('concludes the call from its events after ten minutes if the carrier is unreachable', async () => {
    const callId = await placed();
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now - 1_000).toISOString() });
    state = 'missing';
    carrier = () => Promise.reject(new CarrierUnreachable('unreachable'));
    await later(10 * MINUTE_MS + 1);
    expect(await isConcluded(callId)).toBe(true);
  });

  test("checks calls that couldn't be concluded after the others", async () => {
    const answered = { answeredAt: new Date(engine.now - 1_000).toISOString() };
    const [first, second] = [await placed(), await placed()];
    for (const callId of [first, second]) await engine.end(callId, 'agent', answered);
    state = 'missing';
    carrier = () => Promise.reject(new Error('the carrier answers nonsense'));
    engine.now += 21_000;
    await expect(reconcile()).rejects.toThrow('some reconciliation passes failed');
    const third = await placed();
    await engine.end(third, 'agent', answered);
    await engine
      .db('calls')
      .where({ call_id: third })
      .update({ reported_at: new Date(engine.now - 1_000) });
    engine.now += 21_000;
    const found = await unconcludedCalls(engine.db, engine.now - 20_000, engine.now);
    expect(found.map(({ callId }) => callId)).toEqual([third, ...[first, second].sort()]);
  });

  test('finds an open workflow ten minutes after its call was concluded, and reports it until it closes', async () => {
    const callId = await over();
    state = 'missing';
    await later(21_000);
    expect(await isConcluded(callId)).toBe(true);
    state = 'running';
    open = [['reconcile', callId], [await engine.dispatch(owner)]];
    await later(9 * MINUTE_MS);
    worker = startWorker();
    await reconcile();
    expect(await stuck()).toBe(0);
    // The webhook has not been accepted yet.
    await later(10 * MINUTE_MS);
    expect(await stuck()).toBe(0);
    await engine.db('webhook_deliveries').update({ status: 'failed', next_attempt_at: null });
    await later(10 * MINUTE_MS);
    expect(await suspectRows()).toEqual([{ workflow_id: callId, fault: 'does not close' }]);
    state = 'closed';
    await later(MINUTE_MS + 1);
    expect(await suspectRows()).toEqual([]);
  });

  test('reports a workflow ten minutes after its campaign ended', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    await engine.set(campaignId, { status: 'completed', ended_at: new Date(engine.now) });
    open = [[`campaign-${campaignId}`]];
    state = 'running';
    await later(11 * MINUTE_MS);
    expect(await suspectRows()).toEqual([{ workflow_id: `campaign-${campaignId}`, fault: 'does not close' }]);
  });

  test('searches all open workflows once in ten minutes, on one worker only', async () => {
    await reconcile();
    for (let n = 0; n < 6; n++) await later(MINUTE_MS);
    expect(asked).toEqual([engine.now - 16 * MINUTE_MS]);
    for (let n = 0; n < 4; n++) await later(MINUTE_MS);
    expect(asked).toHaveLength(2);
  });

  const suspectRows = () =>
    engine.db('suspect_workflows').select('workflow_id', 'fault').orderBy('workflow_id');
});
