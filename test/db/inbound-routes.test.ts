import { reviseSection } from '../../api/agents/revise-section';
import { archiveAgent, changeAgentConfig } from '../../db/agents/changes';
import { insertAgent } from '../../db/agents/agents';
import {
  recheckRoutes,
  overdueRoutes,
  recordRefused,
  recordRegistered,
  routeToRegister,
  type ChangedRoute,
} from '../../db/calls/inbound-routes';
import { registerNumbers, unregisterNumber } from '../../db/agents/numbers';
import { inboundNumber, numbersOf } from '../../domain/agent-config';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';

const ANY_NUMBER = { registeredOnly: false };
const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

describeWith('postgres', 'the route of a number', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let number: string;
  let numbers = 0;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    number = nextNumber();
  });

  const nextNumber = () => `+9180500${String(++numbers).padStart(5, '0')}`;
  const change = async (
    { organizationId, agentId }: Owner,
    section: 'deployment' | 'persona',
    changed: Record<string, unknown>,
  ): Promise<ChangedRoute[]> => {
    const result = await changeAgentConfig(engine.db, {
      organizationId,
      agentId,
      numbers: numbersOf({ [section]: changed }),
      numberRule: ANY_NUMBER,
      inboundNumber: inboundNumber({ [section]: changed }),
      revise: (stored) => reviseSection(stored, { section, change: changed }),
      fields: [section],
      actor,
      now: engine.now,
    });
    if (result.kind !== 'updated') throw new Error(result.kind);
    return result.routes;
  };
  const takes = (who: Owner, inbound: string) =>
    change(who, 'deployment', { phone: { call_type: { Inbound: inbound } } });
  const greets = (who: Owner, greeting: string) =>
    change(who, 'persona', { identity: { greeting_message: { agent_message: greeting } } });
  const only = (routes: ChangedRoute[]): ChangedRoute => {
    const [route] = routes;
    if (route === undefined || routes.length > 1) throw new Error(`${routes.length} routes`);
    return route;
  };
  const rowOf = (inbound = number) => engine.db('inbound_routes').where({ number: inbound }).first();

  test('registers a route when the agent takes the number, and again after its greeting changes', async () => {
    const taken = only(await takes(owner, number));
    expect(await rowOf()).toMatchObject({
      id: taken.routeId,
      organization_id: owner.organizationId,
      agent_id: owner.agentId,
    });
    expect(await rowOf()).toMatchObject({ state: 'wanted', revision: 1, registered_revision: null });
    await recordRegistered(engine.db, taken, engine.now);
    expect(await rowOf()).toMatchObject({
      state: 'in place',
      registered_revision: 1,
      registered_at: new Date(engine.now),
    });
    const renewed = only(await greets(owner, 'Welcome.'));
    expect(renewed).toEqual({ routeId: taken.routeId, revision: 2 });
    expect(await rowOf()).toMatchObject({ state: 'wanted', registered_revision: 1 });
    expect(await routeToRegister(engine.db, taken.routeId, ANY_NUMBER)).toMatchObject({
      number,
      revision: 2,
      agent: {
        displayName: 'An agent',
        config: { persona: { identity: { greeting_message: { agent_message: 'Welcome.' } } } },
      },
    });
  });

  test('creates the route when the agent is created', async () => {
    const inserted = await insertAgent(engine.db, {
      organizationId: owner.organizationId,
      displayName: 'Another',
      nthName: (n) => `another-${n}`,
      status: 'running',
      config: { deployment: { phone: { call_type: { Inbound: number } } } },
      inboundNumber: number,
      numbers: [number],
      numberRule: ANY_NUMBER,
      actor,
      now: engine.now,
    });
    if (inserted.kind !== 'inserted') throw new Error(inserted.kind);
    expect(await rowOf()).toMatchObject({ id: only(inserted.routes).routeId, agent_id: inserted.id });
  });

  test("keeps the route unchanged if callers don't hear the change or the number stays the same", async () => {
    await takes(owner, number);
    expect(await takes(owner, number)).toEqual([]);
    expect(await change(owner, 'persona', { identity: { personality: { tone: 'warm' } } })).toEqual([]);
    expect(await rowOf()).toMatchObject({ revision: 1 });
  });

  test('replaces the old number with the new one in one change, and registers both routes', async () => {
    const first = only(await takes(owner, number));
    const next = nextNumber();
    const routes = await takes(owner, next);
    expect(routes).toEqual([
      { routeId: first.routeId, revision: 2 },
      { routeId: (await rowOf(next)).id, revision: 1 },
    ]);
    expect(await rowOf()).toMatchObject({ state: 'to be removed', agent_id: null, organization_id: null });
    expect(await routeToRegister(engine.db, first.routeId, ANY_NUMBER)).toMatchObject({ agent: null });
  });

  test('releases the route of an archived agent, and deletes its row once the carrier has removed it', async () => {
    await takes(owner, number);
    const removed = only((await archiveAgent(engine.db, { ...owner, actor, now: engine.now })) ?? []);
    expect(await rowOf()).toMatchObject({ state: 'to be removed' });
    await recordRegistered(engine.db, removed, engine.now);
    expect(await rowOf()).toBeUndefined();
    expect(await routeToRegister(engine.db, removed.routeId, ANY_NUMBER)).toBeUndefined();
  });

  test('keeps the route when another agent takes the number before the carrier has removed it', async () => {
    const taken = only(await takes(owner, number));
    await recordRegistered(engine.db, taken, engine.now);
    const removed = only(await takes(owner, ''));
    const other = await engine.owner();
    const again = only(await takes(other, number));
    expect(again).toEqual({ routeId: taken.routeId, revision: 3 });
    await recordRegistered(engine.db, removed, engine.now);
    expect(await rowOf()).toMatchObject({ state: 'wanted', agent_id: other.agentId, registered_revision: 2 });
    await recordRegistered(engine.db, again, engine.now);
    expect(await rowOf()).toMatchObject({ state: 'in place' });
    // The response to an earlier request arrives late.
    await recordRegistered(engine.db, removed, engine.now);
    expect(await rowOf()).toMatchObject({ state: 'in place', registered_revision: 3 });
  });

  test('gives the number to only one of ten agents that request it concurrently', async () => {
    const owners = await Promise.all(Array.from({ length: 10 }, () => engine.owner()));
    const results = await Promise.allSettled(owners.map((each) => takes(each, number)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const won = owners[results.findIndex(({ status }) => status === 'fulfilled')];
    expect(await rowOf()).toMatchObject({ agent_id: won?.agentId, revision: 1 });
  });

  test('keeps the route unchanged if the change is rejected', async () => {
    await takes(owner, number);
    const other = await engine.owner();
    const another = nextNumber();
    await takes(other, another);
    await expect(takes(other, number)).rejects.toThrow('number_in_use');
    expect(await rowOf(another)).toMatchObject({ agent_id: other.agentId, state: 'wanted' });
  });

  describe('the route of a registered number', () => {
    let other: Owner;
    const registers = (who: Owner) =>
      engine.db.transaction((trx) =>
        registerNumbers(trx, { organizationId: who.organizationId, numbers: [number] }, engine.now),
      );
    const unregisters = (who: Owner) =>
      engine.db.transaction((trx) =>
        unregisterNumber(trx, { organizationId: who.organizationId, number }, engine.now),
      );
    beforeEach(async () => {
      other = await engine.owner();
    });

    test("refuses to give the number to another organization's agent, which stays unchanged", async () => {
      await registers(owner);
      await expect(takes(other, number)).rejects.toThrow('number_not_yours');
      expect(await rowOf()).toBeUndefined();
      expect(only(await takes(owner, number))).toMatchObject({ revision: 1 });
    });

    test('removes the number from its previous agent at the carrier within seconds, and lets the owner take it', async () => {
      const taken = only(await takes(other, number));
      await recordRegistered(engine.db, taken, engine.now);
      await registers(owner);
      const [overdue] = await overdueRoutes(engine.db, 'unregistered', engine.now + 1);
      expect(overdue).toMatchObject({ routeId: taken.routeId });
      expect(await routeToRegister(engine.db, taken.routeId, ANY_NUMBER)).toMatchObject({
        agent: null,
        revision: 2,
      });
      expect(only(await takes(owner, number))).toEqual({ routeId: taken.routeId, revision: 3 });
      expect(await rowOf()).toMatchObject({ agent_id: owner.agentId });
      // Changes of the other organization's agent don't affect the owner's route.
      expect(await greets(other, 'Welcome.')).toEqual([]);
      expect(await archiveAgent(engine.db, { ...other, actor, now: engine.now })).toEqual([]);
      expect(await routeToRegister(engine.db, taken.routeId, ANY_NUMBER)).toMatchObject({
        agent: { displayName: 'An agent' },
      });
    });

    test('returns the number to its previous agent when it is unregistered', async () => {
      const taken = only(await takes(other, number));
      await registers(owner);
      await unregisters(owner);
      const rule = { registeredOnly: true };
      expect(await routeToRegister(engine.db, taken.routeId, ANY_NUMBER)).toMatchObject({
        agent: { displayName: 'An agent' },
        revision: 3,
      });
      expect(await routeToRegister(engine.db, taken.routeId, rule)).toMatchObject({ agent: null });
    });

    test("returns the number to its first owner's agent without changing that agent", async () => {
      const first = only(await takes(owner, number));
      await registers(other);
      await takes(other, number);
      await expect(takes(owner, number)).rejects.toThrow('number_not_yours');
      await unregisters(other);
      await expect(takes(owner, number)).rejects.toThrow('number_in_use');
      await registers(owner);
      expect(await rowOf()).toMatchObject({ id: first.routeId, agent_id: owner.agentId, revision: 6 });
      expect(await rowOf()).toMatchObject({ organization_id: owner.organizationId, state: 'wanted' });
      expect(await takes(owner, number)).toEqual([]);
    });

    test("gives the number to the organization's agent that is configured to answer it, even if no agent had it", async () => {
      await takes(owner, number);
      await registers(other);
      const taken = only(await takes(other, number));
      await archiveAgent(engine.db, { ...other, actor, now: engine.now });
      const removed = { ...taken, revision: taken.revision + 1 };
      await recordRegistered(engine.db, removed, engine.now);
      expect(await rowOf()).toBeUndefined();
      await unregisters(other);
      await registers(owner);
      expect(await rowOf()).toMatchObject({ agent_id: owner.agentId, organization_id: owner.organizationId });
      const overdue = await overdueRoutes(engine.db, 'unregistered', engine.now + 1);
      expect(overdue.map(({ agentId }) => agentId)).toContain(owner.agentId);
    });

    test("doesn't give the number to an agent that has another number by then or is archived", async () => {
      const [third, another] = [await engine.owner(), nextNumber()];
      for (const who of [owner, third]) {
        await takes(who, number);
        await registers(other);
        await takes(other, number);
        if (who === owner) await takes(owner, another);
        else await archiveAgent(engine.db, { ...third, actor, now: engine.now });
        await unregisters(other);
        await registers(who);
        expect(await rowOf()).toMatchObject({ agent_id: other.agentId });
        expect(await routeToRegister(engine.db, (await rowOf()).id, ANY_NUMBER)).toMatchObject({
          agent: null,
        });
        await unregisters(who);
        await change(other, 'deployment', { phone: { call_type: { Inbound: '' } } });
      }
      expect(await rowOf(another)).toMatchObject({ agent_id: owner.agentId });
    });

    test('rejects the number for a second agent of its owner', async () => {
      await registers(owner);
      await takes(owner, number);
      await expect(
        insertAgent(engine.db, {
          organizationId: owner.organizationId,
          displayName: 'Second',
          nthName: (n) => `second-${n}`,
          status: 'running',
          config: {},
          inboundNumber: number,
          numbers: [number],
          numberRule: ANY_NUMBER,
          actor,
          now: engine.now,
        }),
      ).resolves.toEqual({ kind: 'number_in_use' });
    });
  });

  describe('routes that reconciliation checks', () => {
    const isOverdue = async (which: 'unregistered' | 'registered', afterMs: number): Promise<boolean> => {
      const { id } = await rowOf();
      const overdue = await overdueRoutes(engine.db, which, engine.now + afterMs);
      return overdue.some(({ routeId }) => routeId === id);
    };

    test('checks an unregistered route seconds after the change, and then every minute', async () => {
      const { routeId } = only(await takes(owner, number));
      expect([await isOverdue('unregistered', 2_000), await isOverdue('unregistered', 4_000)]).toEqual([
        false,
        true,
      ]);
      const check = { now: engine.now + 4_000, at: engine.now + 64_000 };
      await recheckRoutes(engine.db, [routeId], check);
      expect([await isOverdue('unregistered', 60_000), await isOverdue('unregistered', 65_000)]).toEqual([
        false,
        true,
      ]);
    });

    test('checks a route an hour after it was registered, even if the previous check was late', async () => {
      const route = only(await takes(owner, number));
      await recordRegistered(engine.db, route, engine.now);
      await recheckRoutes(engine.db, [route.routeId], { now: engine.now, at: engine.now + 60_000 });
      expect([
        await isOverdue('registered', 59 * MINUTE_MS),
        await isOverdue('registered', 61 * MINUTE_MS),
      ]).toEqual([false, true]);
      expect(await isOverdue('unregistered', 61 * MINUTE_MS)).toBe(false);
    });

    test('checks a route an hour after the carrier rejected it, or seconds after a change', async () => {
      const route = only(await takes(owner, number));
      await recordRefused(engine.db, route, 'status 422', engine.now);
      expect(await rowOf()).toMatchObject({ state: 'wanted', refusal: 'status 422' });
      expect([
        await isOverdue('unregistered', 59 * MINUTE_MS),
        await isOverdue('unregistered', 61 * MINUTE_MS),
      ]).toEqual([false, true]);
      await greets(owner, 'Welcome.');
      expect(await rowOf()).toMatchObject({ refusal: null });
      expect(await isOverdue('unregistered', 4_000)).toBe(true);
      await recordRefused(engine.db, route, 'late', engine.now);
      expect(await rowOf()).toMatchObject({ refusal: null });
    });
  });
});
