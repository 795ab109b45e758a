/** People over LiveKit who come before their call is ready for them, go before it, or come again. */
import { RoomEvents } from '../../api/carriers/livekit/handle-event';
import { livekitEventRoutes } from '../../api/carriers/livekit/route';
import { BROWSER, CALLEE, KEY, left, signature } from './support/livekit-webhooks';
import { newAgent, newCall } from './support/rows';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';

let api: TestApi;
let events: RoomEvents;
/** Whether a person is in the room that is asked about. */
let isThere: boolean;
/** Until what was put off is looked at again. */
let wait: () => Promise<void>;

beforeAll(async () => {
  const rooms = {
    whoIsIn: () =>
      Promise.resolve({
        person: isThere ? ({ kind: 'there', isAnswered: null } as const) : null,
        agent: false,
      }),
    delete: () => Promise.resolve(),
  };
  api = await openTestApi({
    carrierSecret: SECRET,
    moreEventRoutes: (deps) => {
      events = new RoomEvents({ ...deps, rooms }, () => wait());
      return [livekitEventRoutes({ events, clock: deps.clock }, KEY)];
    },
  });
});
afterAll(() => api.close());

beforeEach(() => {
  wait = () => Promise.resolve();
  isThere = false;
  api.clock.time = MONDAY + 400;
});

async function send(body: string): Promise<Answer> {
  return api.ask('/api/livekit/webhook', {
    body,
    as: null,
    headers: { 'Content-Type': 'application/webhook+json', Authorization: await signature(body) },
  });
}

/** Sent, and whatever it put off is done. */
async function delivered(body: string): Promise<void> {
  const { status } = await send(body);
  expect(status).toBe(200);
  await events.close();
}

describe('a caller who gives up before the agent has announced them', () => {
  const NUMBER = '+918040001777';
  const CALLER = {
    ...CALLEE,
    identity: 'sip_+919876543210',
    attributes: {
      'sip.callStatus': 'hangup',
      'sip.phoneNumber': '+919876543210',
      'sip.trunkPhoneNumber': NUMBER,
    },
  };
  const gone = (room: string, participant: object = CALLER) => left(room, 'CLIENT_INITIATED', participant);
  const callsOf = (room: string) => api.db('calls').where({ carrier_id: room });
  const announced = (room: string) =>
    api.ask('/api/carrier/events', {
      json: {
        ...{ type: 'inbound', carrier_id: room, to: NUMBER, from: '+919876543210' },
        at: new Date(MONDAY).toISOString(),
      },
      as: null,
      headers: { Authorization: `Bearer ${SECRET}` },
    });
  const CANCELLED = {
    direction: 'Incoming',
    call_status: 'cancelled',
    end_reason: 'cancelled',
    from_number: '+919876543210',
    to_number: NUMBER,
    ringing_at: new Date(MONDAY),
    answered_at: null,
    ended_at: new Date(MONDAY + 400),
  };

  beforeAll(() => newAgent(api, { config: { deployment: { phone: { call_type: { Inbound: NUMBER } } } } }));

  test('is on record as cancelled, with their time and without a line, also where the agent never comes', async () => {
    await delivered(gone('inbound-_early_1'));
    await expect(callsOf('inbound-_early_1')).resolves.toMatchObject([CANCELLED]);
    const [call] = await callsOf('inbound-_early_1');
    await expect(api.db('lines').where({ call_id: call.call_id })).resolves.toEqual([]);
  });

  test('is one call, whoever announces it, in whatever order and however often', async () => {
    let look: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => (look = resolve));
    wait = () => waited;
    const webhooks = [1, 2, 3].map(() => send(gone('inbound-_early_2')));
    const answers = await Promise.all([...webhooks, announced('inbound-_early_2')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    look();
    await events.close();
    await delivered(gone('inbound-_early_2'));
    await expect(callsOf('inbound-_early_2')).resolves.toMatchObject([CANCELLED]);
  });

  test.each([
    ['in a room that is no caller’s', 'outbound-1-somebody', CALLER],
    [
      'whose number no agent answers',
      'inbound-_early_3',
      withNumbers({ 'sip.trunkPhoneNumber': '+918040009999' }),
    ],
    [
      'whose numbers another’s rule hides',
      'inbound-_early_4',
      { ...CALLER, attributes: { 'sip.callStatus': 'hangup' } },
    ],
    ['whose connection was lost', 'inbound-_early_5', withNumbers({ 'sip.callStatus': 'ringing' })],
    ['whose number is none', 'inbound-_early_6', withNumbers({ 'sip.trunkPhoneNumber': 'x'.repeat(100) })],
  ])('%s is no call of ours', async (_what, room, participant) => {
    await delivered(gone(room, participant));
    await expect(callsOf(room)).resolves.toEqual([]);
  });

  function withNumbers(attributes: object): object {
    return { ...CALLER, attributes: { ...CALLER.attributes, ...attributes } };
  }
});

describe('a browser', () => {
  let sessions = 0;
  let agentId: string;
  beforeAll(async () => (agentId = await newAgent(api)));
  const talking = (fields: object = {}): Promise<string> => {
    sessions += 1;
    return newCall(api, {
      ...{
        call_id: `room_${String(sessions).padStart(32, '0')}`,
        medium: 'webrtc',
        direction: 'Incoming',
        agent_id: agentId,
      },
      ...{ stage: 'placed', call_status: 'in progress', answered_by: 'human' },
      asked_at: new Date(MONDAY - 61_000),
      answered_at: new Date(MONDAY - 60_000),
      ...fields,
    });
  };
  const endOf = async (callId: string) => {
    const { stage, end_reason } = await api.db('calls').where({ call_id: callId }).first();
    return [stage, end_reason];
  };

  test.each(['DUPLICATE_IDENTITY', 'MIGRATION'])(
    'that comes again over another connection (%s) talks on; one that does not come again was dropped',
    async (reason) => {
      const [again, gone] = [await talking(), await talking()];
      isThere = true;
      await delivered(left(again, reason, BROWSER));
      isThere = false;
      await delivered(left(gone, reason, BROWSER));
      expect(await endOf(again)).toEqual(['placed', null]);
      expect(await endOf(gone)).toEqual(['over', 'dropped']);
    },
  );

  test('that waited in its room for the line ends its call by leaving, however long it waited', async () => {
    const callId = await talking({
      asked_at: new Date(MONDAY + 600_000),
      answered_at: new Date(MONDAY + 601_000),
    });
    const leftAt = String(MONDAY / 1000 + 660);
    api.clock.time = MONDAY + 660_500;
    await delivered(
      left(callId, 'CLIENT_INITIATED', BROWSER).replace(/"createdAt":"\d+"/, `"createdAt":"${leftAt}"`),
    );
    expect(await endOf(callId)).toEqual(['over', 'callee']);
  });

  test('that left before its call was asked for left nothing of it', async () => {
    const callId = await talking({ asked_at: new Date(MONDAY + 600_000), answered_at: null });
    await delivered(left(callId, 'CLIENT_INITIATED', BROWSER));
    expect(await endOf(callId)).toEqual(['placed', null]);
  });
});
