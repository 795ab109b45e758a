import { livekitTelephony, type SipOutcome } from '../../activities/telephony/livekit';
import type { LiveKitOptions } from '../../activities/telephony/livekit';
import type { DialRequest, Telephony } from '../../activities/telephony/port';
import { FakeLiveKit, KEY, TwirpFault, type FakeRoom, type SipAnswer } from './support/fake-livekit';
import { LIVEKIT_PARTS } from './support/livekit-parts';

const REFERENCE = 'outbound-1790000000-00000000000000000000000000000001';
const STORED = { kind: 'stored', trunkId: 'ST_1' } as const;
const INLINE = {
  kind: 'inline',
  address: 'sip.example.test',
  username: 'user',
  password: 'word',
  transport: 'tls',
} as const;

let livekit: FakeLiveKit;
let url: string;
let outcomes: { reference: string; outcome: SipOutcome }[];
let outcomeReported: Promise<void>;

beforeEach(async () => {
  livekit = new FakeLiveKit();
  url = await livekit.open();
  outcomes = [];
});

afterEach(() => livekit.close());

function open(
  trunk: LiveKitOptions['trunk'] = STORED,
  firstSignWithinMs = 5_000,
  warn: (fields: Record<string, unknown>) => void = () => undefined,
): Telephony {
  let report: () => void = () => undefined;
  outcomeReported = new Promise((resolve) => (report = resolve));
  return livekitTelephony(
    { url, ...KEY, agentName: 'voice-agent', trunk, inboundAddresses: [] },
    {
      ...LIVEKIT_PARTS,
      log: { ...LIVEKIT_PARTS.log, warn },
      onOutcome: (reference, outcome) => {
        outcomes.push({ reference, outcome });
        report();
        return Promise.resolve();
      },
      limits: { readyWithinMs: 300, firstSignWithinMs },
    },
  );
}

const request = (changes: Partial<DialRequest> = {}): DialRequest => ({
  reference: REFERENCE,
  to: '+919876543210',
  from: '+918012345678',
  notAfter: new Date(Date.now() + 3_000),
  ringTimeoutS: 20,
  maxTalkS: 600,
  amd: false,
  agent: { name: 'Asha', greeting: 'Hello', prompt: 'Sell' },
  variables: {},
  ...changes,
});

const joined = (room: FakeRoom): void =>
  void room.participants.push({
    identity: 'callee',
    kind: 'phone',
    attributes: { 'sip.callStatus': 'dialing' },
  });

/** Keeps the call ringing until the test ends it. */
function ringing(): { ends: (answer: SipAnswer) => void } {
  let ends: (answer: SipAnswer) => void = () => undefined;
  const answer = new Promise<SipAnswer>((resolve) => (ends = resolve));
  livekit.answerCall = (_request, room) => {
    joined(room);
    return answer;
  };
  return { ends };
}

const sip = (status: number): TwirpFault =>
  new TwirpFault(
    'failed_precondition',
    `sip status ${status}`,
    { sip_status_code: String(status), sip_status: 'x' },
    412,
  );

async function dialled(answer: SipAnswer, changes: Partial<DialRequest> = {}) {
  livekit.addRoom(REFERENCE);
  livekit.answerCall = () => answer;
  return open().dial(request(changes));
}

test('reports a ringing call as placed once its leg is in the room', async () => {
  livekit.addRoom(REFERENCE);
  const call = ringing();
  await expect(open().dial(request())).resolves.toMatchObject({ kind: 'placed', carrierId: REFERENCE });
  expect(outcomes).toEqual([]);
  call.ends('answered');
  await outcomeReported;
  expect(outcomes).toEqual([{ reference: REFERENCE, outcome: { kind: 'answered' } }]);
});

test('sends one request for a leg with a fixed name, and hides the number from the room', async () => {
  await dialled('answered');
  const asked = livekit.asked.filter(({ method }) => method === 'CreateSIPParticipant');
  expect(asked.map(({ body }) => body)).toEqual([
    {
      sipTrunkId: 'ST_1',
      sipCallTo: '+919876543210',
      sipNumber: '+918012345678',
      roomName: REFERENCE,
      participantIdentity: 'callee',
      participantName: 'callee',
      hidePhoneNumber: true,
      participantAttributes: { 'platform.from': '+918012345678' },
      ringingTimeout: '20s',
      maxCallDuration: '630s',
      waitUntilAnswered: true,
    },
  ]);
});

describe('the caller ID of a stored trunk', () => {
  const asked = () => livekit.asked.find(({ method }) => method === 'CreateSIPParticipant')?.body.sipNumber;
  const dial = () => {
    livekit.addRoom(REFERENCE);
    return open().dial(request({ from: null }));
  };

  test("sends one of the trunk's numbers as the caller ID, and reports it", async () => {
    livekit.outboundNumbers = ['*', '+918040000001', '+918040000002'];
    const answer = await dial();
    expect(['+918040000001', '+918040000002']).toContain(asked());
    expect(answer).toEqual({ kind: 'placed', carrierId: REFERENCE, from: asked() });
  });

  test.each([
    ['has no number to show', () => (livekit.outboundNumbers = ['*'])],
    [
      'cannot be read',
      () => livekit.faults.set('ListSIPOutboundTrunk', new TwirpFault('internal', 'unreachable', {}, 500)),
    ],
  ])('lets the trunk choose the caller ID if its list of numbers %s', async (_what, prepare) => {
    prepare();
    await expect(dial()).resolves.toEqual({ kind: 'placed', carrierId: REFERENCE, from: null });
    expect(asked() ?? '').toBe('');
  });
});

test("limits the request's token to the deadline of the dial", async () => {
  const notAfter = new Date(Date.now() + 2_500);
  await dialled('answered', { notAfter });
  const grants = livekit.asked.find(({ method }) => method === 'CreateSIPParticipant')?.grants;
  expect(grants?.exp).toBe(Math.ceil(notAfter.getTime() / 1000));
  expect(grants?.sip).toEqual({ call: true });
});

test('lets LiveKit reject a request that arrives a minute late', async () => {
  await expect(dialled('answered', { notAfter: new Date(Date.now() - 65_000) })).resolves.toEqual({
    kind: 'notPlaced',
    retryAfterMs: null,
  });
  expect(livekit.methods()).not.toContain('CreateSIPParticipant');
});

test('sends the configured trunk with the request, and requires a caller ID', async () => {
  livekit.addRoom(REFERENCE);
  const telephony = open(INLINE);
  await expect(telephony.dial(request({ from: null }))).resolves.toEqual({ kind: 'refused', faults: 'from' });
  expect(livekit.methods()).toEqual([]);
  await telephony.dial(request());
  expect(livekit.asked[0]?.body.trunk).toEqual({
    hostname: 'sip.example.test',
    transport: 'SIP_TRANSPORT_TLS',
    authUsername: 'user',
    authPassword: 'word',
  });
});

test('rejects a dial to a phone if no trunk is configured', async () => {
  await expect(open(null).dial(request())).resolves.toEqual({
    kind: 'refused',
    faults: 'trunk',
    because: 'no_trunk',
  });
});

test.each([
  [486, 'busy', undefined],
  [603, 'rejected', undefined],
  [404, 'invalid_number', undefined],
  [480, 'no_answer', undefined],
  [503, 'carrier_failure', undefined],
  [401, 'carrier_failure', 'trunk_login'],
  [403, 'carrier_failure', 'trunk_forbids'],
])(
  'ends the call immediately with the exact reason for SIP status %i',
  async (status, endReason, because) => {
    await expect(dialled(sip(status))).resolves.toMatchObject({ kind: 'placed', carrierId: REFERENCE });
    await outcomeReported;
    expect(outcomes).toEqual([{ reference: REFERENCE, outcome: { kind: 'ended', endReason, because } }]);
  },
);

test('ends the call with the exact reason when a SIP status arrives after the phone has rung', async () => {
  livekit.addRoom(REFERENCE);
  const call = ringing();
  await open().dial(request());
  call.ends(sip(603));
  await outcomeReported;
  expect(outcomes[0]?.outcome).toEqual({ kind: 'ended', endReason: 'rejected' });
});

const RANG_OUT = new TwirpFault('canceled', 'sip request timed out', {}, 408);

const ANSWERED_TOO_LATE = new TwirpFault('failed_precondition', 'context deadline exceeded', {}, 412);

test.each([
  ['a leg that rings', 'ringing', true, RANG_OUT],
  ['a leg without any provisional answer', 'dialing', false, RANG_OUT],
  ['a leg that is not there', null, null, RANG_OUT],
  ['a leg that is answered just as the bridge cancels it', 'ringing', true, ANSWERED_TOO_LATE],
])(
  'reports that the ring timeout passed, and whether the phone had rung: %s',
  async (_which, status, hasRung, fault) => {
    const room = livekit.addRoom(REFERENCE);
    if (status !== null)
      room.participants.push({ identity: 'callee', kind: 'phone', attributes: { 'sip.callStatus': status } });
    livekit.answerCall = async () => {
      const until = performance.now() + 900;
      while (performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
      return fault;
    };
    await open(STORED, 50).dial(request({ ringTimeoutS: 1 }));
    await outcomeReported;
    expect(outcomes[0]?.outcome).toEqual({ kind: 'rangOut', hasRung });
  },
);

test.each([
  ['that it rang out', RANG_OUT],
  [
    'that it was cancelled although the callee answered',
    new TwirpFault('canceled', 'context canceled', {}, 408),
  ],
])(
  'reports no outcome if the platform hung up during the ringing and the bridge returns %s',
  async (_what, fault) => {
    expect(await dialled(fault, { ringTimeoutS: 20 })).toMatchObject({ kind: 'placed' });
    expect(outcomes).toEqual([]);
  },
);

test.each([
  [
    'an INVITE that nothing answers',
    new TwirpFault('canceled', 'transaction failed to complete (0 intermediate responses)', {}, 408),
  ],
  ['a bridge that shuts down', new TwirpFault('canceled', 'service shutting down', {}, 408)],
  [
    'an unreachable resolver',
    new TwirpFault('invalid_argument', 'lookup trunk.example: server misbehaving', {}, 400),
  ],
])('reports %s as a failure of the carrier', async (_what, fault) => {
  await dialled(fault);
  await outcomeReported;
  expect(outcomes[0]?.outcome).toEqual({ kind: 'ended', endReason: 'carrier_failure' });
});

test('reports a setup fault when the trunk rejects our login', async () => {
  const said = 'sip server required auth, but no username or password was provided';
  await dialled(new TwirpFault('failed_precondition', said, {}, 412));
  await outcomeReported;
  expect(outcomes[0]?.outcome).toEqual({
    kind: 'ended',
    endReason: 'carrier_failure',
    because: 'trunk_login',
  });
});

describe("a trunk whose host the bridge can't resolve", () => {
  const UNKNOWN_HOST = new TwirpFault('invalid_argument', 'lookup trunk.invalid: no such host', {}, 400);

  test("places no call and reports a setup fault if the bridge can't resolve the trunk's host", async () => {
    await expect(dialled(UNKNOWN_HOST)).resolves.toEqual({
      kind: 'notPlaced',
      retryAfterMs: null,
      because: 'trunk_address',
    });
    expect(outcomes).toEqual([]);
  });

  test("fails a call whose leg joined the room before the bridge failed to resolve the trunk's host", async () => {
    livekit.addRoom(REFERENCE);
    const call = ringing();
    await open().dial(request());
    call.ends(UNKNOWN_HOST);
    await outcomeReported;
    expect(outcomes[0]?.outcome).toEqual({
      kind: 'ended',
      endReason: 'carrier_failure',
      because: 'trunk_address',
    });
  });
});

test.each([
  ['cpu exhausted', 'cpu exhausted'],
  [
    'invalid To header <sip:+919876543210@trunk.example:5060>, contact Asha@10.0.0.7 or 98765 432 10',
    'invalid To header <…>, contact … or …',
  ],
  ['x'.repeat(500), 'x'.repeat(200)],
])("logs LiveKit's message, shortened and without numbers and SIP addresses: %s", async (said, logged) => {
  livekit.addRoom(REFERENCE);
  livekit.answerCall = () => new TwirpFault('unavailable', said, {}, 503);
  const lines: Record<string, unknown>[] = [];
  await open(STORED, 5_000, (fields) => void lines.push(fields)).dial(request());
  expect(lines).toEqual([expect.objectContaining({ reason: 'unavailable', said: logged })]);
});

test.each([
  ['no bridge accepts it', new TwirpFault('unavailable', 'no response from servers', {}, 503), undefined],
  [
    "the bridge's processor is exhausted",
    new TwirpFault('unavailable', 'cpu exhausted', {}, 503),
    'bridge_busy',
  ],
  ['there are too many requests', new TwirpFault('resource_exhausted', 'quota exceeded', {}, 429), undefined],
  [
    'the stored trunk is missing',
    new TwirpFault('not_found', 'requested sip trunk does not exist', {}, 404),
    'trunk_missing',
  ],
  [
    'LiveKit has no bridge',
    new TwirpFault('internal', 'sip not connected (redis required)', {}, 500),
    undefined,
  ],
])('returns notPlaced when %s', async (_what, fault, because) => {
  await expect(dialled(fault)).resolves.toEqual({ kind: 'notPlaced', retryAfterMs: null, because });
  expect(outcomes).toEqual([]);
});

test("returns notPlaced when LiveKit can't be reached", async () => {
  await livekit.close();
  await expect(open().dial(request())).resolves.toEqual({ kind: 'notPlaced', retryAfterMs: null });
  livekit = new FakeLiveKit();
  await livekit.open();
});

test('reports the call as placed when the response is lost but its leg is in the room', async () => {
  livekit.addRoom(REFERENCE);
  livekit.answerCall = (_request, room) => {
    joined(room);
    return 'cut';
  };
  await expect(open().dial(request())).resolves.toMatchObject({ kind: 'placed', carrierId: REFERENCE });
  expect(outcomes).toEqual([]);
});

test.each([
  ['a lost reply', 'cut' as const],
  ['a timeout of LiveKit', new TwirpFault('deadline_exceeded', 'request timed out', {}, 408)],
])('returns unknown after %s if no leg is in the room', async (_what, answer) => {
  livekit.addRoom(REFERENCE);
  livekit.answerCall = () => answer;
  await expect(open(STORED, 300).dial(request())).resolves.toEqual({ kind: 'unknown' });
  expect(outcomes).toEqual([]);
});
