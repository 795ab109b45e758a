/** LiveKit's webhooks, with signatures like LiveKit's. */
import { CARRIER_SECRET, LiveKitRig } from './support/livekit-rig';
import { AGENT, BROWSER, CALLEE, left, signature, TALKER, webhook } from './support/livekit-webhooks';
import { MONDAY, openTestApi, type Answer } from './support/test-api';

let rig: LiveKitRig;

beforeAll(async () => {
  rig = await LiveKitRig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.reset());

describe('the signature of a webhook', () => {
  test('accepts the signature of the body as received', async () => {
    const { status, body } = await rig.send(webhook('room_started', rig.newRoom()));
    expect([status, body]).toEqual([200, { accepted: true }]);
  });

  test.each([
    ['is missing', () => Promise.resolve('')],
    ['is malformed', () => Promise.resolve('Bearer nonsense')],
    ['is of another body', () => signature('{}')],
    [
      'is made with another key',
      (body: string) => signature(body, 'a secret of somebody else, as long as ours'),
    ],
  ])('rejects a signature that %s, and changes nothing', async (_what, sign) => {
    const callId = await rig.talking();
    const body = left(callId, 'CLIENT_INITIATED');
    const answer = await rig.send(body, await sign(body));
    expect(answer.status).toBe(401);
    expect(answer.body.detail.code).toBe('NOT_AUTHORISED');
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test('rejects a body that was modified after it was signed', async () => {
    const body = left(await rig.talking(), 'CLIENT_INITIATED');
    expect((await rig.send(` ${body}`, await signature(body))).status).toBe(401);
  });
});

test("returns 404 for a webhook if LiveKit isn't configured", async () => {
  const without = await openTestApi({ carrierSecret: CARRIER_SECRET });
  const { status } = await without.ask('/api/livekit/webhook', { json: {}, as: null });
  expect(status).toBe(404);
  await without.close();
});

describe('a phone that joins the room', () => {
  test('records the dial at the time when the phone joined', async () => {
    const callId = await rig.placed({ stage: 'requested', requested_at: new Date(MONDAY) });
    await rig.delivered(webhook('participant_joined', callId, { participant: CALLEE }));
    const call = await rig.callOf(callId);
    expect([call.stage, call.call_status, call.dialing_at]).toEqual(['placed', 'dialing', new Date(MONDAY)]);
    expect(call.carrier_id).toBe(callId);
  });

  test("takes the caller ID from the phone's attributes if the worker died before it could record the number", async () => {
    const callId = await rig.placed({ stage: 'requested', requested_at: new Date(MONDAY) });
    const participant = { ...CALLEE, attributes: { 'platform.from': '+918040000001' } };
    await rig.delivered(webhook('participant_joined', callId, { participant }));
    expect((await rig.callOf(callId)).from_number).toBe('+918040000001');
  });

  test('records no dial when a caller, a browser or an agent joins', async () => {
    const caller = await rig.placed({
      call_id: 'inbound-1-a',
      direction: 'Incoming',
      carrier_id: 'inbound-_1_x',
    });
    await rig.delivered(webhook('participant_joined', 'inbound-_1_x', { participant: CALLEE }));
    const callId = await rig.placed();
    await rig.delivered(webhook('participant_joined', callId, { participant: AGENT }));
    await rig.delivered(webhook('participant_joined', callId, { participant: BROWSER }));
    expect([(await rig.callOf(caller)).dialing_at, (await rig.callOf(callId)).dialing_at]).toEqual([
      null,
      null,
    ]);
  });
});

describe('a person who leaves during the conversation', () => {
  test.each([
    ['CLIENT_INITIATED', 'callee', 'User disconnected'],
    ['ROOM_DELETED', 'platform', 'completed'],
    ['UNKNOWN_REASON', 'dropped', 'error'],
    ['MEDIA_FAILURE', 'dropped', 'error'],
  ])('ends the call when the person leaves with %s: %s', async (reason, endReason, callStatus) => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, reason, TALKER));
    await expect(rig.endOf(callId)).resolves.toEqual({ stage: 'over', endReason, callStatus });
  });

  test("ends the call as dropped if the SIP bridge didn't mark the phone as hung up", async () => {
    const [lost, hungUp] = [await rig.talking(), await rig.talking()];
    const leg = (status: string) => ({ ...TALKER, attributes: { 'sip.callStatus': status } });
    await rig.delivered(left(lost, 'CLIENT_INITIATED', leg('active')));
    await rig.delivered(left(hungUp, 'CLIENT_INITIATED', leg('hangup')));
    await expect(rig.endOf(lost)).resolves.toMatchObject({ endReason: 'dropped', callStatus: 'error' });
    await expect(rig.endOf(hungUp)).resolves.toMatchObject({ endReason: 'callee' });
  });

  test('ends the call when a browser leaves', async () => {
    const callId = await rig.talking({
      call_id: `room_${'b'.repeat(32)}`,
      medium: 'webrtc',
      direction: 'Incoming',
    });
    await rig.delivered(left(callId, 'CLIENT_INITIATED', BROWSER));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'callee' });
  });

  test("ends the call when a caller leaves a room that isn't named after the call", async () => {
    const callId = await rig.talking({
      call_id: 'inbound-1-b',
      direction: 'Incoming',
      carrier_id: 'inbound-_2_x',
    });
    await rig.delivered(left('inbound-_2_x', 'CLIENT_INITIATED', TALKER));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'callee' });
  });

  test("reports max_talk when the person leaves at the agent's time limit, ten minutes by default", async () => {
    const callId = await rig.talking({
      answered_at: new Date(MONDAY - 600_000),
      requested_at: new Date(MONDAY - 610_000),
    });
    const joinedAtMs = String(MONDAY - 605_000);
    await rig.delivered(left(callId, 'CLIENT_INITIATED', { ...TALKER, joinedAtMs }));
    await expect(rig.endOf(callId)).resolves.toMatchObject({
      endReason: 'max_talk',
      callStatus: 'completed',
    });
  });

  test("records an end within the second that LiveKit reports, as close as possible to the webhook's arrival", async () => {
    const [soon, late] = [await rig.talking(), await rig.talking()];
    await rig.delivered(left(soon, 'CLIENT_INITIATED', TALKER));
    rig.api.clock.time = MONDAY + 20_000;
    await rig.delivered(left(late, 'CLIENT_INITIATED', TALKER));
    const ends = [(await rig.callOf(soon)).ended_at, (await rig.callOf(late)).ended_at];
    expect(ends).toEqual([new Date(MONDAY + 400), new Date(MONDAY + 999)]);
  });

  test('waits a moment for the report of the agent that removed the person', async () => {
    const callId = await rig.talking();
    const look = putOff();
    await rig.send(left(callId, 'PARTICIPANT_REMOVED'));
    await carrierReports(callId, { type: 'ended', end_reason: 'max_talk', answered_by: 'human' });
    look();
    await rig.settled();
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'max_talk' });
  });
});

describe('a person who leaves before the answer', () => {
  test.each([
    ['USER_UNAVAILABLE', 'no_answer', 'no answer'],
    ['USER_REJECTED', 'busy', 'busy'],
    ['SIP_TRUNK_FAILURE', 'carrier_failure', 'failed'],
    ['UNKNOWN_REASON', 'carrier_failure', 'failed'],
    ['ROOM_DELETED', 'platform', 'cancelled'],
  ])(
    'ends a dial after a while when the person leaves with %s, with an approximate reason: %s',
    async (reason, endReason, callStatus) => {
      const callId = await rig.placed();
      await rig.delivered(left(callId, reason));
      await expect(rig.endOf(callId)).resolves.toEqual({ stage: 'over', endReason, callStatus });
    },
  );

  test('ends a dial when LiveKit reports an aborted connection', async () => {
    const callId = await rig.placed();
    const participant = { ...CALLEE, disconnectReason: 'USER_UNAVAILABLE' };
    await rig.delivered(webhook('participant_connection_aborted', callId, { participant }));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'no_answer' });
  });

  test('prefers a more precise report that arrives in the meantime', async () => {
    const callId = await rig.placed();
    const look = putOff();
    await rig.send(left(callId, 'USER_REJECTED'));
    await carrierReports(callId, { type: 'ended', end_reason: 'rejected' });
    look();
    await rig.settled();
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'rejected' });
  });

  test('ends the call as answered if the answer is reported in the meantime', async () => {
    const callId = await rig.placed();
    const look = putOff();
    await rig.send(left(callId, 'CLIENT_INITIATED'));
    await carrierReports(callId, { type: 'answered', answered_by: 'human' });
    look();
    await rig.settled();
    await expect(rig.endOf(callId)).resolves.toMatchObject({
      endReason: 'callee',
      callStatus: 'User disconnected',
    });
  });

  test('handles the departure before the API stops', async () => {
    const callId = await rig.placed();
    const look = putOff();
    await rig.send(left(callId, 'USER_UNAVAILABLE'));
    const closed = rig.settled();
    look();
    await closed;
    await expect(rig.endOf(callId)).resolves.toMatchObject({ endReason: 'no_answer' });
  });
});

describe('an agent that leaves', () => {
  test('ends the call as dropped and removes the person when the agent leaves', async () => {
    const callId = await rig.talking();
    rig.present = { person: { kind: 'there', isAnswered: null }, agent: false };
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await expect(rig.endOf(callId)).resolves.toEqual({
      stage: 'over',
      endReason: 'dropped',
      callStatus: 'error',
    });
    expect(rig.deleted).toEqual([callId]);
  });

  test("keeps the line and reports no end when the person can't be removed", async () => {
    const callId = await rig.talking();
    rig.present = { person: { kind: 'there', isAnswered: null }, agent: false };
    jest.spyOn(rig.rooms, 'delete').mockRejectedValueOnce(new Error('unreachable'));
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test('fails the dial when the agent leaves while the phone rings', async () => {
    const callId = await rig.placed();
    rig.present = { person: { kind: 'there', isAnswered: null }, agent: false };
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await expect(rig.endOf(callId)).resolves.toMatchObject({
      endReason: 'carrier_failure',
      callStatus: 'failed',
    });
  });

  test('ignores the departure when a second agent is present', async () => {
    const callId = await rig.talking();
    rig.present = { person: { kind: 'there', isAnswered: null }, agent: true };
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(rig.deleted).toEqual([]);
  });

  test('ignores the departure before the call is placed, because the dial handles it', async () => {
    const callId = await rig.placed({ stage: 'granted' });
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'granted' });
  });
});

describe('a late or repeated webhook', () => {
  test("doesn't change the end that was recorded first", async () => {
    const callId = await rig.talking();
    await rig.delivered(left(callId, 'CLIENT_INITIATED'));
    const first = await rig.callOf(callId);
    rig.api.clock.time = MONDAY + 30_000;
    await rig.delivered(left(callId, 'CLIENT_INITIATED'));
    await rig.delivered(left(callId, 'ROOM_DELETED'));
    await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
    await rig.delivered(webhook('room_finished', callId));
    await rig.delivered(webhook('participant_joined', callId, { participant: CALLEE }));
    const {
      dialing_at: _dialled,
      reported_at: _reported,
      carrier_id: _room,
      ...last
    } = await rig.callOf(callId);
    expect(first).toMatchObject(last);
  });

  test('ignores a phone that joined before the current request', async () => {
    const [requested_at, answered_at] = [90_000, 95_000].map((afterMs) => new Date(MONDAY + afterMs));
    const callId = await rig.talking({ requested_at, answered_at });
    await rig.delivered(left(callId, 'CLIENT_INITIATED'));
    await rig.delivered(webhook('room_finished', callId));
    await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test.each(['board-meeting', 'outbound-1-unknown', 'inbound-_nobody_x', "x' or '1'='1"])(
    'changes nothing for the room %p, which belongs to no call',
    async (room) => {
      await rig.delivered(left(room, 'CLIENT_INITIATED'));
      await rig.delivered(left(room, 'CLIENT_INITIATED', AGENT));
      await rig.delivered(webhook('participant_joined', room, { participant: CALLEE }));
      await rig.delivered(webhook('room_finished', room));
    },
  );

  test.each([
    ['of an unknown event', { event: 'egress_ended' }],
    ['without a room', { event: 'participant_left', participant: CALLEE }],
    ['without a participant', { event: 'participant_left', room: { name: 'x' } }],
    ['with unknown fields', { event: 'room_started', room: { name: 'x', colour: 'red' }, more: 1 }],
  ])('accepts a webhook %s', async (_what, body) => {
    await rig.delivered(JSON.stringify(body));
  });
});

test('logs a failed check of the room, and leaves the call to reconciliation', async () => {
  const callId = await rig.talking();
  const whoIsIn = jest.spyOn(rig.rooms, 'whoIsIn').mockRejectedValueOnce(new Error('unreachable'));
  await rig.delivered(left(callId, 'CLIENT_INITIATED', AGENT));
  await expect(rig.endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect(rig.api.logLines().some((line) => line.includes('LiveKit event could not be applied'))).toBe(true);
  whoIsIn.mockRestore();
});

test("doesn't log a caller's room, whose name contains their number", async () => {
  const caller = { ...CALLEE, identity: 'sip_+919876543210' };
  await rig.delivered(left('inbound-_+919876543210_x', 'CLIENT_INITIATED', caller));
  expect(rig.api.logLines().join('')).not.toContain('919876543210');
});

/** Holds deferred work back until the returned function is called. */
function putOff(): () => void {
  let look: () => void = () => undefined;
  const waited = new Promise<void>((resolve) => (look = resolve));
  rig.wait = () => waited;
  return look;
}

function carrierReports(reference: string, fields: object): Promise<Answer> {
  return rig.api.ask('/api/carrier/events', {
    json: { carrier_id: reference, reference, at: new Date(MONDAY).toISOString(), ...fields },
    as: null,
    headers: { Authorization: `Bearer ${CARRIER_SECRET}` },
  });
}
