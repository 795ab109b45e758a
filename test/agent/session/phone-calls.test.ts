/** Phone calls that the platform makes: from the room to its end. */
import { CALLEE, type FakeRoom } from '../support/fake-room';
import { briefOf, type FakePlatform } from '../support/fake-platform';
import { CALL, LOG, Rig } from '../support/rig';

let rig: Rig;
let platform: FakePlatform;
let room: FakeRoom;

beforeEach(async () => {
  rig = await Rig.open();
  ({ platform, room } = rig);
});
afterEach(() => platform.close());

describe('a phone call', () => {
  test('is told and noted from its dialling to its end; the greeting is played, shown and told with its variables', async () => {
    rig.answerWhenReady();
    rig.after('play', () => {
      room.speak(CALLEE);
      rig.hangUp();
    });
    await rig.run();
    expect(room.actions).toEqual([
      'join',
      'publishVoice',
      'publishReady',
      'caption',
      'play',
      'delete',
      'leave',
      'leave',
    ]);
    expect(room.captions).toEqual(['Hello Asha, from Pune.']);
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
    expect(platform.events[2]).toMatchObject({
      carrier_id: 'room-1',
      reference: CALL,
      speaker: 'agent',
      text: 'Hello Asha, from Pune.',
    });
    expect(new Set(platform.events.map(({ event_id }) => event_id)).size).toBe(3);
    expect(room.record).toEqual({
      v: 1,
      call_id: CALL,
      dialing_at: expect.any(String),
      ringing_at: expect.any(String),
      answered_at: expect.any(String),
      left_at: expect.any(String),
      left_reason: 'CLIENT_INITIATED',
      end_reason: null,
    });
    expect(room.record.answered_at).toBe(platform.events[1]?.at);
  });

  test('is recorded from its answer on', async () => {
    rig.answerWhenReady();
    rig.after('play', () => {
      for (let n = 0; n < 10; n += 1) room.speak(CALLEE);
      rig.hangUp();
    });
    await rig.run();
    const wav = platform.recordings.get(CALL);
    expect(wav?.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav?.readUInt32LE(40)).toBe((wav?.length ?? 0) - 44);
    const samples = new Int16Array(wav!.buffer.slice(wav!.byteOffset + 44, wav!.byteOffset + wav!.length));
    const loudest = (side: number) =>
      samples.reduce((most, each, at) => (at % 2 === side ? Math.max(most, each) : most), 0);
    expect(loudest(0)).toBe(8_000);
  });

  test('is ended by the agent when nothing is heard, noted before the phone is hung up, and told after', async () => {
    rig.answerWhenReady();
    const inTime: unknown[] = [];
    rig.after('remove callee', () =>
      inTime.push('out', platform.types.includes('ended'), room.record.end_reason),
    );
    rig.after('delete', () => inTime.push('deleted', platform.types.at(-1)));
    await rig.run(CALL, { silenceMs: 60, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
    expect(inTime).toEqual(['out', false, 'agent', 'deleted', 'ended']);
    expect(room.record.left_at).toBeNull();
  });

  test('is told as dropped where nothing is heard because the line is dead', async () => {
    rig.answerWhenReady();
    room.isAudioLost = true;
    await rig.run(CALL, { silenceMs: 60, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'dropped' });
    expect(room.record.end_reason).toBe('dropped');
  });

  test('is not ended while something is heard', async () => {
    rig.answerWhenReady();
    let spoken = 0;
    rig.after('play', () => {
      const timer = setInterval(() => {
        spoken += 1;
        if (spoken <= 10) room.speak(CALLEE);
        else if (spoken === 11) {
          clearInterval(timer);
          rig.hangUp();
        }
      }, 20);
    });
    await rig.run(CALL, { silenceMs: 150, joinLimitMs: 60_000 });
    expect(platform.types).not.toContain('ended');
  });

  test("a line's own noise is silence", async () => {
    rig.answerWhenReady();
    rig.after('play', () => {
      const timer = setInterval(() => room.speak(CALLEE, 100), 20);
      rig.after('leave', () => clearInterval(timer));
    });
    await rig.run(CALL, { silenceMs: 150, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
  });

  test('is ended at its longest talk, however much is said', async () => {
    platform.briefs.set(CALL, briefOf(CALL, { max_talk_s: 0.2 }));
    rig.answerWhenReady();
    await rig.run();
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'max_talk' });
    expect(room.actions).toContain('delete');
  });

  test('that nobody answers is left to LiveKit to tell', async () => {
    rig.after('publishReady', () => {
      room.addParticipant(CALLEE, 'dialing');
      room.addParticipant(CALLEE, 'ringing');
      rig.hangUp('USER_UNAVAILABLE');
    });
    await rig.run();
    expect(platform.types).toEqual(['ringing']);
    expect(room.record).toMatchObject({
      answered_at: null,
      left_reason: 'USER_UNAVAILABLE',
      end_reason: null,
    });
    expect(room.actions).not.toContain('play');
    expect(platform.recordings.size).toBe(0);
  });

  test('whose end the platform does not know yet keeps its room, which says what became of it', async () => {
    rig.answerWhenReady();
    rig.after('play', () => room.removeParticipant(CALLEE));
    const done = rig.run();
    await platform.until(() => platform.types.includes('segment'));
    await done;
    expect(room.actions).not.toContain('delete');
    expect(room.record.left_at).not.toBeNull();
  });

  test('whose room is deleted ends without a word of the agent', async () => {
    rig.answerWhenReady();
    rig.after('play', () => room.close());
    await rig.run();
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
    expect(platform.recordings.size).toBe(1);
  });

  test('whose process is told to end is left as it is: the platform hears that the agent went', async () => {
    rig.answerWhenReady();
    rig.after('play', () => rig.stopping.abort());
    await rig.run();
    expect(platform.types).not.toContain('ended');
    expect(room.actions).not.toContain('delete');
    expect(room.actions.at(-1)).toBe('leave');
    expect(platform.recordings.size).toBe(1);
  });

  test('in which something fails is left, and no end is invented', async () => {
    room.failing = 'play';
    rig.answerWhenReady();
    await rig.run();
    expect(LOG.error).toHaveBeenCalledWith(
      expect.objectContaining({ error: 'Error' }),
      'the conversation failed',
    );
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
    expect(room.actions.at(-1)).toBe('leave');
    expect(room.actions).not.toContain('delete');
  });

  test('whose phone cannot be hung up is left, and its end is not told while it may live', async () => {
    room.failing = 'remove callee';
    rig.answerWhenReady();
    await rig.run(CALL, { silenceMs: 50, joinLimitMs: 60_000 });
    expect(platform.types).not.toContain('ended');
    expect(room.actions).toContain('leave');
    expect(room.record.end_reason).toBe('agent');
    expect(platform.recordings.size).toBe(1);
  });

  test.each([
    ['that is ready already', 'join', 'agent-z'],
    ['that comes at the same time, and before it by name', 'publishReady', 'agent-a'],
  ])('is left to another agent %s', async (_when, action, identity) => {
    rig.after(action, () =>
      room.addParticipant({
        identity,
        isSip: false,
        isAgent: true,
        attributes: { 'platform.ready': 'true' },
      }),
    );
    await rig.run();
    expect(room.actions.at(-1)).toBe('leave');
    expect(room.actions).not.toContain('delete');
    expect(platform.events).toEqual([]);
  });

  test('is kept where another agent comes later', async () => {
    rig.after('publishReady', () =>
      room.addParticipant({
        identity: 'agent-z',
        isSip: false,
        isAgent: true,
        attributes: { 'platform.ready': 'true' },
      }),
    );
    rig.answerWhenReady();
    rig.after('play', () => rig.hangUp());
    await rig.run();
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
  });

  test('that is over before the agent is there has its room deleted', async () => {
    platform.briefs.set(CALL, 'over');
    await rig.run();
    expect(room.actions).toEqual(['join', 'delete', 'leave']);
  });

  test('that the API does not know has its room deleted', async () => {
    await rig.run('outbound-1-unknown');
    expect(room.actions).toEqual(['join', 'delete', 'leave']);
  });

  test('goes on while the API is away, which is told all of it in order', async () => {
    rig.answerWhenReady();
    platform.nextStatuses = [503, 0, 500];
    let playedAfter = -1;
    rig.after('play', () => {
      playedAfter = platform.events.length;
      void platform.until(() => platform.events.length === 3).then(() => rig.hangUp());
    });
    await rig.run();
    expect(playedAfter).toBe(0);
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
  });

  test('is hung up when the agent ends it although the API is away, and its room says why', async () => {
    rig.answerWhenReady();
    rig.after('play', () => (platform.nextStatuses = [503, 503, 503]));
    await rig.run(CALL, { silenceMs: 50, joinLimitMs: 60_000 });
    expect(room.actions.slice(0, 7)).toEqual([
      'join',
      'publishVoice',
      'publishReady',
      'caption',
      'play',
      'remove callee',
      'leave',
    ]);
    expect(room.record.end_reason).toBe('agent');
    // Told once it is back, and then the room is of no use.
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
    expect(room.actions.slice(-2)).toEqual(['delete', 'leave']);
  });

  test('waits for the other side to speak where the agent is to let it', async () => {
    const identity = { greeting_message: { agent_message: 'Yes?', let_user_speak_first: true } };
    platform.briefs.set(CALL, briefOf(CALL, { agent: { name: 'A', config: { persona: { identity } } } }));
    const before: string[] = [];
    rig.after('publishReady', () => {
      room.addParticipant(CALLEE, 'active');
      void platform
        .until(() => platform.types.includes('answered'))
        .then(() => {
          before.push(...room.actions);
          room.speak(CALLEE);
        });
    });
    rig.after('play', () => rig.hangUp());
    await rig.run();
    expect(before).not.toContain('play');
    expect(room.actions).toContain('play');
  });
});
