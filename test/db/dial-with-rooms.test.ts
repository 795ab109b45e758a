/** Tests calls over a carrier that needs a room and an agent before the phone can ring, and that forgets finished calls. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities';
import { diallingActivities } from '../../activities/dialling/dialling';
import type { DialStep } from '../../activities/dialling/dial-step';
import type { CarrierCall, HeldCall } from '../../activities/telephony/port';
import { hangUp } from '../../db/calls/hang-up';
import { callEndOf, endedAt } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type Owner } from './support/engine-database';
import { RoomyCarrier, roomyDependencies } from './support/roomy-carrier';
import { carrierCall } from './support/carrier-call';

const actor = { kind: 'operator', id: 'test', requestId: null } as const;

describeWith('postgres', 'a carrier with rooms', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let carrier: RoomyCarrier;

  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    carrier = new RoomyCarrier(() => engine.now);
    await engine.db.raw(
      'delete from lines; delete from calls; delete from campaigns; delete from dnd_numbers',
    );
  });

  const deps = () => roomyDependencies(engine, carrier, []);
  const activities = () => createActivities(deps());
  const dial = (callId: string): Promise<DialStep> =>
    new MockActivityEnvironment().run(() => diallingActivities(deps()).dial({ callId, now: engine.now }));

  async function placed(): Promise<string> {
    const callId = await engine.dispatch(owner);
    await dial(callId);
    carrier.done.length = 0;
    return callId;
  }

  describe('preparation before a dial', () => {
    test('prepares a room before a dial', async () => {
      const callId = await engine.dispatch(owner);
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'placed' });
      expect(carrier.done).toEqual(['prepare', 'dial']);
    });

    test('writes no intent while the room is not ready, and retries later', async () => {
      carrier.isReady = false;
      const callId = await engine.dispatch(owner);
      await expect(dial(callId)).resolves.toEqual({
        kind: 'unavailable',
        retryAfterMs: null,
        endReason: 'carrier_unavailable',
        since: engine.now,
      });
      expect([carrier.done, await engine.stageOf(callId)]).toEqual([['prepare'], 'granted']);
    });

    test('rejects a call without a required caller ID, even if an agent is ready', async () => {
      carrier.needsCallerId = () => true;
      carrier.isReady = false;
      const callId = await engine.dispatch(owner);
      await expect(dial(callId)).resolves.toEqual({ kind: 'over', callStatus: 'error' });
      expect(carrier.done).toEqual(['release']);
      const shown = await engine.dispatch(owner);
      await engine.db('calls').where({ call_id: shown }).update({ from_number: '+918040001000' });
      await expect(dial(shown)).resolves.toMatchObject({ kind: 'unavailable' });
      expect(carrier.done.slice(1)).toEqual(['prepare']);
    });

    test('records the caller ID that the carrier chooses and reports', async () => {
      carrier.answer = { kind: 'placed', carrierId: 'room', from: '+918040000001' };
      const callId = await engine.dispatch(owner);
      await dial(callId);
      expect((await engine.call(callId)).from_number).toBe('+918040000001');
    });

    test('keeps the room of a call that was already requested from the carrier', async () => {
      carrier.answer = { kind: 'unknown' };
      const callId = await engine.dispatch(owner);
      await dial(callId);
      carrier.done.length = 0;
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'unknown' });
      expect([carrier.done, await engine.stageOf(callId)]).toEqual([[], 'requested']);
    });
  });

  describe('a prepared room', () => {
    test('undoes the preparation if the number is on a do-not-disturb list', async () => {
      const callId = await engine.dispatch(owner);
      await engine.db('dnd_numbers').insert({
        organization_id: owner.organizationId,
        phone_number: (await engine.call(callId)).to_number,
        source: 'test',
        added_at: new Date(engine.now),
      });
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'over', callStatus: 'DND' });
      expect(carrier.done).toEqual(['prepare', 'release']);
    });

    test('undoes the preparation if the campaign was paused in the meantime', async () => {
      const campaignId = await engine.campaign(owner, { contacts: 1 });
      const { granted } = await engine.feed(owner, campaignId);
      await engine.set(campaignId, { status: 'paused' });
      await expect(dial(granted[0] ?? '')).resolves.toMatchObject({ kind: 'noLine' });
      expect(carrier.done).toEqual(['prepare', 'release']);
    });

    test.each([
      [{ kind: 'notPlaced', retryAfterMs: null }, 'granted'],
      [{ kind: 'refused', faults: 'from' }, 'over'],
      [{ kind: 'invalidNumber' }, 'over'],
    ] as const)('undoes the preparation if the carrier responds with %j', async (answer, stage) => {
      carrier.answer = answer;
      const callId = await engine.dispatch(owner);
      await dial(callId);
      expect([carrier.done, await engine.stageOf(callId)]).toEqual([['prepare', 'dial', 'release'], stage]);
    });

    test('keeps the room if the response is unknown, because a phone may ring there', async () => {
      carrier.answer = { kind: 'unknown' };
      await dial(await engine.dispatch(owner));
      expect(carrier.done).toEqual(['prepare', 'dial']);
    });
  });

  describe('a dial whose response was lost', () => {
    async function unknownFor(ms: number) {
      carrier.answer = { kind: 'unknown' };
      const callId = await engine.dispatch(owner);
      await dial(callId);
      engine.now += ms;
      return { callId, step: await dial(callId) };
    }

    test("doesn't dial again while the carrier can still accept the late request", async () => {
      const { callId, step } = await unknownFor(74_000);
      expect([step.kind, await engine.stageOf(callId)]).toEqual(['unknown', 'requested']);
    });

    test('looks the call up immediately and then at growing intervals', async () => {
      await expect(unknownFor(2_000)).resolves.toMatchObject({ step: { dialAgainAfterMs: 1_000 } });
      await expect(unknownFor(30_000)).resolves.toMatchObject({ step: { dialAgainAfterMs: 5_000 } });
    });

    test('dials again only once when the carrier can no longer accept the request', async () => {
      const { callId } = await unknownFor(76_000);
      expect(await engine.stageOf(callId)).toBe('granted');
      carrier.answer = { kind: 'placed', carrierId: callId };
      await expect(dial(callId)).resolves.toMatchObject({ kind: 'placed' });
      expect(carrier.done.filter((done) => done === 'dial')).toHaveLength(2);
    });
  });

  test('opens a browser session in a prepared room', async () => {
    const callId = await engine.openSession(owner);
    const step = await dial(callId);
    expect(carrier.done).toEqual(['prepare', 'createSession']);
    expect(step).toEqual({ kind: 'placed', deadlineMs: (600 + 600) * 1000 + 40_000 });
    expect(await engine.call(callId)).toMatchObject({ stage: 'placed', carrier_id: callId });
  });

  describe('a browser session past its deadline', () => {
    async function opened(): Promise<string> {
      const callId = await engine.openSession(owner);
      await dial(callId);
      carrier.done.length = 0;
      return callId;
    }
    const inRoom = (callId: string, more: Partial<CarrierCall> = {}): CarrierCall =>
      carrierCall({ carrierId: callId, reference: callId, state: 'accepted', ...more });
    const resolve = (callId: string, giveUp = false) =>
      activities().resolveCall({ callId, giveUp, now: engine.now });
    const broken = { state: 'ended', endReason: 'dropped' } as const;

    test('closes the session as not answered if no person joined and the agent still waits', async () => {
      const callId = await opened();
      carrier.calls = [inRoom(callId)];
      await expect(resolve(callId)).resolves.toBe('no answer');
      expect(carrier.done).toEqual([`hangUp ${callId}`]);
    });

    test('ends the session as not answered if no person joined, regardless of the state of the room', async () => {
      const gone = await opened();
      await expect(resolve(gone)).resolves.toBe('no answer');
      const alone = await opened();
      carrier.calls = [inRoom(alone, broken)];
      await expect(resolve(alone)).resolves.toBe('no answer');
      const unasked = await opened();
      carrier.isUnreachable = true;
      await expect(resolve(unasked)).resolves.toBeNull();
      await expect(resolve(unasked, true)).resolves.toBe('no answer');
    });

    test('ends the session as answered if the room shows an answer', async () => {
      const callId = await opened();
      const answeredAt = new Date(engine.now).toISOString();
      carrier.calls = [inRoom(callId, { ...broken, answeredAt, endedAt: answeredAt })];
      await expect(resolve(callId)).resolves.toBe('error');
    });

    test('cancels the session if a person requested a hang-up', async () => {
      const callId = await opened();
      carrier.calls = [inRoom(callId)];
      const end = callEndOf(endedAt(engine.now, 'cancelled'), 1);
      await hangUp(engine.db, { callId, organizationId: owner.organizationId, actor }, end, engine.now);
      await expect(resolve(callId)).resolves.toBe('cancelled');
    });
  });

  describe('a carrier that has forgotten a placed call', () => {
    const lookUp = (callId: string) => activities().lookUpSilentCall(callId);

    test('ends an answered call with the status error', async () => {
      const callId = await placed();
      await engine
        .db('calls')
        .where({ call_id: callId })
        .update({ answered_at: new Date(engine.now) });
      await expect(lookUp(callId)).resolves.toBe('error');
    });

    test('ends a ringing call with the status failed', async () => {
      await expect(lookUp(await placed())).resolves.toBe('failed');
    });

    test('ends the call as completed if a person requested a hang-up', async () => {
      const callId = await placed();
      await engine
        .db('calls')
        .where({ call_id: callId })
        .update({ answered_at: new Date(engine.now) });
      const end = callEndOf(endedAt(engine.now, 'cancelled'), 1);
      await hangUp(engine.db, { callId, organizationId: owner.organizationId, actor }, end, engine.now);
      await expect(lookUp(callId)).resolves.toBe('completed');
    });

    test('keeps the call open if it may not have been placed', async () => {
      carrier.answer = { kind: 'unknown' };
      const callId = await engine.dispatch(owner);
      await dial(callId);
      await expect(lookUp(callId)).resolves.toBeNull();
      expect(await engine.stageOf(callId)).toBe('requested');
    });

    test('keeps the call open if the carrier is unreachable', async () => {
      const callId = await placed();
      carrier.isUnreachable = true;
      await expect(lookUp(callId)).resolves.toBeNull();
    });
  });

  test('ends a call as dropped if its answer was reported, even if the carrier shows a failed dial', async () => {
    const callId = await placed();
    await engine
      .db('calls')
      .where({ call_id: callId })
      .update({ answered_at: new Date(engine.now) });
    const ended = { state: 'ended', endReason: 'carrier_failure' } as const;
    carrier.calls = [carrierCall({ carrierId: callId, reference: callId, ...ended })];
    await expect(activities().lookUpSilentCall(callId)).resolves.toBe('error');
    expect(await engine.call(callId)).toMatchObject({ end_reason: 'dropped' });
  });

  test('ends a call as soon as the carrier confirms a hang-up: cancelled if unanswered, voicemail if a machine answered', async () => {
    const ringing = await placed();
    await expect(activities().stopCall({ callId: ringing, now: engine.now })).resolves.toBe('cancelled');
    const talking = await placed();
    const answer = { answered_at: new Date(engine.now), answered_by: 'machine' };
    await engine.db('calls').where({ call_id: talking }).update(answer);
    await expect(activities().stopCall({ callId: talking, now: engine.now })).resolves.toBe('voicemail');
    expect(await engine.linesOf(owner)).toEqual([]);
  });

  describe('leftover rooms', () => {
    const room = (carrierId: string, reference: string | null, ageMs = 60_000): HeldCall => ({
      carrierId,
      reference,
      heldSince: engine.now - ageMs,
      isMarked: true,
    });
    const reconcile = () =>
      new MockActivityEnvironment().run(() => activities().reconcile({ afterOutage: false }));
    const deleted = () => carrier.done.filter((done) => done.startsWith('hangUp'));

    test('closes rooms of ended and unknown calls, and keeps those of live calls', async () => {
      const [over, live] = [await placed(), await placed()];
      await engine.end(over, 'callee');
      engine.now += 31_000;
      await engine
        .db('calls')
        .where({ call_id: live })
        .update({ reported_at: new Date(engine.now) });
      carrier.rooms = [
        room(over, over),
        room(live, live),
        room('orphan', 'outbound-1-unknown'),
        room('x', null),
      ];
      await reconcile();
      expect(deleted().sort()).toEqual([`hangUp ${over}`, 'hangUp orphan', 'hangUp x'].sort());
    });

    test('keeps new rooms and rooms of ended calls for half a minute', async () => {
      const over = await placed();
      await engine.end(over, 'callee');
      engine.now += 10_000;
      carrier.rooms = [room(over, over), room('young', 'outbound-1-unknown', 5_000)];
      await reconcile();
      expect(deleted()).toEqual([]);
    });

    test('keeps rooms that are not marked as ours unless they belong to known calls', async () => {
      const over = await placed();
      await engine.end(over, 'callee');
      engine.now += 31_000;
      const session = `room_${randomUUID()}`;
      carrier.rooms = [
        { ...room(session, session), isMarked: false },
        { ...room(over, over), isMarked: false },
      ];
      await reconcile();
      expect(deleted()).toEqual([`hangUp ${over}`]);
    });

    test("finds an inbound call's room by the name that the carrier gave it", async () => {
      const callId = await placed();
      const caller = {
        direction: 'Incoming',
        carrier_id: 'inbound-_1_x',
        reported_at: new Date(engine.now + 60_000),
      };
      await engine.db('calls').where({ call_id: callId }).update(caller);
      carrier.rooms = [room('inbound-_1_x', null)];
      await reconcile();
      expect(deleted()).toEqual([]);
    });
  });
});
