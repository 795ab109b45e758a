import { DisconnectReason, type ParticipantInfo } from '@livekit/protocol';
import { AccessToken, SipCallError } from 'livekit-server-sdk';
import { describeWith } from '../servers/availability';
import { Bridge } from './support/bridge';
import { eventually } from './support/eventually';

const START_WITHIN_MS = 90_000;

describeWith('livekit', 'the SIP stand-in in front of a real LiveKit server', () => {
  let bridge: Bridge;

  beforeAll(async () => {
    // Calls talk long enough for the room to store the answer before a call is dropped.
    bridge = await Bridge.open({ ringMs: 300, talkMs: 2_000, ringCapMs: 1500 });
  }, START_WITHIN_MS);
  afterAll(() => bridge.close());

  const untilState = (number: string, state: string) =>
    eventually(20_000, () => expect(bridge.states(number)).toContain(state));

  test.each([
    { ending: 85, code: 'resource_exhausted', sip: 486, left: DisconnectReason.USER_REJECTED },
    { ending: 88, code: 'permission_denied', sip: 603, left: DisconnectReason.USER_REJECTED },
    { ending: 74, code: 'not_found', sip: 404, left: DisconnectReason.USER_UNAVAILABLE },
    { ending: 80, code: 'resource_exhausted', sip: 480, left: DisconnectReason.USER_UNAVAILABLE },
    { ending: 92, code: 'failed_precondition', sip: 503, left: DisconnectReason.CLIENT_INITIATED },
  ])(
    'fails a call to $ending with SIP status $sip, and removes the participant as the real bridge does',
    async (row) => {
      const placed = bridge.next(row.ending);
      const error = await bridge.refused(placed);
      expect(error).toBeInstanceOf(SipCallError);
      expect([error.code, error.sipStatusCode]).toEqual([row.code, row.sip]);
      const participant = await bridge.left(placed.room);
      expect(participant).toMatchObject({ identity: 'callee', disconnectReason: row.left });
      expect(participant.attributes['sip.callStatus']).not.toBe('active');
    },
  );

  test("returns no SIP status when the request's ring timeout expires", async () => {
    const placed = bridge.next(80);
    const error = await bridge.refused(placed, { ringingTimeout: 1 });
    expect([error.code, error.metadata]).toEqual(['canceled', undefined]);
    expect(bridge.states(placed.number)).toEqual(['dialing', 'ringing', 'ended: no_answer']);
  });

  test('adds a phone as a participant of kind SIP with the attributes of its call', async () => {
    const placed = bridge.next(0);
    const { sipCallId } = await bridge.dial(placed);
    // The room service shows the track and the attributes of the answer with a delay.
    await eventually(10_000, async () => {
      const callee = await bridge.rooms.getParticipant(placed.room, 'callee');
      expect(callee.tracks).toHaveLength(1);
      expect(callee).toMatchObject({
        kind: 3,
        attributes: {
          'sip.callStatus': 'active',
          'sip.callID': sipCallId,
          'sip.callIDFull': expect.any(String),
          'sip.callTag': expect.any(String),
          'sip.phoneNumber': placed.number,
          'sip.trunkPhoneNumber': '+911140000000',
        },
      });
    });
    await bridge.rooms.deleteRoom(placed.room);
    await untilState(placed.number, 'ended: platform');
  });

  test('omits numbers from the attributes if the request hides them', async () => {
    const placed = bridge.next(0);
    await bridge.dial(placed, { hidePhoneNumber: true });
    const { attributes } = await bridge.rooms.getParticipant(placed.room, 'callee');
    expect(JSON.stringify(attributes)).not.toContain(placed.number);
    await bridge.rooms.removeParticipant(placed.room, 'callee');
    await untilState(placed.number, 'ended: platform');
  });

  test('distinguishes a callee who hangs up from a dropped call, whose status stays active', async () => {
    const [callee, dropped] = [bridge.next(70), bridge.next(91)];
    await Promise.all([bridge.dial(callee), bridge.dial(dropped)]);
    const reasons = [await bridge.left(callee.room), await bridge.left(dropped.room)].map(
      ({ disconnectReason, attributes }) => [disconnectReason, attributes['sip.callStatus']],
    );
    expect(reasons).toEqual([
      [DisconnectReason.CLIENT_INITIATED, 'hangup'],
      [DisconnectReason.CLIENT_INITIATED, 'active'],
    ]);
    expect(bridge.states(callee.number).at(-1)).toBe('ended: callee');
    expect(bridge.states(dropped.number).at(-1)).toBe('ended: dropped');
  });

  test('hangs up the phone before the hang-up request returns, and removes its participant from the room', async () => {
    const placed = bridge.next(0);
    await bridge.dial(placed);
    await expect(bridge.hangUp(placed)).resolves.toBe('hungUp');
    expect(bridge.states(placed.number).at(-1)).toBe('ended: platform');
    const { disconnectReason, attributes } = await bridge.left(placed.room);
    expect([disconnectReason, attributes['sip.callStatus']]).toEqual([
      DisconnectReason.CLIENT_INITIATED,
      'hangup',
    ]);
  });

  test('ends a call at its maximum duration, counted from the request', async () => {
    const placed = bridge.next(73);
    await bridge.dial(placed, { maxCallDuration: 2 });
    await untilState(placed.number, 'ended: max_talk');
    const { attributes } = await bridge.left(placed.room);
    expect(attributes['sip.callStatus']).toBe('hangup');
  });

  test('rejects an invalid number without placing a call', async () => {
    const placed = bridge.next(89);
    expect(await bridge.refused(placed)).toMatchObject({ sipStatusCode: 404 });
    expect(bridge.carrier(placed.number).placed).toEqual([]);
    expect(bridge.carrier(placed.number).dialled).toEqual(new Set([placed.room]));
  });

  test.each([
    { ending: 95, code: 'unavailable' },
    { ending: 96, code: 'resource_exhausted' },
    { ending: 65, code: 'unavailable' },
  ])(
    'rejects the first request to $ending with $code, and places a call for the second',
    async ({ ending, code }) => {
      const placed = bridge.next(ending);
      expect(await bridge.refused(placed)).toMatchObject({ code, metadata: undefined });
      expect(bridge.carrier(placed.number).placed).toEqual([]);
      await bridge.dial(placed);
      expect(bridge.carrier(placed.number).placed).toHaveLength(1);
      await bridge.rooms.deleteRoom(placed.room);
    },
  );

  test('drops the reply for a call to 93, which continues', async () => {
    const placed = bridge.next(93);
    await expect(bridge.dial(placed)).rejects.toThrow('fetch failed');
    await untilState(placed.number, 'answered');
    await bridge.rooms.deleteRoom(placed.room);
  });

  test('keeps the participant until the ring timeout if the trunk never rings', async () => {
    const placed = bridge.next(62);
    const error = await bridge.refused(placed, { ringingTimeout: 1 });
    expect([error.code, error.message]).toEqual(['canceled', expect.stringContaining('timed out')]);
    expect((await bridge.left(placed.room)).attributes['sip.callStatus']).toBe('dialing');
    expect(bridge.states(placed.number)).toEqual(['dialing', 'ended: carrier_failure']);
  });

  test.each([
    { ending: 63, code: 'canceled' },
    { ending: 64, code: 'failed_precondition' },
  ])(
    'treats an answer from $ending at the end of the ring time as no answer ($code)',
    async ({ ending, code }) => {
      const placed = bridge.next(ending);
      expect(await bridge.refused(placed, { ringingTimeout: 1 })).toMatchObject({
        code,
        metadata: undefined,
      });
      expect(bridge.states(placed.number).slice(-2)).toEqual(['answered', 'ended: platform']);
      expect((await bridge.left(placed.room)).attributes['sip.callStatus']).toBe('ringing');
    },
  );

  test('rejects a token that was signed with another secret', async () => {
    const token = new AccessToken('local', 'another secret of more than thirty-two characters', {
      identity: 'x',
    });
    token.addSIPGrant({ call: true });
    const response = await fetch(`${bridge.url}/twirp/livekit.SIP/CreateSIPParticipant`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token.toJwt()}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  test("ends a call after its transfer, but not if the target is busy or doesn't answer", async () => {
    const placed = bridge.next(73);
    await bridge.dial(placed);
    await expect(
      bridge.sip.transferSipParticipant(placed.room, 'callee', 'tel:+916100000085'),
    ).rejects.toMatchObject({ sipStatusCode: 486 });
    await expect(
      bridge.sip.transferSipParticipant(placed.room, 'callee', 'tel:+916100000067', { ringingTimeout: 1 }),
    ).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(bridge.states(placed.number)).not.toContain('ended: callee');
    await bridge.sip.transferSipParticipant(placed.room, 'callee', 'tel:+916100000000');
    await untilState(placed.number, 'ended: callee');
  });

  test("puts a ringing caller into the room that the real server's dispatch rule names", async () => {
    const to = '+916100000001';
    expect(await bridge.callIn(to, '+916200000070')).toMatchObject({ status: 404 });
    const trunk = await bridge.sip.createSipInboundTrunk('in', [to]);
    await bridge.sip.createSipDispatchRule(
      { type: 'individual', roomPrefix: 'inbound-' },
      { trunkIds: [trunk.sipTrunkId], name: 'in' },
    );
    const { status, body } = await bridge.callIn(to, '+916200000070');
    expect(status).toBe(201);
    expect(body.room).toMatch(/^inbound-_\+916200000070_/);
    const [caller] = await bridge.rooms.listParticipants(body.room);
    expect(caller).toMatchObject({
      kind: 3,
      attributes: {
        'sip.callStatus': 'ringing',
        'sip.trunkPhoneNumber': to,
        'sip.phoneNumber': '+916200000070',
      },
    });
    await bridge.rooms.deleteRoom(body.room);
    await untilState(to, 'ended: platform');
    const gaveUp = await bridge.callIn(to, '+916200000068');
    const { disconnectReason, attributes } = await bridge.left(gaveUp.body.room);
    expect([disconnectReason, attributes['sip.callStatus']]).toEqual([
      DisconnectReason.CLIENT_INITIATED,
      'hangup',
    ]);
    expect(await bridge.callIn('+916100000002', '+916200000070')).toMatchObject({ status: 404 });
  });

  /** Omits the attributes of the answer, which the room stores with a delay. */
  const atTheDial = ({ attributes }: ParticipantInfo): Record<string, string> => {
    const { 'sip.callIDFull': _callId, 'sip.callTag': _tag, ...others } = attributes;
    return others;
  };

  test('rejoins a phone with the status of the dial after LiveKit has lost its room', async () => {
    const placed = bridge.next(73);
    await bridge.dial(placed);
    const before = await bridge.rooms.getParticipant(placed.room, 'callee');
    await bridge.livekit.kill();
    await bridge.livekit.start();
    const after = await eventually(40_000, async () => {
      const participant = await bridge.rooms.getParticipant(placed.room, 'callee');
      expect(participant.sid).not.toBe(before.sid);
      expect(participant.tracks).toHaveLength(1);
      return participant;
    });
    expect(atTheDial(after)).toEqual({ ...atTheDial(before), 'sip.callStatus': 'dialing' });
    expect(bridge.states(placed.number).at(-1)).toBe('answered');
    await bridge.rooms.deleteRoom(placed.room);
    await untilState(placed.number, 'ended: platform');
  }, 60_000);

  test('leaves callees connected without audio after kill -9, and logs when they hang up', async () => {
    const placed = bridge.next(73);
    await bridge.dial(placed);
    await bridge.standIn.kill();
    await bridge.standIn.start();
    expect(bridge.states(placed.number).at(-1)).toBe('answered');
    await eventually(40_000, () => expect(bridge.states(placed.number).at(-1)).toBe('ended: dropped'));
    expect(await bridge.stats()).toMatchObject({ live: 0, duplicate_references: 0 });
  }, 60_000);
});
