import { randomUUID } from 'node:crypto';
import { livekitTelephony } from '../../activities/telephony/livekit';
import {
  CarrierUnreachable,
  TAKE_UP_MS,
  type CarrierCall,
  type Telephony,
} from '../../activities/telephony/port';
import { DEPLOYMENT, LIVEKIT_PARTS } from './support/livekit-parts';
import { FakeLiveKit, KEY, TwirpFault, type FakeParticipant } from './support/fake-livekit';
import type { StrandedBy } from '../../domain/stranded-call';

const REFERENCE = 'outbound-1790000000-00000000000000000000000000000001';
const SESSION = `room_1793595600-${'a'.repeat(32)}`;
const CALLER = 'inbound-1790000000-00000000000000000000000000000002';
const CALLERS_ROOM = 'inbound-_caller_x1';

const READY = { 'platform.ready': 'true' };
const AGENT: FakeParticipant = { identity: 'agent-1', kind: 'agent', attributes: READY };
const phone = (status: string, more: Record<string, string> = {}): FakeParticipant => ({
  identity: 'callee',
  kind: 'phone',
  attributes: { 'sip.callStatus': status, ...more },
});
const BROWSER: FakeParticipant = { identity: 'web-user', kind: 'browser' };

let livekit: FakeLiveKit;
let url: string;
let telephony: Telephony;

const open = (readyWithinMs: number): Telephony =>
  livekitTelephony(
    {
      url,
      ...KEY,
      agentName: 'voice-agent',
      trunk: { kind: 'stored', trunkId: 'ST_1' },
      inboundAddresses: ['192.0.2.1'],
    },
    {
      ...LIVEKIT_PARTS,
      roomOf: (reference) => Promise.resolve(reference === CALLER ? CALLERS_ROOM : null),
      limits: { readyWithinMs, firstSignWithinMs: 300 },
    },
  );

beforeEach(async () => {
  livekit = new FakeLiveKit();
  url = await livekit.open();
  telephony = open(300);
});

afterEach(() => livekit.close());

const AWAY = new TwirpFault('internal', 'redis is away', {}, 500);
const jobOf = (callId: string): string => JSON.stringify({ call_id: callId, ticket: `ticket of ${callId}` });
const record = (facts: object = {}): string =>
  JSON.stringify({ v: 1, deployment: DEPLOYMENT, call_id: REFERENCE, ...facts });

describe('before a dial', () => {
  test('a call gets a room of its own name with one of our agents in it, who knows the call and has its ticket', async () => {
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'ready' });
    const room = livekit.rooms.get(REFERENCE);
    expect(room?.request.agents).toEqual([{ agentName: 'voice-agent', metadata: jobOf(REFERENCE) }]);
    expect(room?.request).toMatchObject({ emptyTimeout: 3_900, departureTimeout: 600 });
    expect(JSON.parse(room?.metadata ?? '')).toEqual({
      v: 1,
      deployment: DEPLOYMENT,
      call_id: REFERENCE,
    });
  });

  test('prepared again it is the same room', async () => {
    await telephony.prepare(REFERENCE);
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_RUNNING' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.rooms.get(REFERENCE)?.participants).toHaveLength(1);
  });

  test('an agent that does not become ready makes the call wait, and leaves no room behind', async () => {
    livekit.hasAgents = false;
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'unavailable' });
    expect([...livekit.rooms.keys()]).toEqual([]);
  });

  test('an agent that is on its way is left to come: the next attempt finds it', async () => {
    livekit.hasAgents = false;
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_RUNNING' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'unavailable' });
    livekit.rooms.get(REFERENCE)?.participants.push(AGENT);
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'ready' });
  });

  test('an agent that failed is not waited for', async () => {
    livekit.hasAgents = false;
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_FAILED' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'unavailable' });
    expect([...livekit.rooms.keys()]).toEqual([]);
  });

  test('an agent that is in the room and not ready is waited for', async () => {
    livekit.hasAgents = false;
    const prepared = open(5_000).prepare(REFERENCE);
    await until(() => livekit.methods().includes('ListParticipants'));
    livekit.rooms.get(REFERENCE)?.participants.push({ ...AGENT, attributes: {} });
    const looks = livekit.methods().length;
    await until(() => livekit.methods().length > looks + 1);
    livekit.rooms.get(REFERENCE)?.participants.splice(0, 1, AGENT);
    await expect(prepared).resolves.toEqual({ kind: 'ready' });
  });

  test('a LiveKit that fails makes the call wait', async () => {
    livekit.faults.set('CreateRoom', AWAY);
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'unavailable' });
  });

  test.each(['unauthenticated', 'permission_denied'])('reports a key that is refused as %s', async (code) => {
    livekit.faults.set('CreateRoom', new TwirpFault(code, 'invalid API key', {}, 401));
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'refused' });
    await expect(telephony.prepare(REFERENCE, { isBrief: true })).resolves.toEqual({ kind: 'refused' });
  });

  test('a room whose call is not dialled after all is deleted; one that somebody is in stays', async () => {
    livekit.addRoom(REFERENCE, [AGENT]);
    await telephony.release(REFERENCE);
    expect(livekit.rooms.has(REFERENCE)).toBe(false);
    livekit.addRoom(REFERENCE, [AGENT, phone('ringing')]);
    await telephony.release(REFERENCE);
    expect(livekit.rooms.has(REFERENCE)).toBe(true);
  });

  test('releasing what is not there, or cannot be reached, is no fault', async () => {
    await telephony.release(REFERENCE);
    livekit.faults.set('ListParticipants', AWAY);
    await telephony.release(REFERENCE);
  });

  test('an agent is not waited for by a brief look, which leaves it to come and undoes nothing', async () => {
    livekit.hasAgents = false;
    await expect(telephony.prepare(REFERENCE, { isBrief: true })).resolves.toEqual({ kind: 'notYet' });
    livekit.rooms.get(REFERENCE)?.participants.push(AGENT);
    await expect(telephony.prepare(REFERENCE, { isBrief: true })).resolves.toEqual({ kind: 'ready' });
    livekit.faults.set('ListParticipants', AWAY);
    await expect(telephony.prepare(REFERENCE, { isBrief: true })).resolves.toEqual({ kind: 'unavailable' });
    expect(livekit.rooms.has(REFERENCE)).toBe(true);
  });

  test('calls and browser sessions are prepared before they are asked for', () => {
    expect([telephony.preparesFirst(REFERENCE), telephony.preparesFirst(SESSION)]).toEqual([true, true]);
  });

  test('a phone may ring for a request as long as a look-up may miss it: a pause waits for that; nothing rings for a session', async () => {
    const { lagMs } = await telephony.find(REFERENCE);
    expect(telephony.settlesMs(REFERENCE)).toBe(TAKE_UP_MS + lagMs + 1_000);
    expect(telephony.settlesMs(SESSION)).toBe(TAKE_UP_MS + 1_000);
  });
});

test('finds the number that a phone is shown, which LiveKit hides', async () => {
  livekit.addRoom(REFERENCE, [AGENT, phone('ringing', { 'platform.from': '+918040000001' })]);
  const { calls } = await telephony.find(REFERENCE);
  expect(calls).toMatchObject([{ fromNumber: '+918040000001' }]);
});

describe('a browser session', () => {
  test('is a room with an agent, which waits for its participant', async () => {
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.rooms.get(SESSION)?.request).toMatchObject({ emptyTimeout: 600 });
    const session = await telephony.createSession({ reference: SESSION });
    expect(session).toEqual({ kind: 'placed', carrierId: SESSION });
  });

  test('gets its agent also where the browser came first and opened the room', async () => {
    livekit.addRoom(SESSION, [BROWSER]);
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.dispatches).toEqual([
      { room: SESSION, agentName: 'voice-agent', metadata: jobOf(SESSION) },
    ]);
    expect(JSON.parse(livekit.rooms.get(SESSION)?.metadata ?? '')).toEqual({
      v: 1,
      deployment: DEPLOYMENT,
      call_id: SESSION,
    });
  });

  test('whose agent is on its way, and which LiveKit does not list yet, gets no second one', async () => {
    livekit.addRoom(SESSION, [BROWSER]);
    livekit.hasAgents = false;
    const brief = await telephony.prepare(SESSION, { isBrief: true });
    const longer = open(20_000).prepare(SESSION);
    livekit.rooms.get(SESSION)?.participants.push(AGENT);
    expect([brief, await longer]).toEqual([{ kind: 'notYet' }, { kind: 'ready' }]);
    expect(livekit.dispatches).toHaveLength(1);
  });

  test('whose browser waits gets another agent where the first never came', async () => {
    livekit.addRoom(SESSION, [BROWSER]);
    livekit.hasAgents = false;
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'unavailable' });
    livekit.hasAgents = true;
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.dispatches).toHaveLength(2);
  });

  test('without an agent it was not opened, and may be asked for again', async () => {
    livekit.hasAgents = false;
    await expect(telephony.createSession({ reference: SESSION })).resolves.toEqual({
      kind: 'notPlaced',
      retryAfterMs: null,
    });
  });
});

describe('a look-up', () => {
  async function found(reference: string): Promise<Partial<CarrierCall> | undefined> {
    const { calls } = await telephony.find(reference);
    return calls[0];
  }

  test('of a room that is gone finds nothing, and that its phone may be connected: LiveKit may have lost the room', async () => {
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({
      calls: [],
      goneMeansOver: false,
      strandedBy: 'livekit',
    });
  });

  test('of the room of a session that is gone means that it is over', async () => {
    await expect(telephony.find(SESSION)).resolves.toMatchObject({ calls: [], goneMeansOver: true });
  });

  test('waits for whatever may still be taken up: the leeway of tokens, and the time to join; a session may be opened twice', async () => {
    const { lagMs } = await telephony.find(REFERENCE);
    expect(lagMs).toBe(71_000);
    expect((await telephony.find(SESSION)).lagMs).toBe(0);
  });

  test('of a room in which nobody was yet finds nothing', async () => {
    livekit.addRoom(REFERENCE, [AGENT], record());
    expect(await found(REFERENCE)).toBeUndefined();
  });

  test.each([
    ['dialing', 'dialing'],
    ['ringing', 'ringing'],
    ['active', 'answered'],
    ['automation', 'answered'],
  ])('of a leg that is %s finds the call %s', async (status, state) => {
    livekit.addRoom(REFERENCE, [AGENT, phone(status)], record({ dialing_at: '2026-11-02T05:00:00.000Z' }));
    expect(await found(REFERENCE)).toMatchObject({
      reference: REFERENCE,
      carrierId: REFERENCE,
      state,
      endReason: null,
      dialingAt: '2026-11-02T05:00:00.000Z',
    });
  });

  test('of a room that the remote party left finds the end as the agent noted it', async () => {
    const facts = {
      dialing_at: '2026-11-02T05:00:00.000Z',
      answered_at: '2026-11-02T05:00:10.000Z',
      left_at: '2026-11-02T05:01:00.000Z',
      left_reason: 'CLIENT_INITIATED',
    };
    livekit.addRoom(REFERENCE, [AGENT], record(facts));
    expect(await found(REFERENCE)).toMatchObject({
      state: 'ended',
      endReason: 'callee',
      answeredBy: 'unknown',
      answeredAt: facts.answered_at,
      endedAt: facts.left_at,
    });
  });

  test('of a room that the agent ended finds its own reason', async () => {
    livekit.addRoom(
      REFERENCE,
      [],
      record({ answered_at: '2026-11-02T05:00:10.000Z', end_reason: 'max_talk' }),
    );
    expect(await found(REFERENCE)).toMatchObject({ state: 'ended', endReason: 'max_talk', noAudio: false });
  });

  test('of a room that the agent ended as nothing came from its phone finds that too', async () => {
    const facts = { answered_at: '2026-11-02T05:00:10.000Z', end_reason: 'dropped', no_audio: true };
    livekit.addRoom(REFERENCE, [], record(facts));
    expect(await found(REFERENCE)).toMatchObject({ state: 'ended', endReason: 'dropped', noAudio: true });
  });

  test.each<[string, FakeParticipant[], StrandedBy]>([
    ['whose agent is gone', [phone('active')], 'livekit'],
    [
      'whose agent died with LiveKit and is listed still',
      [phone('dialing'), { ...AGENT, replies: 'listed' }],
      'livekit',
    ],
    [
      'whose phone died with LiveKit and is listed still',
      [AGENT, { ...phone('active'), replies: 'listed' }],
      'livekit',
    ],
    [
      'whose bridge was killed, which LiveKit has not noticed',
      [AGENT, { ...phone('active'), replies: 'dead' }],
      'bridge',
    ],
    ['whose phone is gone, and nobody saw it leave', [AGENT], 'livekit'],
  ])(
    'of a call %s finds it open and stranded, and touches nothing at the first look',
    async (_what, people, by) => {
      livekit.addRoom(REFERENCE, people, record({ dialing_at: '2026-11-02T05:00:00.000Z' }));
      const { calls, strandedBy } = await telephony.find(REFERENCE);
      expect([calls[0]?.state === 'ended', strandedBy]).toEqual([false, by]);
      expect(livekit.rooms.has(REFERENCE)).toBe(true);
    },
  );

  test('of an agent that is too busy to reply finds it there until LiveKit gives it up', async () => {
    livekit.addRoom(REFERENCE, [{ ...AGENT, replies: 'dead' }, phone('active')], record());
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({ strandedBy: null });
  });

  test('of a room whose phone left as its connection broke finds it stranded; one that hung up is over', async () => {
    const left = { dialing_at: '2026-11-02T05:00:00.000Z', left_at: '2026-11-02T05:01:00.000Z' };
    livekit.addRoom(REFERENCE, [AGENT], record({ ...left, left_reason: 'CONNECTION_TIMEOUT' }));
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({ strandedBy: 'bridge' });
    livekit.addRoom(REFERENCE, [AGENT], record({ ...left, left_reason: 'USER_REJECTED' }));
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({
      strandedBy: null,
      calls: [{ state: 'ended' }],
    });
  });

  test('of a session finds it open while its agent waits, answered once its participant is there, and over without an agent', async () => {
    const room = livekit.addRoom(SESSION, [AGENT], record());
    expect(await found(SESSION)).toMatchObject({ state: 'accepted' });
    room.participants.push(BROWSER);
    expect(await found(SESSION)).toMatchObject({ state: 'answered' });
    room.participants.splice(0, 2);
    expect(await found(SESSION)).toMatchObject({ state: 'ended', endReason: 'dropped' });
  });

  test('of a caller looks into the room that LiveKit named, and knows nothing of a caller it has no room of', async () => {
    livekit.addRoom(CALLERS_ROOM, [AGENT, phone('active')], record());
    expect(await found(CALLER)).toMatchObject({
      reference: CALLER,
      carrierId: CALLERS_ROOM,
      state: 'answered',
    });
    await expect(telephony.find('inbound-1-unknown')).resolves.toMatchObject({
      calls: [],
      goneMeansOver: false,
    });
  });

  test('that LiveKit does not answer says nothing about the call', async () => {
    livekit.faults.set('ListRooms', AWAY);
    await expect(telephony.find(REFERENCE)).rejects.toThrow(CarrierUnreachable);
  });
});

describe('a hang-up', () => {
  test('deletes the room, and with the answer the call is over', async () => {
    livekit.addRoom(REFERENCE, [AGENT, phone('active')]);
    await expect(telephony.hangUp(REFERENCE)).resolves.toBe('ended');
    expect(livekit.rooms.size).toBe(0);
  });

  test('of a room that is gone was over before', async () => {
    await expect(telephony.hangUp(REFERENCE)).resolves.toBe('over');
  });

  test('that LiveKit does not answer may be asked again', async () => {
    livekit.faults.set('DeleteRoom', AWAY);
    await expect(telephony.hangUp(REFERENCE)).rejects.toThrow(CarrierUnreachable);
  });
});

test("only our own rooms are listed: those with our record, callers' among them, and sessions", async () => {
  livekit.addRoom(REFERENCE, [], record());
  livekit.addRoom(CALLERS_ROOM, [], JSON.stringify({ v: 1, deployment: DEPLOYMENT }));
  livekit.addRoom('outbound-of-another-deployment', [], record({ deployment: randomUUID() }));
  livekit.addRoom('inbound-_of-another-deployment', [], JSON.stringify({ v: 1 }));
  livekit.addRoom(SESSION);
  livekit.addRoom('board-meeting');
  livekit.addRoom('other-service', [], '{"call_id":"x"}');
  const held = await telephony.held();
  expect(held.map(({ carrierId, reference, isMarked }) => ({ carrierId, reference, isMarked }))).toEqual([
    { carrierId: REFERENCE, reference: REFERENCE, isMarked: true },
    { carrierId: CALLERS_ROOM, reference: null, isMarked: true },
    { carrierId: SESSION, reference: SESSION, isMarked: false },
  ]);
  expect(held.every(({ heldSince }) => Math.abs(heldSince - Date.now()) < 60_000)).toBe(true);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
