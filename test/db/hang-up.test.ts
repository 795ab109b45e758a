import { NO_GUARDS } from '../servers/no-guards';
import { randomUUID } from 'node:crypto';
import { startDial, recordNotPlaced } from '../../db/calls/engine';
import { hangUp, unansweredHangUps } from '../../db/calls/hang-up';
import { lineUsage } from '../../db/organizations/organizations';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

describeWith('postgres', 'hangUp()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  const wish = (callId: string, { organizationId }: Pick<Owner, 'organizationId'>) =>
    hangUp(
      engine.db,
      { callId, organizationId, actor },
      callEndOf(endedAt(engine.now, 'cancelled'), 0),
      engine.now,
    );
  const recordsOf = (callId: string): Promise<any[]> =>
    engine.db('audit_log').where({ subject_id: callId, action: 'call.hangup' });

  test.each([
    ['has not started', false, 'claimed'],
    ['has a line', true, 'granted'],
  ])('cancels a dispatched call that %s', async (_name, queued, stage) => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner, { queued });
    expect(await engine.stages([callId])).toEqual([stage]);
    expect(await wish(callId, owner)).toEqual({ kind: 'ended', granted: [], refillCampaignId: null });
    expect(await engine.call(callId)).toMatchObject({
      stage: 'over',
      call_status: 'cancelled',
      end_reason: 'cancelled',
      call_cost: 0,
    });
    expect(await engine.linesOf(owner)).toEqual([]);
    expect(await recordsOf(callId)).toMatchObject([
      { organization_id: owner.organizationId, actor_id: 'key-1' },
    ]);
  });

  test('grants the line of the call to the next one', async () => {
    const owner = await engine.owner(1);
    const [first, second] = [await engine.dispatch(owner), await engine.dispatch(owner)];
    expect(await wish(first, owner)).toMatchObject({ kind: 'ended', granted: [second] });
    expect(await violations(engine)).toEqual([]);
  });

  test("cancels the contact of a campaign's waiting call without a redial", async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const { granted } = await engine.feed(owner, campaignId);
    expect(await wish(granted[0] ?? '', owner)).toMatchObject({
      kind: 'ended',
      refillCampaignId: campaignId,
    });
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect(await violations(engine)).toEqual([]);
  });

  test('records one hang-up request for a call that the carrier may have, and returns over once the call has ended', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    await engine.begin(callId);
    const requestedAt = engine.now;
    expect(await wish(callId, owner)).toEqual({ kind: 'requested', callStatus: 'dialing', isDialling: true });
    engine.now += 5_000;
    await engine.place(callId);
    expect(await wish(callId, owner)).toEqual({
      kind: 'requested',
      callStatus: 'dialing',
      isDialling: false,
    });
    expect((await engine.call(callId)).hang_up_requested_at).toEqual(new Date(requestedAt));
    expect(await recordsOf(callId)).toHaveLength(1);
    expect(await unansweredHangUps(engine.db, engine.now)).toEqual([callId]);
    expect(await unansweredHangUps(engine.db, requestedAt)).toEqual([]);
    await engine.end(callId, 'platform');
    expect(await unansweredHangUps(engine.db, engine.now)).toEqual([]);
    expect(await wish(callId, owner)).toEqual({ kind: 'over', callStatus: 'cancelled' });
  });

  test("prevents another dial if the carrier didn't place the call after the hang-up, and counts no attempt", async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1 });
    const callId = (await engine.feed(owner, campaignId)).granted[0] ?? '';
    await engine.begin(callId);
    await wish(callId, owner);
    await recordNotPlaced(engine.db, callId, engine.now + 3_000);
    expect(await engine.begin(callId)).toEqual({ kind: 'hungUp' });
    await engine.end(callId, 'cancelled');
    expect(await engine.call(callId)).toMatchObject({ requested_at: null, call_status: 'cancelled' });
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect(await violations(engine)).toEqual([]);
  });

  test("prevents another dial if a look-up shows at the same time that the carrier doesn't have the call", async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    const notAfter = engine.now + 3_000;
    await startDial(engine.db, callId, { now: engine.now, notAfter, guards: NO_GUARDS });
    await wish(callId, owner);
    const { dial } = await engine.db.transaction(async (trx) => {
      await recordNotPlaced(trx, callId, notAfter);
      const asked = startDial(engine.db, callId, {
        now: engine.now,
        notAfter: notAfter + 1,
        guards: NO_GUARDS,
      });
      await engine.untilBlocked();
      return { dial: asked };
    });
    expect(await dial).toEqual({ kind: 'hungUp' });
    expect(await engine.stages([callId])).toEqual(['granted']);
  });

  test('prevents a redial if the call is not answered', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 3 });
    const callId = (await engine.feed(owner, campaignId)).granted[0] ?? '';
    await engine.dial(callId);
    await wish(callId, owner);
    await engine.end(callId, 'no_answer');
    expect((await engine.contacts(campaignId))[0]).toMatchObject({ state: 'failed', reason: 'no_answer' });
    expect(await engine.call(callId)).toMatchObject({ will_retry: false, call_status: 'no answer' });
  });

  test('returns unknown for a call of another organization or a missing one', async () => {
    const owner = await engine.owner();
    const stranger = await engine.owner();
    const callId = await engine.dispatch(owner);
    expect(await wish(callId, stranger)).toEqual({ kind: 'unknown' });
    expect(await wish(`outbound-${randomUUID()}`, owner)).toEqual({ kind: 'unknown' });
    expect(await engine.stages([callId])).toEqual(['granted']);
  });

  test('either prevents a dial that starts at the same instant, or records the hang-up request', async () => {
    const kinds = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const owner = await engine.owner();
      const callId = await engine.dispatch(owner);
      const [start, hungUp] = await Promise.all([engine.begin(callId), wish(callId, owner)]);
      kinds.add(`${start.kind} ${hungUp.kind}`);
    }
    expect([...kinds].filter((pair) => pair !== 'ask requested' && pair !== 'over ended')).toEqual([]);
  });
});

describeWith('postgres', 'lineUsage()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test('counts live and waiting calls of this organization only', async () => {
    const owner = await engine.owner(2);
    const stranger = await engine.owner();
    await engine.dispatch(stranger);
    for (let index = 0; index < 4; index++) await engine.dispatch(owner);
    await engine.dispatch(owner, { queued: false });
    expect(await lineUsage(engine.db, owner.organizationId)).toEqual({ liveCalls: 2, waitingCalls: 3 });
    expect(await lineUsage(engine.db, stranger.organizationId)).toEqual({ liveCalls: 1, waitingCalls: 0 });
  });
});
