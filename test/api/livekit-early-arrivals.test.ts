/** People who arrive over LiveKit before their call is ready, leave before that, or return. */
import { CARRIER_SECRET, LiveKitRig } from './support/livekit-rig';
import { BROWSER, CALLEE, left, webhook } from './support/livekit-webhooks';
import { newAgent, newCall } from './support/rows';
import { MONDAY } from './support/test-api';

let rig: LiveKitRig;

beforeAll(async () => {
  rig = await LiveKitRig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.reset());

describe('a caller who gives up before the agent reported them', () => {
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
  const gone = (room: string, participant: object = CALLER, deployment = ours) =>
    webhook('participant_left', room, {
      room: { sid: 'RM_1', name: room, metadata: JSON.stringify({ v: 1, deployment }) },
      participant: { ...participant, disconnectReason: 'CLIENT_INITIATED' },
    });
  let ours: string;
  const callsOf = (room: string) => rig.api.db('calls').where({ carrier_id: room });
  const reported = (room: string) =>
    rig.api.ask('/api/carrier/events', {
      json: {
        ...{ type: 'inbound', carrier_id: room, to: NUMBER, from: '+919876543210' },
        at: new Date(MONDAY).toISOString(),
      },
      as: null,
      headers: { Authorization: `Bearer ${CARRIER_SECRET}` },
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

  beforeAll(async () => {
    ours = (await rig.api.db('deployment').first()).id;
    await newAgent(rig.api, { config: { deployment: { phone: { call_type: { Inbound: NUMBER } } } } });
  });

  test('records the caller as cancelled, with the right time and without a line, even if the agent never joins', async () => {
    await rig.delivered(gone('inbound-_early_1'));
    await expect(callsOf('inbound-_early_1')).resolves.toMatchObject([CANCELLED]);
    const [call] = await callsOf('inbound-_early_1');
    await expect(rig.api.db('lines').where({ call_id: call.call_id })).resolves.toEqual([]);
  });

  test('records no caller of another deployment on the same LiveKit', async () => {
    await rig.delivered(gone('inbound-_early_of_another', CALLER, '00000000-0000-4000-8000-000000000000'));
    await expect(callsOf('inbound-_early_of_another')).resolves.toEqual([]);
  });

  test('records one call when the caller is reported several times and in any order', async () => {
    let look: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => (look = resolve));
    rig.wait = () => waited;
    const webhooks = [1, 2, 3].map(() => rig.send(gone('inbound-_early_2')));
    const answers = await Promise.all([...webhooks, reported('inbound-_early_2')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    look();
    await rig.settled();
    await rig.delivered(gone('inbound-_early_2'));
    await expect(callsOf('inbound-_early_2')).resolves.toMatchObject([CANCELLED]);
  });

  test.each([
    ['in a room without a caller', 'outbound-1-somebody', CALLER],
    [
      'who called a number without an agent',
      'inbound-_early_3',
      withNumbers({ 'sip.trunkPhoneNumber': '+918040009999' }),
    ],
    [
      'whose numbers a foreign dispatch rule hides',
      'inbound-_early_4',
      { ...CALLER, attributes: { 'sip.callStatus': 'hangup' } },
    ],
    ['whose connection was lost', 'inbound-_early_5', withNumbers({ 'sip.callStatus': 'ringing' })],
    ['with a malformed number', 'inbound-_early_6', withNumbers({ 'sip.trunkPhoneNumber': 'x'.repeat(100) })],
  ])('records no call for a participant %s', async (_what, room, participant) => {
    await rig.delivered(gone(room, participant));
    await expect(callsOf(room)).resolves.toEqual([]);
  });

  function withNumbers(attributes: object): object {
    return { ...CALLER, attributes: { ...CALLER.attributes, ...attributes } };
  }
});

describe('a browser over LiveKit', () => {
  let sessions = 0;
  let agentId: string;
  beforeAll(async () => (agentId = await newAgent(rig.api)));
  const talking = (fields: object = {}): Promise<string> => {
    sessions += 1;
    return newCall(rig.api, {
      ...{
        call_id: `room_${String(sessions).padStart(32, '0')}`,
        medium: 'webrtc',
        direction: 'Incoming',
        agent_id: agentId,
      },
      ...{ stage: 'placed', call_status: 'in progress', answered_by: 'human' },
      requested_at: new Date(MONDAY - 61_000),
      answered_at: new Date(MONDAY - 60_000),
      ...fields,
    });
  };
  const endOf = async (callId: string) => {
    const { stage, end_reason } = await rig.api.db('calls').where({ call_id: callId }).first();
    return [stage, end_reason];
  };

  test.each(['DUPLICATE_IDENTITY', 'MIGRATION'])(
    'keeps the call of a browser that returns over another connection (%s), and drops it otherwise',
    async (reason) => {
      const [again, gone] = [await talking(), await talking()];
      rig.present = { person: { kind: 'there', isAnswered: null }, agent: false };
      await rig.delivered(left(again, reason, BROWSER));
      rig.present = { person: null, agent: false };
      await rig.delivered(left(gone, reason, BROWSER));
      expect(await endOf(again)).toEqual(['placed', null]);
      expect(await endOf(gone)).toEqual(['over', 'dropped']);
    },
  );

  test('ends the call when the browser leaves, even after a long wait for a line', async () => {
    const callId = await talking({
      requested_at: new Date(MONDAY + 600_000),
      answered_at: new Date(MONDAY + 601_000),
    });
    const leftAt = String(MONDAY / 1000 + 660);
    rig.api.clock.time = MONDAY + 660_500;
    await rig.delivered(
      left(callId, 'CLIENT_INITIATED', BROWSER).replace(/"createdAt":"\d+"/, `"createdAt":"${leftAt}"`),
    );
    expect(await endOf(callId)).toEqual(['over', 'callee']);
  });

  test('ignores a browser that left before the dial', async () => {
    const callId = await talking({ requested_at: new Date(MONDAY + 600_000), answered_at: null });
    await rig.delivered(left(callId, 'CLIENT_INITIATED', BROWSER));
    expect(await endOf(callId)).toEqual(['placed', null]);
  });
});
