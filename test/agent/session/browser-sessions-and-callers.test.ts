/** Tests browser sessions and inbound calls. */
import { BROWSER, type FakeRoom } from '../support/fake-room';
import { callContextOf, type FakePlatform } from '../support/fake-platform';
import { CALL, Rig } from '../support/rig';

let rig: Rig;
let platform: FakePlatform;
let room: FakeRoom;

beforeEach(async () => {
  rig = await Rig.open();
  ({ platform, room } = rig);
});
afterEach(() => platform.close());

describe('a browser session', () => {
  const SESSION = {
    welcome_message: 'Welcome {{name}}!',
    welcome_interruptible: true,
    bg_noise_enabled: false,
  };
  beforeEach(() =>
    platform.callContexts.set(
      CALL,
      callContextOf(CALL, { medium: 'webrtc', direction: 'Incoming', session: SESSION }),
    ),
  );

  test("answers when the participant joins, and greets with the session's welcome message", async () => {
    rig.after('publishReady', () => room.addParticipant(BROWSER));
    rig.after('play', () => {
      platform.callContexts.set(CALL, 'over');
      room.removeParticipant(BROWSER);
    });
    await rig.run();
    expect(platform.types).toEqual(['answered', 'segment']);
    expect(room.captions).toEqual(['Welcome Asha!']);
  });

  test('answers immediately when the participant is already in the room', async () => {
    room.addParticipant(BROWSER);
    rig.after('play', () => {
      platform.callContexts.set(CALL, 'over');
      room.removeParticipant(BROWSER);
    });
    await rig.run();
    expect(platform.types).toEqual(['answered', 'segment']);
  });

  test('leaves a session to another agent that is already talking to the participant', async () => {
    room.addParticipant(BROWSER);
    room.addParticipant({
      identity: 'agent-z',
      isSip: false,
      isAgent: true,
      attributes: { 'platform.ready': 'true' },
    });
    await rig.run();
    expect(room.actions).toEqual(['join', 'leave', 'leave']);
  });

  test('ends a session with no_answer and deletes the room when the participant never joins', async () => {
    await rig.run(CALL, { silenceMs: 60_000, joinLimitMs: 50 });
    expect(platform.events).toEqual([
      expect.objectContaining({
        type: 'ended',
        end_reason: 'no_answer',
        reference: CALL,
        carrier_id: 'room-1',
      }),
    ]);
    expect(room.actions).toEqual(['join', 'publishVoice', 'publishReady', 'delete', 'leave', 'leave']);
  });

  test('continues a session when the participant rejoins from another window', async () => {
    rig.after('publishReady', () => room.addParticipant(BROWSER));
    rig.after('play', () => {
      room.removeParticipant(BROWSER, 'DUPLICATE_IDENTITY');
      room.addParticipant(BROWSER);
    });
    await rig.run(CALL, { silenceMs: 100, joinLimitMs: 60_000 });
    expect(platform.types).toEqual(['answered', 'segment', 'ended']);
    expect(room.record.left_at).toBeNull();
  });

  test('does not treat another participant as the user', async () => {
    rig.after('publishReady', () => room.addParticipant({ ...BROWSER, identity: 'watcher' }));
    await rig.run(CALL, { silenceMs: 60_000, joinLimitMs: 50 });
    expect(platform.types).toEqual(['ended']);
  });
});

describe('an inbound call', () => {
  const CALLER = {
    identity: 'sip_1',
    isSip: true,
    isAgent: false,
    attributes: { 'sip.trunkPhoneNumber': '+918044446666', 'sip.phoneNumber': '+919876543210' },
  };
  const TAKEN = 'inbound-1-a';

  test('offers a ringing call to the platform by number, and handles an accepted call like any other', async () => {
    platform.inbound = { accept: true, reference: TAKEN };
    platform.callContexts.set(TAKEN, callContextOf(TAKEN, { direction: 'Incoming' }));
    room.addParticipant(CALLER, 'ringing');
    const doneBefore: string[] = [];
    platform.onEvent = ({ type }) => {
      if (type === 'inbound') doneBefore.push(...room.actions);
    };
    rig.after('publishVoice', () => room.addParticipant(CALLER, 'active'));
    rig.after('play', () => {
      platform.callContexts.set(TAKEN, 'over');
      room.removeParticipant(CALLER);
    });
    await rig.run(null);
    expect(doneBefore).toEqual(['join']);
    expect(platform.events[0]).toMatchObject({
      type: 'inbound',
      carrier_id: 'room-1',
      to: '+918044446666',
      from: '+919876543210',
    });
    expect(platform.events.slice(1).map(({ type, reference }) => [type, reference])).toEqual([
      ['ringing', TAKEN],
      ['answered', TAKEN],
      ['segment', TAKEN],
    ]);
    expect(room.record).toMatchObject({ call_id: TAKEN, left_reason: 'CLIENT_INITIATED' });
    expect(platform.recordings.has(TAKEN)).toBe(true);
  });

  test('claims each inbound call with a new random secret', async () => {
    room.addParticipant(CALLER, 'ringing');
    await rig.run(null);
    await rig.run(null);
    const [first, second] = platform.events.map(({ claim }) => claim as string);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(first);
  });

  test('plays the rejection and the busy tone for a rejected call, and deletes its room', async () => {
    platform.inbound = { accept: false, say: 'All lines are busy.' };
    room.addParticipant(CALLER, 'ringing');
    rig.after('publishVoice', () => room.addParticipant(CALLER, 'active'));
    await rig.run(null);
    expect(room.captions).toEqual(['All lines are busy.']);
    expect(room.actions).toEqual(['join', 'publishVoice', 'caption', 'play', 'delete', 'leave']);
    expect(platform.types).toEqual(['inbound']);
  });

  test('leaves the room alone when another agent has claimed the inbound call', async () => {
    platform.taken.add('room-1');
    room.addParticipant(CALLER, 'active');
    await rig.run(null);
    expect(platform.types).toEqual(['inbound']);
    expect(room.actions).toEqual(['join', 'leave']);
  });

  test('deletes the room without an error when the caller hangs up before the decision', async () => {
    room.addParticipant(CALLER, 'ringing');
    platform.onEvent = () => room.removeParticipant(CALLER);
    await rig.run(null);
    expect(room.actions).toEqual(['join', 'publishVoice', 'delete', 'leave']);
  });
});
