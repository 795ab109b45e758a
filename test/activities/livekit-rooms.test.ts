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
import type { OrphanedBy } from '../../domain/orphaned-call';

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

const UNREACHABLE = new TwirpFault('internal', 'redis is away', {}, 500);
const jobOf = (callId: string): string => JSON.stringify({ call_id: callId, ticket: `ticket of ${callId}` });
const record = (facts: object = {}): string =>
  JSON.stringify({ v: 1, deployment: DEPLOYMENT, call_id: REFERENCE, ...facts });

describe('prepare()', () => {
  test("creates the call's room with one of our agents, which receives the call id and the ticket", async () => {
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

  test('keeps the same room when prepare() is called again', async () => {
    await telephony.prepare(REFERENCE);
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_RUNNING' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.rooms.get(REFERENCE)?.participants).toHaveLength(1);
  });

  test('returns noAgent and deletes the room if no agent joins', async () => {
    livekit.hasAgents = false;
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'noAgent' });
    expect([...livekit.rooms.keys()]).toEqual([]);
  });

  test('keeps the room for the next attempt while its agent is still joining', async () => {
    livekit.hasAgents = false;
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_RUNNING' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'noAgent' });
    livekit.rooms.get(REFERENCE)?.participants.push(AGENT);
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'ready' });
  });

  test("doesn't wait for an agent that failed", async () => {
    livekit.hasAgents = false;
    livekit.jobs = [{ id: 'AJ_1', state: { status: 'JS_FAILED' } }];
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'noAgent' });
    expect([...livekit.rooms.keys()]).toEqual([]);
  });

  test('waits for an agent that is in the room but not ready', async () => {
    livekit.hasAgents = false;
    const prepared = open(5_000).prepare(REFERENCE);
    await until(() => livekit.methods().includes('ListParticipants'));
    livekit.rooms.get(REFERENCE)?.participants.push({ ...AGENT, attributes: {} });
    const looks = livekit.methods().length;
    await until(() => livekit.methods().length > looks + 1);
    livekit.rooms.get(REFERENCE)?.participants.splice(0, 1, AGENT);
    await expect(prepared).resolves.toEqual({ kind: 'ready' });
  });

  test('returns unavailable when LiveKit fails', async () => {
    livekit.faults.set('CreateRoom', UNREACHABLE);
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'unavailable' });
  });

  test.each(['unauthenticated', 'permission_denied'])('reports a rejected key as %s', async (code) => {
    livekit.faults.set('CreateRoom', new TwirpFault(code, 'invalid API key', {}, 401));
    await expect(telephony.prepare(REFERENCE)).resolves.toEqual({ kind: 'refused' });
    await expect(telephony.prepare(REFERENCE, { waitMs: 500 })).resolves.toEqual({ kind: 'refused' });
  });

  test('deletes an unused room on release(), unless a person is in it', async () => {
    livekit.addRoom(REFERENCE, [AGENT]);
    await telephony.release(REFERENCE);
    expect(livekit.rooms.has(REFERENCE)).toBe(false);
    livekit.addRoom(REFERENCE, [AGENT, phone('ringing')]);
    await telephony.release(REFERENCE);
    expect(livekit.rooms.has(REFERENCE)).toBe(true);
  });

  test('tolerates a release() of a missing or unreachable room', async () => {
    await telephony.release(REFERENCE);
    livekit.faults.set('ListParticipants', UNREACHABLE);
    await telephony.release(REFERENCE);
  });

  test('waits for an agent at most as long as waitMs, and keeps the room', async () => {
    livekit.hasAgents = false;
    await expect(telephony.prepare(REFERENCE, { waitMs: 500 })).resolves.toEqual({ kind: 'notYet' });
    livekit.rooms.get(REFERENCE)?.participants.push(AGENT);
    await expect(telephony.prepare(REFERENCE, { waitMs: 500 })).resolves.toEqual({ kind: 'ready' });
    livekit.faults.set('ListParticipants', UNREACHABLE);
    await expect(telephony.prepare(REFERENCE, { waitMs: 500 })).resolves.toEqual({ kind: 'unavailable' });
    expect(livekit.rooms.has(REFERENCE)).toBe(true);
  });

  test('requires prepare() before dials and browser sessions', () => {
    expect([telephony.preparesFirst(REFERENCE), telephony.preparesFirst(SESSION)]).toEqual([true, true]);
  });

  test('returns how long to wait for a phone that may ring undetected, with a shorter wait for a session', async () => {
    const { lagMs } = await telephony.find(REFERENCE);
    expect(telephony.pendingDialMs(REFERENCE)).toBe(TAKE_UP_MS + lagMs + 1_000);
    expect(telephony.pendingDialMs(SESSION)).toBe(TAKE_UP_MS + 1_000);
  });
});

test('finds the caller ID of a call, which LiveKit hides', async () => {
  livekit.addRoom(REFERENCE, [AGENT, phone('ringing', { 'platform.from': '+918040000001' })]);
  const { calls } = await telephony.find(REFERENCE);
  expect(calls).toMatchObject([{ fromNumber: '+918040000001' }]);
});

describe('a browser session over LiveKit', () => {
  test('creates a room with an agent that waits for the participant', async () => {
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.rooms.get(SESSION)?.request).toMatchObject({ emptyTimeout: 600 });
    const session = await telephony.createSession({ reference: SESSION });
    expect(session).toEqual({ kind: 'placed', carrierId: SESSION });
  });

  test('dispatches an agent even if the browser came first and opened the room', async () => {
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

  test('dispatches no second agent while the first is still joining but not listed yet', async () => {
    livekit.addRoom(SESSION, [BROWSER]);
    livekit.hasAgents = false;
    const brief = await telephony.prepare(SESSION, { waitMs: 500 });
    const longer = open(20_000).prepare(SESSION);
    livekit.rooms.get(SESSION)?.participants.push(AGENT);
    expect([brief, await longer]).toEqual([{ kind: 'notYet' }, { kind: 'ready' }]);
    expect(livekit.dispatches).toHaveLength(1);
  });

  test('requests an agent three times, and again in the next attempt, if none came', async () => {
    livekit.addRoom(SESSION, [BROWSER]);
    livekit.hasAgents = false;
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'noAgent' });
    expect(livekit.dispatches).toHaveLength(3);
    livekit.hasAgents = true;
    await expect(telephony.prepare(SESSION)).resolves.toEqual({ kind: 'ready' });
    expect(livekit.dispatches).toHaveLength(4);
  });

  test('reports a session as not placed while no agent is ready', async () => {
    livekit.hasAgents = false;
    await expect(telephony.createSession({ reference: SESSION })).resolves.toEqual({
      kind: 'notPlaced',
      retryAfterMs: null,
    });
  });
});

describe('find()', () => {
  async function found(reference: string): Promise<Partial<CarrierCall> | undefined> {
    const { calls } = await telephony.find(reference);
    return calls[0];
  }

  test('finds no call if the room is missing, but reports that LiveKit may have lost its phone', async () => {
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({
      calls: [],
      goneMeansOver: false,
      orphanedBy: 'livekit',
    });
  });

  test('reports a session without a room as over', async () => {
    await expect(telephony.find(SESSION)).resolves.toMatchObject({ calls: [], goneMeansOver: true });
  });

  test('returns a lag for dials, because LiveKit may still accept one, but no lag for sessions', async () => {
    const { lagMs } = await telephony.find(REFERENCE);
    expect(lagMs).toBe(71_000);
    expect((await telephony.find(SESSION)).lagMs).toBe(0);
  });

  test('finds nothing in a room that no one has joined', async () => {
    livekit.addRoom(REFERENCE, [AGENT], record());
    expect(await found(REFERENCE)).toBeUndefined();
  });

  test.each([
    ['dialing', 'dialing'],
    ['ringing', 'ringing'],
    ['active', 'answered'],
    ['automation', 'answered'],
  ])('reports a leg that is %s as %s', async (status, state) => {
    livekit.addRoom(REFERENCE, [AGENT, phone(status)], record({ dialing_at: '2026-11-02T05:00:00.000Z' }));
    expect(await found(REFERENCE)).toMatchObject({
      reference: REFERENCE,
      carrierId: REFERENCE,
      state,
      endReason: null,
      dialingAt: '2026-11-02T05:00:00.000Z',
    });
  });

  test('returns the end that the agent recorded when the callee or caller left', async () => {
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

  test("returns the agent's end reason for a room that the agent ended", async () => {
    livekit.addRoom(
      REFERENCE,
      [],
      record({ answered_at: '2026-11-02T05:00:10.000Z', end_reason: 'max_talk' }),
    );
    expect(await found(REFERENCE)).toMatchObject({ state: 'ended', endReason: 'max_talk', noAudio: false });
  });

  test('reports that the phone sent no audio if the agent ended the call for that reason', async () => {
    const facts = { answered_at: '2026-11-02T05:00:10.000Z', end_reason: 'dropped', no_audio: true };
    livekit.addRoom(REFERENCE, [], record(facts));
    expect(await found(REFERENCE)).toMatchObject({ state: 'ended', endReason: 'dropped', noAudio: true });
  });

  test.each<[string, FakeParticipant[], OrphanedBy]>([
    ['whose agent is gone', [phone('active')], 'livekit'],
    [
      'whose agent died with LiveKit but is still listed',
      [phone('dialing'), { ...AGENT, replies: 'listed' }],
      'livekit',
    ],
    [
      'whose phone died with LiveKit but is still listed',
      [AGENT, { ...phone('active'), replies: 'listed' }],
      'livekit',
    ],
    [
      'whose bridge was killed, which LiveKit has not noticed',
      [AGENT, { ...phone('active'), replies: 'dead' }],
      'bridge',
    ],
    ['whose phone is gone without having been seen to leave', [AGENT], 'livekit'],
  ])('reports a call %s as orphaned, and keeps its room', async (_what, people, by) => {
    livekit.addRoom(REFERENCE, people, record({ dialing_at: '2026-11-02T05:00:00.000Z' }));
    const { calls, orphanedBy } = await telephony.find(REFERENCE);
    expect([calls[0]?.state === 'ended', orphanedBy]).toEqual([false, by]);
    expect(livekit.rooms.has(REFERENCE)).toBe(true);
  });

  test('treats an agent that is too busy to reply as present until LiveKit removes it', async () => {
    livekit.addRoom(REFERENCE, [{ ...AGENT, replies: 'dead' }, phone('active')], record());
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({ orphanedBy: null });
  });

  test("reports a call as orphaned if its phone's connection broke, and as over if the phone hung up", async () => {
    const left = { dialing_at: '2026-11-02T05:00:00.000Z', left_at: '2026-11-02T05:01:00.000Z' };
    livekit.addRoom(REFERENCE, [AGENT], record({ ...left, left_reason: 'CONNECTION_TIMEOUT' }));
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({ orphanedBy: 'bridge' });
    livekit.addRoom(REFERENCE, [AGENT], record({ ...left, left_reason: 'USER_REJECTED' }));
    await expect(telephony.find(REFERENCE)).resolves.toMatchObject({
      orphanedBy: null,
      calls: [{ state: 'ended' }],
    });
  });

  test('reports a session as open while its agent waits, answered with a participant, and over without an agent', async () => {
    const room = livekit.addRoom(SESSION, [AGENT], record());
    expect(await found(SESSION)).toMatchObject({ state: 'accepted' });
    room.participants.push(BROWSER);
    expect(await found(SESSION)).toMatchObject({ state: 'answered' });
    room.participants.splice(0, 2);
    expect(await found(SESSION)).toMatchObject({ state: 'ended', endReason: 'dropped' });
  });

  test('finds a caller in the room that LiveKit named, and finds nothing without a room', async () => {
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

  test("throws when LiveKit isn't responding to a look-up", async () => {
    livekit.faults.set('ListRooms', UNREACHABLE);
    await expect(telephony.find(REFERENCE)).rejects.toThrow(CarrierUnreachable);
  });
});

describe('hangUp()', () => {
  test('deletes the room and reports the call as ended', async () => {
    livekit.addRoom(REFERENCE, [AGENT, phone('active')]);
    await expect(telephony.hangUp(REFERENCE)).resolves.toBe('ended');
    expect(livekit.rooms.size).toBe(0);
  });

  test('reports a missing room as over', async () => {
    await expect(telephony.hangUp(REFERENCE)).resolves.toBe('over');
  });

  test("throws when LiveKit isn't responding to a hang-up, which can then be repeated", async () => {
    livekit.faults.set('DeleteRoom', UNREACHABLE);
    await expect(telephony.hangUp(REFERENCE)).rejects.toThrow(CarrierUnreachable);
  });
});

test("lists only the deployment's own rooms, including those of callers and sessions", async () => {
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
