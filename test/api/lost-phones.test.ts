/** Phones that LiveKit reports as lost, phones that come back, and those that their bridge hung up for us, by its webhooks. */
import { RoomEvents } from '../../api/carriers/livekit/handle-event';
import { livekitEventRoutes } from '../../api/carriers/livekit/route';
import type { Rooms } from '../../api/carriers/livekit/rooms';
import type { Presence } from '../../runtime/livekit/presence';
import {
  AGENT,
  CALLEE,
  calleeSince,
  KEY,
  left,
  signature,
  TALKER,
  webhook,
} from './support/livekit-webhooks';
import { newAgent, newCall } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;
let events: RoomEvents;
let present: Presence;
let deleted: string[];
let names = 0;
/** Until what was put off is looked at again. */
let wait: () => Promise<void>;

const rooms: Rooms = {
  whoIsIn: () => Promise.resolve(present),
  delete: (room) => Promise.resolve(void deleted.push(room)),
};

beforeAll(async () => {
  api = await openTestApi({
    carrierSecret: 'a-secret-of-the-carrier',
    moreEventRoutes: (deps) => {
      events = new RoomEvents({ ...deps, rooms }, () => wait());
      return [livekitEventRoutes({ events, clock: deps.clock }, KEY)];
    },
  });
  agentId = await newAgent(api);
});
afterAll(() => api.close());

beforeEach(() => {
  present = { person: null, agent: false };
  deleted = [];
  wait = () => Promise.resolve();
  api.clock.time = MONDAY + 400;
});

/** Sent, and whatever it put off is done. */
async function delivered(body: string): Promise<void> {
  const { status } = await api.ask('/api/livekit/webhook', {
    body,
    as: null,
    headers: { 'Content-Type': 'application/webhook+json', Authorization: await signature(body) },
  });
  expect(status).toBe(200);
  await events.close();
}

const placed = (fields: Record<string, unknown> = {}): Promise<string> =>
  newCall(api, {
    call_id: `outbound-1790000000-${String(++names).padStart(32, '0')}`,
    agent_id: agentId,
    stage: 'placed',
    call_status: 'dialing',
    asked_at: new Date(MONDAY - 1_000),
    ...fields,
  });

const talking = (fields: Record<string, unknown> = {}): Promise<string> =>
  placed({
    call_status: 'in progress',
    answered_at: new Date(MONDAY - 60_000),
    answered_by: 'human',
    asked_at: new Date(MONDAY - 70_000),
    ...fields,
  });

async function callOf(callId: string) {
  return api.db('calls').where({ call_id: callId }).first();
}

async function endOf(callId: string) {
  const { stage, end_reason: endReason, call_status: callStatus } = await callOf(callId);
  return { stage, endReason, callStatus };
}

describe('a phone that leaves a talk', () => {
  test.each(['CONNECTION_TIMEOUT', 'SERVER_SHUTDOWN', 'SIGNAL_CLOSE'])(
    'with %s may be connected still: its line is kept',
    async (reason) => {
      const callId = await talking();
      await delivered(left(callId, reason));
      await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
      expect((await callOf(callId)).line_kept_until).not.toBeNull();
    },
  );

  test('and timed out was lost twenty seconds before', async () => {
    const callId = await talking();
    await delivered(left(callId, 'CONNECTION_TIMEOUT'));
    const { stranded_at: since, line_kept_until: keptUntil } = await callOf(callId);
    expect([since, keptUntil]).toEqual([new Date(MONDAY + 400 - 20_000), new Date(MONDAY + 400 + 100_000)]);
  });

  test('after it was lost, as its room was deleted, was not hung up: its bridge is dead', async () => {
    const callId = await talking();
    await delivered(left(callId, 'CONNECTION_TIMEOUT'));
    await delivered(left(callId, 'ROOM_DELETED'));
    await delivered(webhook('room_finished', callId));
    await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });
});

describe('a phone that leaves before it answered', () => {
  test('as its bridge died rings on: its line is kept for as long as it may', async () => {
    const callId = await placed({ dialing_at: new Date(MONDAY - 2_000) });
    await delivered(left(callId, 'CONNECTION_TIMEOUT'));
    expect(await callOf(callId)).toMatchObject({
      stage: 'placed',
      line_kept_until: new Date(MONDAY + 28_000),
    });
  });

  test.each([
    ['CONNECTION_TIMEOUT', 'bridge'],
    ['SERVER_SHUTDOWN', 'livekit'],
  ])('with %s was lost by the death of: %s', async (reason, by) => {
    const callId = await placed({ dialing_at: new Date(MONDAY - 2_000) });
    await delivered(left(callId, reason));
    expect(await callOf(callId)).toMatchObject({ stranded_by: by });
  });

  test('and is marked as hung up had answered unseen, as LiveKit was away: the person is not dialled again', async () => {
    const [answered, brokeOff, caller] = [
      await placed(),
      await placed(),
      await placed({ call_id: 'inbound-1-u', direction: 'Incoming', carrier_id: 'inbound-_9_x' }),
    ];
    const leg = (status: string) => ({ ...CALLEE, attributes: { 'sip.callStatus': status } });
    await delivered(left(answered, 'CLIENT_INITIATED', leg('hangup')));
    await delivered(left(brokeOff, 'CLIENT_INITIATED', leg('ringing')));
    await delivered(left('inbound-_9_x', 'CLIENT_INITIATED', leg('hangup')));
    expect(await callOf(answered)).toMatchObject({
      end_reason: 'callee',
      call_status: 'User disconnected',
      duration_ms: 0,
      call_cost: 0,
    });
    await expect(endOf(brokeOff)).resolves.toMatchObject({ endReason: 'carrier_failure' });
    await expect(endOf(caller)).resolves.toMatchObject({ endReason: 'cancelled' });
  });

  test('and rang us has given up, or will', async () => {
    const callId = await placed({
      call_id: 'inbound-1-c',
      direction: 'Incoming',
      carrier_id: 'inbound-_3_x',
    });
    await delivered(left('inbound-_3_x', 'CONNECTION_TIMEOUT'));
    await expect(endOf(callId)).resolves.toMatchObject({ stage: 'over' });
  });
});

describe('a phone that comes back', () => {
  const back = (callId: string, afterMs = 30_000): Promise<void> =>
    delivered(
      webhook('participant_joined', callId, {
        participant: { ...CALLEE, joinedAtMs: String(MONDAY + afterMs) },
      }),
    );
  const phone = (isAnswered: boolean | null) => ({ kind: 'there', isAnswered }) as const;

  test('to a call that is over is hung up with its room', async () => {
    const callId = await talking();
    await delivered(left(callId, 'CLIENT_INITIATED'));
    await back(callId);
    expect(deleted).toEqual([callId]);
  });

  test('without its agent is hung up, and the talk is over from when anything was last reported of it', async () => {
    const callId = await talking({ reported_at: new Date(MONDAY - 30_000) });
    present = { person: phone(true), agent: false };
    await back(callId);
    expect(deleted).toEqual([callId]);
    expect(await callOf(callId)).toMatchObject({
      end_reason: 'dropped',
      call_status: 'error',
      ended_at: new Date(MONDAY - 30_000),
      duration_ms: 30_000,
    });
  });

  test('with its agent goes on talking, also where the agent takes a moment longer', async () => {
    const callId = await talking();
    present = { person: phone(true), agent: false };
    wait = () => {
      if (deleted.length === 0) setImmediate(() => (present = { ...present, agent: true }));
      return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    };
    await back(callId);
    await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(deleted).toEqual([]);
  });

  test('after it was lost, with its agent, is lost no more', async () => {
    const callId = await talking();
    await delivered(left(callId, 'SIGNAL_CLOSE'));
    present = { person: phone(true), agent: true };
    await back(callId);
    expect(await callOf(callId)).toMatchObject({
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
    const callId = await placed({ dialing_at: new Date(MONDAY - 5_000) });
    present = { person: phone(isAnswered), agent: false };
    await back(callId);
    await expect(endOf(callId)).resolves.toEqual({ stage: 'over', endReason, callStatus });
    expect(await callOf(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
  });

  describe('to a talk, and hangs up before we did it,', () => {
    const leaves = (callId: string) =>
      delivered(
        left(callId, 'CLIENT_INITIATED', {
          ...calleeSince(MONDAY - 2_000),
          attributes: { 'sip.callStatus': 'hangup' },
        }),
      );

    test.each([
      ['that was lost', (callId: string) => delivered(left(callId, 'SIGNAL_CLOSE', TALKER))],
      ['of which nobody had reported the loss', () => Promise.resolve()],
    ])('had nobody to talk to since the loss of a call %s: that is free', async (_what, lost) => {
      const callId = await talking({ reported_at: new Date(MONDAY - 30_000) });
      await lost(callId);
      const since = (await callOf(callId)).stranded_at ?? new Date(MONDAY - 30_000);
      api.clock.time = MONDAY + 90_000;
      await leaves(callId);
      expect(await callOf(callId)).toMatchObject({ end_reason: 'dropped', ended_at: since });
    });

    test('has talked with its agent, where that came back too', async () => {
      const callId = await talking();
      present = { person: null, agent: true };
      await leaves(callId);
      expect(await callOf(callId)).toMatchObject({ end_reason: 'callee', duration_ms: 60_400 });
    });
  });

  test('whose room cannot be deleted keeps its line', async () => {
    const callId = await talking();
    present = { person: phone(true), agent: false };
    jest.spyOn(rooms, 'delete').mockRejectedValueOnce(new Error('away'));
    await back(callId);
    await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  });

  test('is not one that came for the first time, however late that is reported', async () => {
    const callId = await placed({ dialing_at: new Date(MONDAY) });
    present = { person: phone(false), agent: false };
    await back(callId, 0);
    await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
    expect(deleted).toEqual([]);
  });
});

test('an agent that is gone beside a phone that LiveKit lists and that does not reply leaves a line that is kept', async () => {
  const callId = await talking();
  present = { person: { kind: 'unproven' }, agent: false };
  await delivered(left(callId, 'CLIENT_INITIATED', AGENT));
  await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await callOf(callId)).line_kept_until).not.toBeNull();
  expect(deleted).toEqual([]);
});

test('a phone that rings in a room that LiveKit lost may be answered unseen: how it ended is unknown', async () => {
  const callId = await placed({ dialing_at: new Date(MONDAY - 2_000) });
  await delivered(webhook('room_finished', callId));
  expect(await callOf(callId)).toMatchObject({ stage: 'placed', stranded_by: 'livekit' });
});

test('a room that is closed leaves a phone that may come back: LiveKit may have lost them', async () => {
  const callId = await talking();
  await delivered(webhook('room_finished', callId));
  await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
  expect((await callOf(callId)).line_kept_until).not.toBeNull();
});

test('a room that is closed ends the session of a browser', async () => {
  const callId = await talking({
    call_id: `room_${'c'.repeat(32)}`,
    medium: 'webrtc',
    direction: 'Incoming',
  });
  await delivered(webhook('room_finished', callId));
  await expect(endOf(callId)).resolves.toMatchObject({ endReason: 'dropped' });
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
    const callId = await talking();
    wait = async () => {
      await expect(endOf(callId)).resolves.toMatchObject({ stage: 'placed' });
      const ended = { type: 'ended', end_reason: 'max_talk', answered_by: 'human' };
      await api.ask('/api/carrier/events', {
        json: { carrier_id: callId, reference: callId, at: new Date(MONDAY).toISOString(), ...ended },
        as: null,
        headers: { Authorization: 'Bearer a-secret-of-the-carrier' },
      });
    };
    await delivered(hungUp(callId, '{"v":1,"end_reason":"agent"}'));
    await expect(endOf(callId)).resolves.toMatchObject({ endReason: 'max_talk' });
  });

  test('is as the agent recorded it in the room, where the agent reports no more', async () => {
    const callId = await talking();
    await delivered(hungUp(callId, '{"v":1,"end_reason":"agent"}'));
    await expect(endOf(callId)).resolves.toMatchObject({ endReason: 'agent', callStatus: 'completed' });
  });

  test('is ours where a hang-up was asked for', async () => {
    const callId = await talking({ hang_up_asked_at: new Date(MONDAY) });
    await delivered(hungUp(callId));
    await expect(endOf(callId)).resolves.toMatchObject({ endReason: 'platform', callStatus: 'completed' });
  });

  test.each(['', 'their own words', '{"end_reason":"because"}'])(
    'is the callee’s in a room that says %p',
    async (metadata) => {
      const callId = await talking();
      await delivered(hungUp(callId, metadata));
      await expect(endOf(callId)).resolves.toMatchObject({ endReason: 'callee' });
    },
  );
});
