/**
 * Phones that LiveKit's webhooks report as lost, as returned, or as hung up by the SIP bridge on our request.
 */
import { LiveKitRig } from './support/livekit-rig';
import { AGENT, CALLEE, calleeSince, left, TALKER, webhook } from './support/livekit-webhooks';
import { MONDAY } from './support/test-api';

let rig: LiveKitRig;

beforeAll(async () => {
  rig = await LiveKitRig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.reset());

describe('a phone that leaves during the conversation', () => {
  test.each(['CONNECTION_TIMEOUT', 'SERVER_SHUTDOWN', 'SIGNAL_CLOSE'])(
    'keeps the line of a phone that leaves with %s, because it may still be connected',
    async (reason) => {
      const callId = await rig.talking();
      await rig.delivered(left(callId, reason));
      await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
      expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
    },
  );

  test('dates the loss of a phone twenty seconds before its time-out', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CONNECTION_TIMEOUT'));
    const { orphaned_at: since, line_kept_until: keptUntil } = await rig.callOf(callId);
    expect([since, keptUntil]).toEqual([new Date(MONDAY + 400 - 20_000), new Date(MONDAY + 400 + 100_000)]);
  });

  test('keeps the line when the room is deleted after the loss, because the bridge is dead', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CONNECTION_TIMEOUT'));
    await rig.delivered(left(callId, 'ROOM_DELETED'));
    await rig.delivered(webhook('room_finished', callId));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });
});

describe('a phone that leaves before the answer', () => {
  test('keeps the line until the ring time-out when the bridge died, because the phone may still ring', async () => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY - 2_000) });
    await rig.delivered(left(callId, 'CONNECTION_TIMEOUT'));
    expect(await rig.callOf(callId)).toMatchObject({
      stage: 'placed',
      line_kept_until: new Date(MONDAY + 38_000),
    });
  });

  test.each([
    ['CONNECTION_TIMEOUT', 'bridge'],
    ['SERVER_SHUTDOWN', 'livekit'],
  ])('attributes a departure with %s to the death of %s', async (reason, by) => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY - 2_000) });
    await rig.delivered(left(callId, reason));
    expect(await rig.callOf(callId)).toMatchObject({ orphaned_by: by });
  });

  test('records an answered call if the phone is marked as hung up when it leaves', async () => {
    const [answered, brokeOff, caller] = [
      await rig.placed(),
      await rig.placed(),
      await rig.placed({ call_id: 'inbound-1-u', direction: 'Incoming', carrier_id: 'inbound-_9_x' }),
    ];
    const leg = (status: string) => ({ ...CALLEE, attributes: { 'sip.callStatus': status } });
    await rig.delivered(left(answered, 'CLIENT_INITIATED', leg('hangup')));
    await rig.delivered(left(brokeOff, 'CLIENT_INITIATED', leg('ringing')));
    await rig.delivered(left('inbound-_9_x', 'CLIENT_INITIATED', leg('hangup')));
    expect(await rig.callOf(answered)).toMatchObject({
      end_reason: 'callee',
      call_status: 'User disconnected',
      duration_ms: 0,
      call_cost: 0,
    });
    await expect(rig.endOf(brokeOff)).resolves.toMatchObject({ endReason: 'carrier_failure' });
    await expect(rig.endOf(caller)).resolves.toMatchObject({ endReason: 'cancelled' });
  });

  test('ends the call when the phone belongs to a caller', async () => {
    const callId = await rig.placed({
      call_id: 'inbound-1-c',
      direction: 'Incoming',
      carrier_id: 'inbound-_3_x',
    });
    await rig.delivered(left('inbound-_3_x', 'CONNECTION_TIMEOUT'));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'over' });
  });
});

describe('a phone that returns', () => {
  const back = (callId: string, afterMs = 30_000): Promise<void> =>
    rig.delivered(
      webhook('participant_joined', callId, {
        participant: { ...CALLEE, joinedAtMs: String(MONDAY + afterMs) },
      }),
    );
  const phone = (isAnswered: boolean | null) => ({ kind: 'there', isAnswered }) as const;

  test('hangs up a phone that returns to an ended call, by deleting its room', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CLIENT_INITIATED'));
    await back(callId);
    expect(rig.deleted).toEqual([callId]);
  });

  test('hangs up a phone that returns without its agent, and ends the call at the time of the last report', async () => {
    const callId = await rig.talking({ reported_at: new Date(MONDAY - 30_000) });
    rig.present = { person: phone(true), agent: false };
    await back(callId);
    expect(rig.deleted).toEqual([callId]);
    expect(await rig.callOf(callId)).toMatchObject({
      end_reason: 'dropped',
      call_status: 'error',
      ended_at: new Date(MONDAY - 30_000),
      duration_ms: 30_000,
    });
  });

  test('continues the call of a phone that returns with its agent, even if the agent takes a moment longer', async () => {
    const callId = await rig.talking();
    rig.present = { person: phone(true), agent: false };
    rig.wait = () => {
      if (rig.deleted.length === 0) setImmediate(() => (rig.present = { ...rig.present, agent: true }));
      return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    };
    await back(callId);
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(rig.deleted).toEqual([]);
  });

  test('clears the recorded loss of a phone that returns with its agent', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'SIGNAL_CLOSE'));
    rig.present = { person: phone(true), agent: true };
    await back(callId);
    expect(await rig.callOf(callId)).toMatchObject({
      stage: 'placed',
      orphaned_at: null,
      orphaned_by: null,
      line_kept_until: null,
    });
  });

  test.each([
    ['after an answer as dropped, so that the person is not dialled again', true, 'dropped', 'error'],
    ['while it still rings as failed', false, 'carrier_failure', 'failed'],
  ])('ends a dial whose phone returns %s', async (_what, isAnswered, endReason, callStatus) => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY - 5_000) });
    rig.present = { person: phone(isAnswered), agent: false };
    await back(callId);
    await expect(rig.endOf(callId)).resolves.toEqual({ stage: 'over', endReason, callStatus });
    expect(await rig.callOf(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
  });

  describe('a phone that returns to a conversation and hangs up before we do', () => {
    const leaves = (callId: string) =>
      rig.delivered(
        left(callId, 'CLIENT_INITIATED', {
          ...calleeSince(MONDAY - 2_000),
          attributes: { 'sip.callStatus': 'hangup' },
        }),
      );

    test.each([
      ['that was lost', (callId: string) => rig.delivered(left(callId, 'SIGNAL_CLOSE', TALKER))],
      ['that was not reported', () => Promise.resolve()],
    ])('charges nothing for the absence of a phone %s', async (_what, lost) => {
      const callId = await rig.talking({ reported_at: new Date(MONDAY - 30_000) });
      await lost(callId);
      const since = (await rig.callOf(callId)).orphaned_at ?? new Date(MONDAY - 30_000);
      rig.api.clock.time = MONDAY + 90_000;
      await leaves(callId);
      expect(await rig.callOf(callId)).toMatchObject({ end_reason: 'dropped', ended_at: since });
    });

    test('charges for the whole conversation if the agent returned too', async () => {
      const callId = await rig.talking();
      rig.present = { person: null, agent: true };
      await leaves(callId);
      expect(await rig.callOf(callId)).toMatchObject({ end_reason: 'callee', duration_ms: 60_400 });
    });
  });

  test("keeps the line if the room can't be deleted", async () => {
    const callId = await rig.talking();
    rig.present = { person: phone(true), agent: false };
    jest.spyOn(rig.rooms, 'delete').mockRejectedValueOnce(new Error('unreachable'));
    await back(callId);
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test('distinguishes a returning phone from a new one, even in a late report', async () => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY) });
    rig.present = { person: phone(false), agent: false };
    await back(callId, 0);
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(rig.deleted).toEqual([]);
  });
});

test("keeps the line when the agent leaves the room and the phone doesn't respond", async () => {
  const callId = await rig.talking();
  rig.present = { person: { kind: 'unproven' }, agent: false };
  await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
  expect(rig.deleted).toEqual([]);
});

test('keeps the line of a phone that rings in a lost room, because nothing would report an answer', async () => {
  const callId = await rig.placed({ dialing_at: new Date(MONDAY - 2_000) });
  await rig.delivered(webhook('room_finished', callId));
  expect(await rig.callOf(callId)).toMatchObject({ stage: 'placed', orphaned_by: 'livekit' });
});

test('keeps the line of a phone in a closed room, because LiveKit may have lost it', async () => {
  const callId = await rig.talking();
  await rig.delivered(webhook('room_finished', callId));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
});

test('ends a browser session in a closed room as dropped', async () => {
  const callId = await rig.talking({
    call_id: `room_${'c'.repeat(32)}`,
    medium: 'webrtc',
    direction: 'Incoming',
  });
  await rig.delivered(webhook('room_finished', callId));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'dropped' });
});

describe('the end of a phone that the bridge hung up on our request', () => {
  const hungUp = (callId: string, metadata = '{}'): string =>
    webhook('participant_left', callId, {
      room: { sid: 'RM_1', name: callId, metadata },
      participant: {
        ...TALKER,
        attributes: { 'sip.callStatus': 'hangup' },
        disconnectReason: 'CLIENT_INITIATED',
      },
    });

  test('uses the end reason that the agent reports a moment later', async () => {
    const callId = await rig.talking();
    rig.wait = async () => {
      await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
      const ended = { type: 'ended', end_reason: 'max_talk', answered_by: 'human' };
      await rig.api.ask('/api/carrier/events', {
        json: { carrier_id: callId, reference: callId, at: new Date(MONDAY).toISOString(), ...ended },
        as: null,
        headers: { Authorization: 'Bearer a-secret-of-the-carrier' },
      });
    };
    await rig.delivered(hungUp(callId, '{"v":1,"end_reason":"agent"}'));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'max_talk' });
  });

  test('uses the end reason that the agent recorded in the room if it reports none', async () => {
    const callId = await rig.talking();
    await rig.delivered(hungUp(callId, '{"v":1,"end_reason":"agent"}'));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'agent', callStatus: 'completed' });
  });

  test('reports platform as the end reason if we requested the hang-up', async () => {
    const callId = await rig.talking({ hang_up_requested_at: new Date(MONDAY) });
    await rig.delivered(hungUp(callId));
    await expect(rig.endOf(callId)).resolves.toMatchObject({
      endReason: 'platform',
      callStatus: 'completed',
    });
  });

  test.each(['', 'their own words', '{"end_reason":"because"}'])(
    "attributes the end to the callee if the room's metadata is %p",
    async (metadata) => {
      const callId = await rig.talking();
      await rig.delivered(hungUp(callId, metadata));
      await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'callee' });
    },
  );
});
