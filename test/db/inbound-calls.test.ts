import { reviseSection } from '../../api/agents/revise-section';
import { archiveAgent, changeAgentConfig } from '../../db/agents/changes';
import { registerNumbers, unregisterNumber } from '../../db/agents/numbers';
import { recordPlaced } from '../../db/calls/engine';
import { applyProgress } from '../../db/calls/events';
import { concludeCall } from '../../db/calls/conclusions';
import { hangUp } from '../../db/calls/hang-up';
import {
  takeInbound,
  unconfirmedCallers,
  unstartedCallers,
  type CallerDecision,
} from '../../db/calls/inbound-calls';
import { silentCalls } from '../../db/reconciliation/overdue';
import { lineUsage } from '../../db/organizations/organizations';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;
const CALLER = '+919812345600';

describeWith('postgres', 'an inbound call', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let number: string;
  let numbers = 0;
  let callers = 0;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner(2);
    await engine.db('organizations').where({ id: owner.organizationId }).update({ caller_lines: 2 });
    number = `+9180400${String(++numbers).padStart(5, '0')}`;
    await answers(owner, number);
  });
  afterEach(async () => {
    expect(await violations(engine)).toEqual([]);
  });

  const answers = ({ organizationId, agentId }: Owner, inbound: string) =>
    changeAgentConfig(engine.db, {
      organizationId,
      agentId,
      numbers: [],
      numberRule: { registeredOnly: false },
      revise: (stored) =>
        reviseSection(stored, {
          section: 'deployment',
          change: { phone: { call_type: { Inbound: inbound } } },
        }),
      fields: ['deployment'],
      actor,
      now: engine.now,
    });
  const rings = (
    carrierId = `carrier-${++callers}`,
    {
      to = number,
      from = `+9198765${String(++callers).padStart(5, '0')}`,
      registeredOnly = false,
      spendPerDay = 0,
    }: { to?: string; from?: string | null; registeredOnly?: boolean; spendPerDay?: number } = {},
  ): Promise<CallerDecision> =>
    takeInbound(
      engine.db,
      { carrierId, to, from, at: new Date(engine.now - 200).toISOString() },
      { now: engine.now, registeredOnly, spendPerDay },
    );
  const letIn = async (carrierId?: string): Promise<string> => {
    const decision = await rings(carrierId);
    if (decision.kind !== 'accepted') throw new Error(`the caller was not let in: ${decision.kind}`);
    return decision.callId;
  };
  const callsOf = ({ organizationId }: Owner): Promise<any[]> =>
    engine.db('calls').where({ organization_id: organizationId }).orderBy('call_id');
  const talks = async (callId: string, ms: number): Promise<void> => {
    const event = { reference: callId, carrierId: 'x', type: 'answered', answeredBy: 'human' } as const;
    await applyProgress(engine.db, [{ ...event, at: new Date(engine.now).toISOString() }], {
      now: engine.now,
      creditsPerMinute: 2,
    });
    engine.now += ms;
  };

  test("returns unknown while another organization owns the number, and accepts calls once the agent's own organization owns it", async () => {
    const register = (organizationId: string) =>
      engine.db.transaction((trx) => registerNumbers(trx, { organizationId, numbers: [number] }, engine.now));
    const { organizationId } = await engine.owner();
    await register(organizationId);
    expect(await rings()).toEqual({ kind: 'unknown' });
    await engine.db.transaction((trx) => unregisterNumber(trx, { organizationId, number }, engine.now));
    expect(await rings('carrier-strict', { registeredOnly: true })).toEqual({ kind: 'unknown' });
    await register(owner.organizationId);
    expect(await rings('carrier-strict', { registeredOnly: true })).toMatchObject({
      kind: 'accepted',
      ...owner,
    });
  });

  test('gives an inbound call a free line and records it as placed', async () => {
    const decision = await rings('carrier-first', { from: CALLER });
    expect(decision).toMatchObject({ kind: 'accepted', ...owner, toStart: true });
    const callId = decision.kind === 'accepted' ? decision.callId : '';
    expect(callId).toMatch(/^inbound-1793595600-[0-9a-f]{32}$/);
    expect(await engine.linesOf(owner)).toEqual([callId]);
    expect(await engine.call(callId)).toMatchObject({
      agent_id: owner.agentId,
      agent_version: 2,
      medium: 'telephony',
      call_type: 'Inbound',
      direction: 'Incoming',
      from_number: CALLER,
      to_number: number,
      stage: 'placed',
      call_status: 'ringing',
      carrier_id: 'carrier-first',
      accepted_at: new Date(START),
      ringing_at: new Date(START - 200),
      requested_at: null,
      granted_at: new Date(START),
      ended_at: null,
      concluded_at: null,
      end_reason: null,
      to_start_since: new Date(START),
    });
    expect(await lineUsage(engine.db, owner.organizationId)).toEqual({ liveCalls: 1, waitingCalls: 0 });
  });

  test('accepts a call with a withheld number', async () => {
    const decision = await rings('carrier-withheld', { from: null });
    expect(decision.kind).toBe('accepted');
    expect((await callsOf(owner))[0]).toMatchObject({ from_number: null });
  });

  test('skips the do-not-disturb list for inbound calls', async () => {
    await engine.db('dnd_numbers').insert({
      organization_id: owner.organizationId,
      phone_number: CALLER,
      source: 'test',
      added_at: new Date(START),
    });
    expect((await rings()).kind).toBe('accepted');
  });

  test('accepts two of ten simultaneous calls on two lines, and records eight as busy', async () => {
    const decisions = await Promise.all(Array.from({ length: 10 }, () => rings()));
    expect(decisions.map(({ kind }) => kind).sort()).toEqual([
      'accepted',
      'accepted',
      ...Array<string>(8).fill('busy'),
    ]);
    expect(await engine.linesOf(owner)).toHaveLength(2);
    const refused = (await callsOf(owner)).filter(({ stage }) => stage === 'over');
    expect(refused).toHaveLength(8);
    for (const call of refused) {
      expect(call).toMatchObject({
        call_status: 'busy',
        end_reason: 'lines_busy',
        answered_at: null,
        granted_at: null,
        ended_at: new Date(START),
        concluded_at: new Date(START),
        to_start_since: null,
      });
    }
  });

  test("returns the configuration of the call's own version when the call is reported again after a change", async () => {
    const first = await rings('carrier-of-a-version');
    await answers(owner, `+9180500${String(++numbers).padStart(5, '0')}`);
    const again = await rings('carrier-of-a-version');
    expect(first).toMatchObject({
      kind: 'accepted',
      config: { deployment: { phone: { call_type: { Inbound: number } } } },
    });
    expect(again).toEqual(first);
  });

  // HTTP carriers choose their own ids, so an inbound call can have the same id as another call.
  test.each([
    ['an outbound call', () => engine.dispatch(owner)],
    ['a browser session', () => engine.openSession(owner)],
  ])('creates a separate call if %s has the same id at the carrier', async (_whose, make) => {
    const other = await make();
    const carrierId = `carrier-of-${other}`;
    await recordPlaced(
      engine.db,
      other,
      { carrierId, from: null, deadlineAt: engine.now + 60_000 },
      engine.now,
    );
    const callId = await letIn(carrierId);
    expect(callId).not.toBe(other);
    expect((await callsOf(owner)).map((call) => call.call_id).sort()).toEqual([callId, other].sort());
    expect(await rings(carrierId)).toMatchObject({ kind: 'accepted', callId });
  });

  test('returns the same answer when the call is reported again, even if no agent answers the number anymore', async () => {
    const decision = await rings('carrier-before');
    await engine.db('inbound_routes').where({ number }).update({ agent_id: null });
    expect(await rings('carrier-before')).toEqual(decision);
    expect((await rings('carrier-after')).kind).toBe('unknown');
  });

  test('creates one call for repeated and concurrent reports', async () => {
    const decisions = await Promise.all(Array.from({ length: 10 }, () => rings('carrier-again')));
    expect(new Set(decisions.map((decision) => JSON.stringify(decision))).size).toBe(1);
    expect(await callsOf(owner)).toHaveLength(1);
    expect(await engine.linesOf(owner)).toHaveLength(1);
  });

  test('keeps a call busy when it is reported again, even if a line is free by then', async () => {
    const [first] = [await letIn(), await letIn()];
    expect(await rings('carrier-late')).toMatchObject({ kind: 'busy' });
    await engine.end(first ?? '', 'callee');
    expect(await rings('carrier-late')).toMatchObject({ kind: 'busy' });
    expect((await rings()).kind).toBe('accepted');
  });

  test('returns the same answer after the call is over and the number has moved to another agent', async () => {
    const callId = await letIn('carrier-over');
    await engine.end(callId, 'callee');
    await answers(owner, '');
    const other = await engine.owner();
    await answers(other, number);
    expect(await rings('carrier-over')).toMatchObject({ kind: 'accepted', callId });
    expect(await callsOf(other)).toEqual([]);
  });

  test("takes no line from a waiting call, and passes the inbound call's line to it at the end", async () => {
    const [caller] = [await letIn(), await letIn()];
    const waiting = await engine.dispatch(owner);
    expect(await engine.stages([waiting])).toEqual(['waiting']);
    const ended = await engine.end(caller ?? '', 'agent');
    expect(ended?.granted).toEqual([waiting]);
    expect((await rings()).kind).toBe('busy');
  });

  test('keeps the line of an inbound call when the maximum is lowered, and prevents the next dial', async () => {
    const callId = await letIn();
    const dispatched = await engine.dispatch(owner);
    await engine.db('organizations').where({ id: owner.organizationId }).update({ max_concurrency: 1 });
    expect((await engine.begin(dispatched)).kind).toBe('refused');
    await engine.returnLine(dispatched);
    expect(await engine.linesOf(owner)).toEqual([callId]);
  });

  test.each([
    ['has no agent', () => Promise.resolve()],
    ['was given up by its agent', () => answers(owner, '')],
    ['belongs to an archived agent', () => archiveAgent(engine.db, { ...owner, actor, now: engine.now })],
  ])('returns unknown and records nothing if the number %s', async (title, change) => {
    await change();
    const to = title === 'has no agent' ? '+918040099999' : number;
    expect(await rings(undefined, { to })).toEqual({ kind: 'unknown' });
    expect(await callsOf(owner)).toEqual([]);
  });

  test('connects the agent that currently has the number', async () => {
    const other = await engine.owner();
    expect((await answers(other, number)).kind).toBe('number_in_use');
    await answers(owner, '');
    await answers(other, number);
    expect(await rings()).toMatchObject({ kind: 'accepted', ...other });
  });

  test("charges talk time as spend, and doesn't count a failed inbound call as a failure of the carrier", async () => {
    const callId = await letIn();
    await talks(callId, 90_000);
    await engine.end(callId, 'callee');
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'User disconnected',
      duration_ms: 90_000,
      call_cost: 4,
    });
    expect(await engine.db('spend').where({ owner_id: owner.organizationId })).toMatchObject([
      { credits: 4 },
    ]);
    const failing = await letIn();
    await engine.end(failing, 'carrier_failure');
    expect(await engine.db('organizations').where({ id: owner.organizationId }).first()).toMatchObject({
      recent_dials: '',
    });
  });

  test("lets only the call's own organization hang it up, through the carrier", async () => {
    const callId = await letIn();
    const stranger = await engine.owner();
    const end = callEndOf(endedAt(engine.now, 'cancelled'), 0);
    const wish = (organizationId: string) =>
      hangUp(engine.db, { callId, organizationId, actor }, end, engine.now);
    expect(await wish(stranger.organizationId)).toEqual({ kind: 'unknown' });
    expect(await wish(owner.organizationId)).toEqual({
      kind: 'requested',
      callStatus: 'ringing',
      isDialling: false,
    });
  });

  test("calls the caller back from one of the agent's own numbers on request", async () => {
    const callId = await letIn();
    await talks(callId, MINUTE_MS);
    await engine.end(callId, 'agent');
    const concluded = await concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback: {
        id: '00000000-0000-4000-8000-000000000001',
        callId: 'outbound-called-back',
        dueAt: engine.now + MINUTE_MS,
        dialUntil: engine.now + 60 * MINUTE_MS,
        maxDepth: 3,
        toNumber: CALLER,
        cap: null,
      },
      now: engine.now,
    });
    expect(concluded.callback).toMatchObject({ callId: 'outbound-called-back' });
    expect(await engine.call('outbound-called-back')).toMatchObject({
      call_type: 'Outbound',
      direction: 'Outbound',
      from_number: null,
      to_number: CALLER,
      dnd_check_skipped: false,
      stage: 'claimed',
    });
  });

  test('finds calls without reports, and calls whose workflow must be started', async () => {
    const callId = await letIn();
    const seconds = (n: number) => engine.now + n * 1_000;
    const ids = (found: { callId: string }[]) => found.map((call) => call.callId);
    expect(ids(await silentCalls(engine.db, { before: seconds(1), now: seconds(1) }))).toContain(callId);
    expect(
      (await silentCalls(engine.db, { before: seconds(1), now: seconds(1) })).find(
        (call) => call.callId === callId,
      )?.requestedAt,
    ).toEqual(new Date(START));
    expect(ids(await unstartedCallers(engine.db, seconds(1)))).toContain(callId);
    expect(ids(await unstartedCallers(engine.db, engine.now))).not.toContain(callId);
    expect(await unconfirmedCallers(engine.db, seconds(1))).toContain(callId);
    await talks(callId, 1_000);
    expect(await unconfirmedCallers(engine.db, seconds(1))).not.toContain(callId);
  });
});
