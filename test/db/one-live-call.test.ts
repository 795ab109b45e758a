/** Tests that an organization has at most one live call with a number, across campaigns, dispatches and inbound calls. */
import { listContacts } from '../../db/campaigns/contacts';
import { takeInbound, type CallerDecision } from '../../db/calls/inbound-calls';
import { organizationsWithIdleLines } from '../../db/reconciliation/overdue';
import { platformState } from '../../db/reconciliation/platform-state';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const NUMBER = '+919812345600';

describeWith('postgres', 'the limit of one live call per number', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let ours: string;
  let callers = 0;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(4);
    ours = await answeredNumber(owner);
  });
  afterEach(async () => {
    expect(await violations(engine)).toEqual([]);
  });

  async function answeredNumber({ organizationId, agentId }: Owner): Promise<string> {
    const number = `+9180400${String(++callers).padStart(5, '0')}`;
    const route = { id: crypto.randomUUID(), number, organization_id: organizationId, agent_id: agentId };
    await engine.db('inbound_routes').insert({ ...route, check_at: new Date(engine.now) });
    return number;
  }
  const rings = (from: string | null, { to = ours, spendPerDay = 0 } = {}): Promise<CallerDecision> =>
    takeInbound(
      engine.db,
      { carrierId: `carrier-${++callers}`, to, from, at: new Date(engine.now).toISOString() },
      { now: engine.now, registeredOnly: false, spendPerDay },
    );
  const refusals = async (): Promise<string[]> => {
    const refused: any[] = await engine
      .db('calls')
      .where({ organization_id: owner.organizationId, direction: 'Incoming', stage: 'over' });
    return refused.map((call) => `${call.call_status} ${call.end_reason}`);
  };
  const dispatches = async (...numbers: string[]): Promise<string[]> => {
    const callIds: string[] = [];
    for (const toNumber of numbers) {
      engine.now += 1_000;
      callIds.push(await engine.dispatch(owner, { queued: false, toNumber }));
    }
    return callIds;
  };
  const campaignOf = async (phoneNumbers: string[]): Promise<string> => {
    const campaignId = await engine.campaign(owner, { contacts: phoneNumbers.length, concurrency: 4 });
    await engine.setNumbers(campaignId, phoneNumbers);
    return campaignId;
  };

  test('grants lines to a campaign and a dispatch one at a time while another campaign calls the same person', async () => {
    const [one, two] = [await campaignOf([NUMBER]), await campaignOf([NUMBER])];
    const [first = ''] = (await engine.feed(owner, one)).granted;
    const { claimed, granted } = await engine.feed(owner, two);
    const dispatched = await engine.dispatch(owner, { toNumber: NUMBER });
    expect(granted).toEqual([]);
    expect(await engine.stages([...claimed, dispatched])).toEqual(['waiting', 'waiting']);
    await engine.dial(first);
    expect((await engine.end(first, 'agent'))?.granted).toEqual([dispatched]);
    await engine.dial(dispatched);
    expect((await engine.end(dispatched, 'agent'))?.granted).toEqual(claimed);
  });

  test('grants lines to calls behind several waiting calls to the same number', async () => {
    const calls = await dispatches(NUMBER, NUMBER, NUMBER, '+919812345601', NUMBER, '+919812345602');
    const { granted } = await engine.register(owner, calls);
    expect(granted).toEqual([calls[0], calls[3], calls[5]]);
    expect(await engine.linesOf(owner)).toHaveLength(3);
  });

  test("skips busy numbers before it counts a campaign's concurrency", async () => {
    const busy = ['+919812345600', '+919812345601'];
    await engine.register(owner, await dispatches(...busy));
    const campaignId = await campaignOf([...busy, '+919812345602']);
    await engine.set(campaignId, { concurrency: 2 });
    const { claimed, granted } = await engine.feed(owner, campaignId);
    expect(claimed).toHaveLength(3);
    expect(granted).toEqual([claimed[2]]);
  });

  test('keeps the place of the waiting call, which gets its line before later calls', async () => {
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 1 });
    const [first = '', second = '', third = ''] = await dispatches(NUMBER, NUMBER, '+919812345601');
    await engine.register(owner, [first]);
    engine.now += 1_000;
    await engine.register(owner, [second]);
    engine.now += 1_000;
    await engine.register(owner, [third]);
    await engine.dial(first);
    expect((await engine.end(first, 'agent'))?.granted).toEqual([second]);
  });

  test('grants only one line for a number when twenty transactions run at once', async () => {
    const calls = await dispatches(...Array<string>(20).fill(NUMBER));
    await Promise.all([
      ...calls.map((callId) => engine.register(owner, [callId])),
      ...Array.from({ length: 5 }, () => rings(NUMBER)),
    ]);
    expect(await engine.linesOf(owner)).toHaveLength(1);
  });

  test('grants each of two organizations a line for the number', async () => {
    const other = await engine.owner();
    await engine.dispatch(owner, { toNumber: NUMBER });
    const theirs = await engine.dispatch(other, { toNumber: NUMBER });
    expect(await engine.stages([theirs])).toEqual(['granted']);
  });

  test('does not hold back browser sessions and inbound calls with a withheld number', async () => {
    await engine.db('organizations').where({ id: owner.organizationId }).update({ caller_lines: 4 });
    const sessions = [await engine.openSession(owner), await engine.openSession(owner)];
    expect(await engine.stages(sessions)).toEqual(['granted', 'granted']);
    expect([(await rings(null)).kind, (await rings('anonymous')).kind]).toEqual(['accepted', 'accepted']);
  });

  test.each([NUMBER, '919812345600', '+91 98123-45600', 'sip:+919812345600@10.0.0.5'])(
    'rejects a second inbound call from a number shown as %s, and records why',
    async (from) => {
      expect((await rings(NUMBER)).kind).toBe('accepted');
      expect((await rings(from)).kind).toBe('busy');
      expect(await refusals()).toEqual(['busy number_busy']);
    },
  );

  test('rejects and records an inbound call from a number that we are dialling', async () => {
    const callId = await engine.dispatch(owner, { toNumber: NUMBER });
    await engine.begin(callId);
    expect((await rings(NUMBER)).kind).toBe('busy');
    expect(await refusals()).toEqual(['busy number_busy']);
  });

  test('accepts an inbound call while our call to the number waits, and grants ours a line afterwards', async () => {
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 1 });
    const other = await engine.dispatch(owner);
    const waiting = await engine.dispatch(owner, { toNumber: NUMBER });
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 3 });
    const decision = await rings(NUMBER);
    if (decision.kind !== 'accepted') throw new Error('the caller was refused');
    await engine.dial(other);
    expect((await engine.end(other, 'agent'))?.granted).toEqual([]);
    expect((await engine.end(decision.callId, 'callee'))?.granted).toEqual([waiting]);
  });

  test('reports no idle lines and no starved campaign while calls wait for a busy number', async () => {
    await engine.dispatch(owner, { toNumber: NUMBER });
    await engine.dispatch(owner, { toNumber: NUMBER });
    await engine.feed(owner, await campaignOf([NUMBER]));
    expect(await organizationsWithIdleLines(engine.db, engine.now, null)).not.toContain(owner.organizationId);
    expect((await platformState(engine.db, engine.now)).starvedCampaigns).toBe(0);
  });

  test("shows that a contact's call waits for another live call", async () => {
    const campaignId = await campaignOf([NUMBER, '+919812345601']);
    await engine.dispatch(owner, { toNumber: NUMBER });
    await engine.feed(owner, campaignId);
    const { items } = await listContacts(engine.db, { campaignId }, { limit: 10, offset: 0 });
    expect(items.map(({ isNumberBusy }) => isNumberBusy)).toEqual([true, false]);
  });

  describe('lines for inbound calls', () => {
    test.each([
      [1, 1],
      [2, 1],
      [3, 2],
      [5, 4],
      [10, 8],
      [11, 8],
    ])('lets inbound calls of an organization with %d lines use %d of them', async (lines, forCallers) => {
      await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: lines });
      const kinds: string[] = [];
      for (let n = 0; n < lines; n++) kinds.push((await rings(`+9198123457${n + 10}`)).kind);
      expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(forCallers);
      expect(await refusals()).toEqual(Array<string>(lines - forCallers).fill('busy lines_busy'));
    });

    test("limits inbound calls by the organization's own setting, from none to all of its lines", async () => {
      await engine.db('organizations').where({ id: owner.organizationId }).update({ caller_lines: 9 });
      const kinds = [1, 2, 3, 4, 5].map(async (n) => (await rings(`+91981234570${n}`)).kind);
      expect((await Promise.all(kinds)).filter((kind) => kind === 'accepted')).toHaveLength(4);
      await engine
        .db('organizations')
        .where({ id: owner.organizationId })
        .update({ caller_lines: 0, max_concurrency: 9 });
      expect((await rings('+919812345709')).kind).toBe('busy');
    });
  });

  describe('an organization past its daily spend limit', () => {
    const spends = (credits: number) =>
      engine.db('spend').insert({ owner_id: owner.organizationId, day: new Date(engine.now), credits });
    const BREAKERS = {
      campaignSpendPerDay: null,
      organizationSpendPerDay: 1,
      failureRate: null,
      failureDials: 20,
    };
    const exempt = (spend_exempt: string[]) =>
      engine.db('organizations').where({ id: owner.organizationId }).update({ spend_exempt });

    test('rejects inbound calls until the next UTC day, and records why', async () => {
      await spends(9);
      expect((await rings(NUMBER, { spendPerDay: 1 })).kind).toBe('busy');
      expect(await refusals()).toEqual(['busy spend_limit']);
      engine.now += 24 * 3_600_000;
      expect((await rings(NUMBER, { spendPerDay: 1 })).kind).toBe('accepted');
    });

    test("doesn't dial a waiting dispatch, and frees its line when it ends", async () => {
      const callId = await engine.dispatch(owner);
      await spends(9);
      expect(await engine.begin(callId, { breakers: BREAKERS })).toEqual({ kind: 'overspent' });
      await engine.end(callId, 'spend_limit');
      expect(await engine.call(callId)).toMatchObject({
        call_status: 'cancelled',
        end_reason: 'spend_limit',
      });
      expect(await engine.linesOf(owner)).toEqual([]);
    });

    test('continues calls that the operator exempted from the spend limit', async () => {
      await spends(9);
      const callId = await engine.dispatch(owner);
      await exempt(['callers']);
      expect((await engine.begin(callId, { breakers: BREAKERS })).kind).toBe('overspent');
      expect((await rings(NUMBER, { spendPerDay: 1 })).kind).toBe('accepted');
      await exempt(['dispatches']);
      expect((await engine.begin(callId, { breakers: BREAKERS })).kind).toBe('ask');
      expect((await rings('+919812345601', { spendPerDay: 1 })).kind).toBe('busy');
    });

    test("applies the organization's own limit, where 0 means no limit", async () => {
      await spends(9);
      await engine.db('organizations').where({ id: owner.organizationId }).update({ spend_per_day: 0 });
      expect((await rings(NUMBER, { spendPerDay: 1 })).kind).toBe('accepted');
      await engine.db('organizations').where({ id: owner.organizationId }).update({ spend_per_day: 9 });
      expect((await rings('+919812345601')).kind).toBe('busy');
    });
  });
});
