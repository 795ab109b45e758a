/** Phones that LiveKit reports as lost, phones that come back, and those that their bridge hung up for us, by its webhooks. */
import { LiveKitRig } from './support/livekit-rig';
import { AGENT, CALLEE, calleeSince, left, TALKER, webhook } from './support/livekit-webhooks';
import { MONDAY } from './support/test-api';

let rig: LiveKitRig;

beforeAll(async () => {
  rig = await LiveKitRig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.reset());

describe('a phone that leaves a talk', () => {
  test.each(['CONNECTION_TIMEOUT', 'SERVER_SHUTDOWN', 'SIGNAL_CLOSE'])(
    'with %s may be connected still: its line is kept',
    async (reason) => {
      const callId = await rig.talking();
      await rig.delivered(left(callId, reason));
      await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
      expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
    },
  );

  test('and timed out was lost twenty seconds before', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CONNECTION_TIMEOUT'));
    const { stranded_at: since, line_kept_until: keptUntil } = await rig.callOf(callId);
    expect([since, keptUntil]).toEqual([new Date(MONDAY + 400 - 20_000), new Date(MONDAY + 400 + 100_000)]);
  });

  test('after it was lost, as its room was rig.deleted, was not hung up: its bridge is dead', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CONNECTION_TIMEOUT'));
    await rig.delivered(left(callId, 'ROOM_DELETED'));
    await rig.delivered(webhook('room_finished', callId));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });
});

describe('a phone that leaves before it answered', () => {
  test('as its bridge died rings on: its line is kept for as long as it may', async () => {
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
  ])('with %s was lost by the death of: %s', async (reason, by) => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY - 2_000) });
    await rig.delivered(left(callId, reason));
    expect(await rig.callOf(callId)).toMatchObject({ stranded_by: by });
  });

  test('and is marked as hung up had answered unseen, as LiveKit was away: the person is not dialled again', async () => {
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

  test('and rang us has given up, or will', async () => {
    const callId = await rig.placed({
      call_id: 'inbound-1-c',
      direction: 'Incoming',
      carrier_id: 'inbound-_3_x',
    });
    await rig.delivered(left('inbound-_3_x', 'CONNECTION_TIMEOUT'));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'over' });
  });
});

describe('a phone that comes back', () => {
  const back = (callId: string, afterMs = 30_000): Promise<void> =>
    rig.delivered(
      webhook('participant_joined', callId, {
        participant: { ...CALLEE, joinedAtMs: String(MONDAY + afterMs) },
      }),
    );
  const phone = (isAnswered: boolean | null) => ({ kind: 'there', isAnswered }) as const;

  test('to a call that is over is hung up with its room', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CLIENT_INITIATED'));
    await back(callId);
    expect(rig.deleted).toEqual([callId]);
  });

  test('without its agent is hung up, and the talk is over from when anything was last reported of it', async () => {
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

  test('with its agent goes on talking, also where the agent takes a moment longer', async () => {
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

  test('after it was lost, with its agent, is lost no more', async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'SIGNAL_CLOSE'));
    rig.present = { person: phone(true), agent: true };
    await back(callId);
    expect(await rig.callOf(callId)).toMatchObject({
      stage: 'placed',
      stranded_at: null,
      stranded_by: null,
      line_kept_until: null,
    });
  });

  test.each([
    [
      'was answered meanwhile ends as a talk that broke off: the person is not dialled again',
      true,
      'dropped',
      'error',
    ],
    ['rings still ends as a dial that failed', false, 'carrier_failure', 'failed'],
  ])('while it was dialled, and %s', async (_what, isAnswered, endReason, callStatus) => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY - 5_000) });
    rig.present = { person: phone(isAnswered), agent: false };
    await back(callId);
    await expect(rig.endOf(callId)).resolves.toEqual({ stage: 'over', endReason, callStatus });
    expect(await rig.callOf(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
  });

  describe('to a talk, and hangs up before we did it,', () => {
    const leaves = (callId: string) =>
      rig.delivered(
        left(callId, 'CLIENT_INITIATED', {
          ...calleeSince(MONDAY - 2_000),
          attributes: { 'sip.callStatus': 'hangup' },
        }),
      );

    test.each([
      ['that was lost', (callId: string) => rig.delivered(left(callId, 'SIGNAL_CLOSE', TALKER))],
      ['of which nobody had reported the loss', () => Promise.resolve()],
    ])('had nobody to talk to since the loss of a call %s: that is free', async (_what, lost) => {
      const callId = await rig.talking({ reported_at: new Date(MONDAY - 30_000) });
      await lost(callId);
      const since = (await rig.callOf(callId)).stranded_at ?? new Date(MONDAY - 30_000);
      rig.api.clock.time = MONDAY + 90_000;
      await leaves(callId);
      expect(await rig.callOf(callId)).toMatchObject({ end_reason: 'dropped', ended_at: since });
    });

    test('has talked with its agent, where that came back too', async () => {
      const callId = await rig.talking();
      rig.present = { person: null, agent: true };
      await leaves(callId);
      expect(await rig.callOf(callId)).toMatchObject({ end_reason: 'callee', duration_ms: 60_400 });
    });
  });

  test('whose room cannot be deleted keeps its line', async () => {
    const callId = await rig.talking();
    rig.present = { person: phone(true), agent: false };
    jest.spyOn(rig.rooms, 'delete').mockRejectedValueOnce(new Error('away'));
    await back(callId);
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test('is not one that came for the first time, however late that is reported', async () => {
    const callId = await rig.placed({ dialing_at: new Date(MONDAY) });
    rig.present = { person: phone(false), agent: false };
    await back(callId, 0);
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(rig.deleted).toEqual([]);
  });
});

test('an agent that is gone beside a phone that LiveKit lists and that does not reply leaves a line that is kept', async () => {
  const callId = await rig.talking();
  rig.present = { person: { kind: 'unproven' }, agent: false };
  await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
  expect(rig.deleted).toEqual([]);
});

test('a phone that rings in a room that LiveKit lost may be answered unseen: how it ended is unknown', async () => {
  const callId = await rig.placed({ dialing_at: new Date(MONDAY - 2_000) });
  await rig.delivered(webhook('room_finished', callId));
  expect(await rig.callOf(callId)).toMatchObject({ stage: 'placed', stranded_by: 'livekit' });
});

test('a room that is closed leaves a phone that may come back: LiveKit may have lost them', async () => {
  const callId = await rig.talking();
  await rig.delivered(webhook('room_finished', callId));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await rig.callOf(callId)).line_kept_until).not.toBeNull();
});

test('a room that is closed ends the session of a browser', async () => {
  const callId = await rig.talking({
    call_id: `room_${'c'.repeat(32)}`,
    medium: 'webrtc',
    direction: 'Incoming',
  });
  await rig.delivered(webhook('room_finished', callId));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'dropped' });
});

describe('a phone that its bridge hung up for us leaves as one whose callee hung up; the end', () => {
  const hungUp = (callId: string, metadata = '{}'): string =>
    webhook('participant_left', callId, {
      room: { sid: 'RM_1', name: callId, metadata },
      participant: {
        ...TALKER,
        attributes: { 'sip.callStatus': 'hangup' },
        disconnectReason: 'CLIENT_INITIATED',
      },
    });

  test('is reported by the agent, a moment later', async () => {
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

  test('is as the agent recorded it in the room, where the agent reports no more', async () => {
    const callId = await rig.talking();
    await rig.delivered(hungUp(callId, '{"v":1,"end_reason":"agent"}'));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'agent', callStatus: 'completed' });
  });

  test('is ours where a hang-up was asked for', async () => {
    const callId = await rig.talking({ hang_up_asked_at: new Date(MONDAY) });
    await rig.delivered(hungUp(callId));
    await expect(rig.endOf(callId)).resolves.toMatchObject({
      endReason: 'platform',
      callStatus: 'completed',
    });
  });

  test.each(['', 'their own words', '{"end_reason":"because"}'])(
    'is the callee’s in a room that says %p',
    async (metadata) => {
      const callId = await rig.talking();
      await rig.delivered(hungUp(callId, metadata));
      await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'callee' });
    },
  );
});
