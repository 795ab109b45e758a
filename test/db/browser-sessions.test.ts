import { randomUUID } from 'node:crypto';
import { applyProgress } from '../../db/calls/events';
import { concludeCall } from '../../db/calls/conclusions';
import { insertDispatchedSession } from '../../db/calls/dispatched-calls';
import { hangUp } from '../../db/calls/hang-up';
import { lineUsage } from '../../db/organizations/organizations';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { sessionRow } from './support/dispatched-row';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const ACTOR = { kind: 'operator' as const, id: 'test', requestId: null };

describeWith('postgres', 'a browser session', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
  });
  afterEach(async () => {
    expect(await violations(engine)).toEqual([]);
  });

  async function session({ queued = true } = {}): Promise<string> {
    const callId = `room_${randomUUID()}`;
    await insertDispatchedSession(engine.db, {
      ...sessionRow(owner, callId, engine.now),
      metadata: { city: 'Pune' },
      modifyAgent: { persona: { metadata: { due: 5 } } },
      xAgentId: 'crm-7',
      session: { voice_gender: 'male', voice_speed: 1.2 },
    });
    if (queued) await engine.register(owner, [callId]);
    return callId;
  }

  const talkFor = async (callId: string, ms: number) => {
    const answeredAt = new Date(engine.now).toISOString();
    engine.now += ms;
    await engine.end(callId, 'callee', { answeredAt });
  };

  test('records a browser session as an inbound call', async () => {
    expect(await engine.call(await session({ queued: false }))).toMatchObject({
      medium: 'webrtc',
      call_type: 'Inbound',
      direction: 'Incoming',
      from_number: 'web-user',
      to_number: null,
      name: null,
      metadata: { city: 'Pune' },
      x_agent_id: 'crm-7',
      session: { voice_gender: 'male', voice_speed: 1.2 },
      stage: 'claimed',
      call_status: 'queued',
    });
  });

  test('opens a session once it has a line, and passes the agent its data', async () => {
    const callId = await session();
    expect(await engine.begin(callId)).toEqual({
      kind: 'ask',
      medium: 'webrtc',
      notAfter: expect.any(String),
      to: null,
      from: 'web-user',
      name: null,
      attempt: 1,
      variables: { city: 'Pune' },
      modifyAgent: { persona: { metadata: { due: 5 } } },
      agentName: 'An agent',
      config: expect.any(Object),
    });
    expect(await engine.call(callId)).toMatchObject({ stage: 'requested', call_status: 'dialing' });
    expect(await engine.begin(await engine.dispatch(owner))).toMatchObject({ medium: 'telephony' });
  });

  test("stays 'in progress' if its user talks to the agent before the session's dial is recorded", async () => {
    const callId = await session();
    const answered = { reference: callId, carrierId: callId, type: 'answered' as const };
    await applyProgress(engine.db, [{ ...answered, at: new Date(engine.now).toISOString() }], {
      now: engine.now,
      creditsPerMinute: 1,
    });
    await engine.dial(callId);
    expect(await engine.call(callId)).toMatchObject({ stage: 'placed', call_status: 'in progress' });
  });

  test('takes a line for a session, makes the session wait if none is free, and frees the line at its end', async () => {
    owner = await engine.owner(1);
    const phone = await engine.dispatch(owner);
    const waiting = await session();
    expect(await engine.begin(waiting)).toEqual({ kind: 'waiting' });
    expect(await lineUsage(engine.db, owner.organizationId)).toEqual({ liveCalls: 1, waitingCalls: 1 });
    await engine.dial(phone);
    expect((await engine.end(phone, 'agent'))?.granted).toEqual([waiting]);
    await engine.dial(waiting);
    const next = await engine.dispatch(owner);
    expect((await engine.end(waiting, 'callee'))?.granted).toEqual([next]);
    await engine.end(next, 'cancelled');
  });

  test('grants a line to a session before the calls of campaigns, as for every dispatch', async () => {
    owner = await engine.owner(1);
    const first = await engine.dispatch(owner);
    await engine.feed(owner, await engine.campaign(owner, { contacts: 1 }));
    const later = await session();
    expect((await engine.end(first, 'cancelled'))?.granted).toEqual([later]);
  });

  test("doesn't query the registry for a session, because a session has no number", async () => {
    const registryNotBefore = new Date(START).toISOString();
    expect(await engine.begin(await session(), { registryNotBefore })).toMatchObject({ kind: 'ask' });
    expect(await engine.begin(await engine.dispatch(owner), { registryNotBefore })).toMatchObject({
      kind: 'askRegistry',
    });
  });

  test('takes no slot on the trunk for a session', async () => {
    const guards = { trunk: 'default', dialEveryMs: MINUTE_MS };
    for (const callId of [await session(), await session()]) {
      expect(await engine.begin(callId, guards)).toMatchObject({ kind: 'ask' });
    }
    expect(await engine.begin(await engine.dispatch(owner), guards)).toMatchObject({ kind: 'ask' });
    expect(await engine.begin(await session(), guards)).toMatchObject({ kind: 'ask' });
    expect(await engine.begin(await engine.dispatch(owner), guards)).toMatchObject({ kind: 'paced' });
  });

  test("doesn't count a failed session as a failure of the carrier", async () => {
    const callId = await session();
    await engine.begin(callId);
    await engine.end(callId, 'carrier_unavailable');
    const phone = await engine.dispatch(owner);
    await engine.begin(phone);
    await engine.end(phone, 'carrier_unavailable');
    const organization = await engine
      .db('organizations')
      .where({ id: owner.organizationId })
      .first('recent_dials');
    expect(organization).toEqual({ recent_dials: '1' });
  });

  test('charges a session like a phone call', async () => {
    const callId = await session();
    await engine.dial(callId);
    await talkFor(callId, 61_000);
    const spent = await engine.db('spend').where({ owner_id: owner.organizationId }).first('credits');
    expect(Number(spent.credits)).toBe(4);
    expect(await engine.call(callId)).toMatchObject({
      call_status: 'User disconnected',
      duration_ms: 61_000,
    });
  });

  test('schedules no callback for a session, because there is no number to call', async () => {
    const callId = await session();
    await engine.dial(callId);
    await talkFor(callId, 30_000);
    const concluded = await concludeCall(engine.db, {
      callId,
      findings: null,
      segments: [],
      webhook: null,
      callback: {
        id: randomUUID(),
        callId: 'outbound-callback',
        dueAt: engine.now + MINUTE_MS,
        dialUntil: engine.now + 60 * MINUTE_MS,
        maxDepth: 3,
        toNumber: null,
        cap: null,
      },
      now: engine.now,
    });
    expect(concluded).toMatchObject({ callback: null, delivery: null });
    expect(await engine.db('calls').where({ callback_of: callId })).toEqual([]);
    expect(await engine.call(callId)).toMatchObject({ callback_id: null, callback_status: null });
  });

  test('cancels a session that is hung up before its agent joins, and frees its line', async () => {
    const callId = await session();
    const end = callEndOf(endedAt(engine.now, 'cancelled'), 1);
    const hungUp = await hangUp(
      engine.db,
      { callId, organizationId: owner.organizationId, actor: ACTOR },
      end,
      engine.now,
    );
    expect(hungUp).toMatchObject({ kind: 'ended' });
    expect(await engine.linesOf(owner)).toEqual([]);
  });
});
