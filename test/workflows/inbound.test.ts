import { changeRoute, type ChangedRoute, type RouteChange } from '../../db/calls/inbound-routes';
import { rows } from '../../db/kernel/query';
import { CarrierUnreachable, RouteRefused } from '../../activities/telephony/port';
import { routeChangedSignal, workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { letIn } from './support/callers';
import { TimeSkippingEngine, type Owner } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const longAgo = () => new Date(Date.now() - 600_000);

jest.setTimeout(60_000);

describeWith('time-skipping', 'an accepted caller', () => {
  let engine: TimeSkippingEngine;
  beforeAll(async () => {
    engine = await TimeSkippingEngine.start();
  });
  afterAll(() => engine.stop());

  const callRow = async (callId: string) => engine.db('calls').where({ call_id: callId }).first();
  const hangUps = async (callId: string) => {
    const { carrier_id: carrierId } = await callRow(callId);
    return engine.carrier.hungUp.filter((hungUp) => hungUp === carrierId).length;
  };
  const linesTaken = async () => (await rows(engine.db, 'select call_id from lines')).length;

  test('connects a caller without a dial or a wait for a line, and processes the call after the hang-up', async () => {
    await engine.run(async () => {
      const call = await letIn(engine);
      await engine.sleep(MINUTE_MS);
      await engine.ends(call.callId, 'callee');
      await expect(call.result()).resolves.toEqual({ callStatus: 'User disconnected' });
      expect(await callRow(call.callId)).toMatchObject({
        stage: 'over',
        post_processing_status: 'completed',
        concluded_at: expect.any(Date),
      });
    });
    expect(engine.carrier.asked).toBe(0);
    expect(engine.receiver.posts).toEqual([]);
    expect(await linesTaken()).toBe(0);
  });

  test('hangs up a caller at the deadline, and frees the line', async () => {
    await engine.run(async () => {
      const call = await letIn(engine);
      const startedAt = await engine.now();
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
      const tookMs = (await engine.now()) - startedAt;
      expect([tookMs >= 670_000, tookMs < 700_000]).toEqual([true, true]);
      expect(await hangUps(call.callId)).toBe(1);
    });
    expect(await linesTaken()).toBe(0);
  });

  test('hangs up a caller when the organization requests it', async () => {
    const owner = await engine.createClient();
    await engine.run(async () => {
      const call = await letIn(engine, { owner });
      await engine.hangUp(call.callId, owner.organizationId);
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
      expect(await hangUps(call.callId)).toBe(1);
    });
  });

  test('hangs up a caller when an operator cancels the workflow', async () => {
    await engine.run(async () => {
      const call = await letIn(engine);
      await engine.sleep(1_000);
      await call.cancel();
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
      expect(await hangUps(call.callId)).toBe(1);
    });
  });

  test('starts the workflow once if the API could not start it', async () => {
    await engine.run(async () => {
      const call = await letIn(engine, { start: false });
      await rows(engine.db, 'update calls set to_start_since = :then', { then: longAgo() });
      await engine.reconcile();
      expect(await callRow(call.callId)).toMatchObject({ to_start_since: null, stage: 'placed' });
      await engine.ends(call.callId, 'agent');
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
  });

  test("ends a call that the carrier doesn't know because it never received our response", async () => {
    await engine.run(async () => {
      const [known, gone] = [await letIn(engine), await letIn(engine)];
      engine.carrier.forget(gone.callId);
      await rows(engine.db, 'update calls set accepted_at = :then', { then: longAgo() });
      await engine.reconcile();
      // Checks this before it waits, because the skipped time could end this call too.
      expect(await callRow(known.callId)).toMatchObject({ stage: 'placed' });
      await expect(gone.result()).resolves.toEqual({ callStatus: 'no answer' });
      await engine.ends(known.callId, 'agent');
      await known.result();
    });
    expect(await linesTaken()).toBe(0);
  });

  // This test must be last, because the callback's workflow keeps sleeping, and a child that outlives its parent stops the server's clock.
  test('creates a callback to the number of a caller who requests one', async () => {
    await engine.run(async () => {
      const call = await letIn(engine);
      await rows(
        engine.db,
        `insert into call_segments (call_id, start_ms, speaker, end_ms, text) values (:callId, 0, 'user', 900, 'Please call me back in an hour')`,
        { callId: call.callId },
      );
      await rows(engine.db, 'update calls set answered_at = accepted_at');
      await engine.ends(call.callId, 'callee');
      await call.result();
    });
    const [callback] = await engine.db('calls').where({ direction: 'Outbound' });
    expect(callback).toMatchObject({ to_number: '+919876543210', from_number: null });
  });
});

describeWith('time-skipping', 'the route of a number', () => {
  let engine: TimeSkippingEngine;
  let owner: Owner;
  let number: string;
  let numbers = 0;
  beforeAll(async () => {
    engine = await TimeSkippingEngine.start();
  });
  afterAll(() => engine.stop());
  beforeEach(async () => {
    owner = await engine.createClient();
    number = `+91804000100${++numbers}`;
    engine.carrier.onRoute = () => undefined;
  });

  const changed = async (change: RouteChange): Promise<ChangedRoute> => {
    const [route] = await changeRoute(engine.db, owner, change, await engine.now());
    if (route === undefined) throw new Error('no route was changed');
    return route;
  };
  const register = ({ routeId, revision }: ChangedRoute) =>
    engine.env.client.workflow.signalWithStart('inboundRouteWorkflow', {
      workflowId: workflowId.inboundRoute(routeId),
      taskQueue: 'voice-agent-platform',
      args: [{ routeId }],
      signal: routeChangedSignal,
      signalArgs: [{ revision }],
    });
  const state = async (): Promise<string | undefined> =>
    (await engine.db('inbound_routes').where({ number }).first())?.state;
  const countRequests = (): { n: number } => {
    const asked = { n: 0 };
    engine.carrier.onRoute = (phone) => {
      if (phone === number) asked.n++;
    };
    return asked;
  };

  test('registers a route at the carrier, and removes it', async () => {
    const asked = countRequests();
    await engine.run(async () => {
      const set = await register(await changed({ kind: 'take', number }));
      await expect(set.result()).resolves.toEqual({ state: 'in place' });
      expect([...engine.carrier.routes]).toEqual([[number, { name: 'An agent', greeting: '', prompt: '' }]]);
      expect(await state()).toBe('in place');
      const removed = await register(await changed({ kind: 'release' }));
      await expect(removed.result()).resolves.toEqual({ state: 'removed' });
    });
    expect(engine.carrier.routes.has(number)).toBe(false);
    expect(await state()).toBeUndefined();
    expect(asked.n).toBe(2);
  });

  test('waits for an unreachable carrier, and then registers the current state of the route', async () => {
    let unreachable = 12;
    engine.carrier.onRoute = () => {
      if (unreachable-- > 0) throw new CarrierUnreachable('unreachable');
    };
    await engine.run(async () => {
      const startedAt = await engine.now();
      const set = await register(await changed({ kind: 'take', number }));
      await engine.sleep(3 * MINUTE_MS);
      expect(await state()).toBe('wanted');
      await register(await changed({ kind: 'release' }));
      await expect(set.result()).resolves.toEqual({ state: 'removed' });
      expect((await engine.now()) - startedAt).toBeGreaterThan(6 * MINUTE_MS);
    });
    expect(engine.carrier.routes.has(number)).toBe(false);
  });

  test('registers a route once more if it changes during the registration', async () => {
    let once = true;
    await engine.run(async () => {
      const taken = await changed({ kind: 'take', number });
      let change: Promise<unknown> = Promise.resolve();
      engine.carrier.onRoute = () => {
        if (once) change = changed({ kind: 'release' }).then(register);
        once = false;
      };
      const set = await register(taken);
      await set.result();
      await change;
      // The change may have found the first run closed and started another one.
      await engine.env.client.workflow.getHandle(workflowId.inboundRoute(taken.routeId)).result();
    });
    expect(engine.carrier.routes.has(number)).toBe(false);
    expect(await state()).toBeUndefined();
  });

  test('does not retry a route that the carrier rejects, and puts no number into Temporal', async () => {
    const asked = countRequests();
    const count = engine.carrier.onRoute;
    engine.carrier.onRoute = (number) => {
      count(number);
      throw new RouteRefused('the carrier rejected a route with status 422');
    };
    const route = await changed({ kind: 'take', number });
    await engine.run(async () => {
      await expect((await register(route)).result()).rejects.toThrow('Workflow execution failed');
    });
    expect(asked.n).toBe(1);
    expect(await engine.db('inbound_routes').where({ number }).first()).toMatchObject({
      state: 'wanted',
      refusal: 'the carrier rejected a route with status 422',
    });
    const history = await engine.env.client.workflow
      .getHandle(workflowId.inboundRoute(route.routeId))
      .fetchHistory();
    expect(JSON.stringify(history)).not.toContain(number.slice(1));
  });

  test('registers a route through reconciliation if its workflow never started, and again after an hour', async () => {
    const asked = countRequests();
    await engine.run(async () => {
      const { routeId } = await changed({ kind: 'take', number });
      const registered = () =>
        engine.env.client.workflow.getHandle(workflowId.inboundRoute(routeId)).result();
      const makeDue = () => engine.db('inbound_routes').where({ number }).update({ check_at: longAgo() });
      await makeDue();
      await engine.reconcile();
      await registered();
      expect([asked.n, await state()]).toEqual([1, 'in place']);
      await engine.reconcile();
      expect(asked.n).toBe(1);
      await makeDue();
      engine.carrier.routes.clear();
      await engine.reconcile();
      await registered();
    });
    expect([asked.n, engine.carrier.routes.has(number)]).toEqual([2, true]);
  });
});
