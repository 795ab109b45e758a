/** Tests phones that LiveKit lost or whose SIP bridge died: what the platform can detect and what it can still do. */
import { livekitTelephony } from '../../activities/telephony/livekit';
import { CarrierUnreachable, type Telephony } from '../../activities/telephony/port';
import { FakeLiveKit, KEY, TwirpFault, type FakeParticipant } from './support/fake-livekit';
import { LIVEKIT_PARTS } from './support/livekit-parts';

const REFERENCE = 'outbound-1790000000-00000000000000000000000000000003';
const AGENT: FakeParticipant = { identity: 'agent-1', kind: 'agent' };
const UNREACHABLE = new TwirpFault('internal', 'redis is away', {}, 500);
const phone = (status: string): FakeParticipant => ({
  identity: 'callee',
  kind: 'phone',
  attributes: { 'sip.callStatus': status },
});

let livekit: FakeLiveKit;
let telephony: Telephony;

beforeEach(async () => {
  livekit = new FakeLiveKit();
  const url = await livekit.open();
  telephony = livekitTelephony(
    { url, ...KEY, agentName: 'voice-agent', trunk: null, inboundAddresses: [] },
    LIVEKIT_PARTS,
  );
});

afterEach(() => livekit.close());

describe('retrieve()', () => {
  const retrieved = () => telephony.retrieve(REFERENCE);

  test.each<[string, FakeParticipant[] | null, boolean]>([
    ['when its room is gone', null, false],
    ['while its room is empty', [], false],
    ['though LiveKit lists it as answered', [{ ...phone('active'), replies: 'listed' }], true],
    ['though LiveKit lists it as ringing', [{ ...phone('ringing'), replies: 'listed' }], false],
    ['while its bridge is dead', [AGENT, { ...phone('active'), replies: 'dead' }], true],
  ])('returns `absent` and deletes nothing %s', async (_what, people, wasAnswered) => {
    if (people !== null) livekit.addRoom(REFERENCE, people);
    await expect(retrieved()).resolves.toEqual({ kind: 'absent', wasAnswered });
    expect(livekit.methods()).not.toContain('DeleteRoom');
  });

  test('returns `talks` when the phone and the agent are both back', async () => {
    livekit.addRoom(REFERENCE, [AGENT, phone('dialing')]);
    await expect(retrieved()).resolves.toEqual({ kind: 'talks' });
  });

  test.each([
    ['answered', true],
    ['unanswered', false],
    [undefined, null],
  ] as const)(
    'hangs up a phone that returns without its agent, when the bridge reports %p',
    async (replies, isAnswered) => {
      const back = { ...phone('dialing'), ...(replies !== undefined && { replies }) };
      livekit.addRoom(REFERENCE, [back, { ...AGENT, replies: 'listed' }]);
      await expect(retrieved()).resolves.toEqual({ kind: 'released', isAnswered });
      expect(livekit.rooms.has(REFERENCE)).toBe(false);
    },
  );

  test("throws if LiveKit can't hang up the phone or reach its bridge", async () => {
    livekit.addRoom(REFERENCE, [phone('dialing')]);
    livekit.faults.set('DeleteRoom', UNREACHABLE);
    await expect(retrieved()).rejects.toThrow(CarrierUnreachable);
    livekit.faults.set('PerformRpc', UNREACHABLE);
    await expect(retrieved()).rejects.toThrow(CarrierUnreachable);
  });
});

describe('a ringing phone whose bridge handles one request at a time', () => {
  const ringing = (): FakeParticipant => ({ ...phone('ringing'), replies: 'unanswered' });
  beforeEach(() => void livekit.addRoom(REFERENCE, [AGENT, ringing()]));

  test('finds the ringing phone on every look-up', async () => {
    for (const _look of [1, 2, 3]) {
      const { calls, orphanedBy } = await telephony.find(REFERENCE);
      expect([calls[0]?.state, orphanedBy]).toEqual(['ringing', null]);
    }
  });

  test('reports on every retrieval that the ringing phone is with its agent', async () => {
    for (const _look of [1, 2, 3])
      await expect(telephony.retrieve(REFERENCE)).resolves.toEqual({ kind: 'talks' });
  });

  test('hangs up the ringing phone after look-ups', async () => {
    await telephony.find(REFERENCE);
    await expect(telephony.hangUp(REFERENCE)).resolves.toBe('ended');
  });
});

test('deletes the room when a hang-up reaches no bridge, and reports the phone as orphaned', async () => {
  livekit.addRoom(REFERENCE, [AGENT, { ...phone('active'), replies: 'dead' }]);
  await expect(telephony.hangUp(REFERENCE)).resolves.toBe('orphaned');
  expect(livekit.rooms.size).toBe(0);
});

test('lets the bridge hang up an answered call, and then deletes the room', async () => {
  livekit.addRoom(REFERENCE, [AGENT, { ...phone('active'), replies: 'answered' }]);
  await expect(telephony.hangUp(REFERENCE)).resolves.toBe('ended');
  const rpcs = livekit.asked.filter(({ method }) => method === 'PerformRpc');
  expect(rpcs.at(-1)?.body).toMatchObject({ method: 'lk.sip.EndCall', destination_identity: 'callee' });
  expect(livekit.methods().at(-1)).toBe('DeleteRoom');
});

test('reports the phone as orphaned if the bridge replies but dies before it hangs up', async () => {
  livekit.addRoom(REFERENCE, [AGENT, { ...phone('active'), replies: 'answered', diesAtHangUp: true }]);
  await expect(telephony.hangUp(REFERENCE)).resolves.toBe('orphaned');
});

test('stops a ringing phone by deleting its room', async () => {
  livekit.addRoom(REFERENCE, [AGENT, { ...phone('ringing'), replies: 'unanswered' }]);
  await expect(telephony.hangUp(REFERENCE)).resolves.toBe('ended');
  expect(livekit.asked.map(({ body }) => body.method)).not.toContain('lk.sip.EndCall');
  expect(livekit.rooms.size).toBe(0);
});
