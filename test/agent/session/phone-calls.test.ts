/** Tests outbound phone calls, from joining the room to the end. */
import { CALLEE, type FakeRoom } from '../support/fake-room';
import { callContextOf, type FakePlatform } from '../support/fake-platform';
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
  test('reports and records each step of a call; plays, captions and emits the greeting with its variables', async () => {
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
      deployment: null,
      call_id: CALL,
      dialing_at: expect.any(String),
      ringing_at: expect.any(String),
      answered_at: expect.any(String),
      left_at: expect.any(String),
      left_reason: 'CLIENT_INITIATED',
      end_reason: null,
      no_audio: null,
    });
    expect(room.record.answered_at).toBe(platform.events[1]?.at);
  });

  test('leaves a call alone when another agent has taken it', async () => {
    platform.taken.add(CALL);
    await rig.run();
    expect(room.actions).toEqual(['join', 'leave']);
    expect(platform.events).toEqual([]);
  });

  test('claims a call again with the same secret when the response was lost', async () => {
    platform.nextContextStatuses = [503, 503];
    rig.answerWhenReady();
    rig.after('play', () => rig.hangUp());
    await rig.run();
    const claims = platform.claims.get(CALL) ?? [];
    expect([claims.length, new Set(claims).size]).toEqual([3, 1]);
  });

  test('starts recording when the call is answered', async () => {
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
      samples.reduce((max, each, at) => (at % 2 === side ? Math.max(max, each) : max), 0);
    expect(loudest(0)).toBe(8_000);
  });

  test('hangs up after the silence limit; records the end before the hang-up and reports it afterwards', async () => {
    rig.answerWhenReady();
    const inTime: unknown[] = [];
    rig.after('hang up callee', () =>
      inTime.push('out', platform.types.includes('ended'), room.record.end_reason),
    );
    rig.after('delete', () => inTime.push('deleted', platform.types.at(-1)));
    await rig.run(CALL, { silenceMs: 60, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
    expect(inTime).toEqual(['out', false, 'agent', 'deleted', 'ended']);
    expect(room.record.left_at).toBeNull();
  });

  test('reports a call as dropped when no audio arrives because the connection is dead', async () => {
    rig.answerWhenReady();
    room.sinceAudio = 5_000;
    await rig.run(CALL, { silenceMs: 60, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'dropped' });
    expect(platform.events.at(-1)).not.toHaveProperty('no_audio');
    expect(room.record).toMatchObject({ end_reason: 'dropped', no_audio: null });
  });

  test('reports a call as dropped without audio when the phone never sends a packet, even with a long silence limit', async () => {
    rig.answerWhenReady();
    room.sinceAudio = null;
    rig.noAudioAfterMs = 60;
    await rig.run();
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'dropped', no_audio: true });
    expect(room.record).toMatchObject({ end_reason: 'dropped', no_audio: true });
    expect(room.actions).toContain('hang up callee');
  });

  test('continues a call when the first packet is late, even on a new connection that has received none', async () => {
    rig.answerWhenReady();
    // Longer than a machine can stall between the answer and the first check.
    rig.noAudioAfterMs = 3_000;
    let checks = 0;
    room.sinceAudioMs = () => {
      checks += 1;
      if (checks === 2) setTimeout(() => rig.hangUp(), rig.noAudioAfterMs);
      return Promise.resolve(checks === 2 ? 0 : null);
    };
    await rig.run();
    expect(checks).toBe(2);
    expect(platform.types).not.toContain('ended');
    expect(room.record.left_reason).toBe('CLIENT_INITIATED');
  });

  test("does not end a call when the audio statistics can't be read", async () => {
    rig.answerWhenReady();
    rig.noAudioAfterMs = 20;
    let checks = 0;
    room.sinceAudioMs = () => {
      checks += 1;
      if (checks === 2) rig.hangUp();
      return Promise.reject(new Error('no statistics'));
    };
    await rig.run();
    expect(platform.types).not.toContain('ended');
  });

  test("reports a call as lost from the start of the silence when the bridge doesn't confirm the hang-up", async () => {
    rig.answerWhenReady();
    room.sinceAudio = 5_000;
    room.isPhoneLost = true;
    const startedAt = Date.now();
    await rig.run(CALL, { silenceMs: 60, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'lost', by: 'bridge' });
    expect(Date.parse(platform.events.at(-1)?.at ?? '')).toBeGreaterThanOrEqual(startedAt - 60);
    expect(platform.types).not.toContain('ended');
    expect(room.actions).not.toContain('remove callee');
    expect(room.actions).not.toContain('delete');
    expect(room.record).toMatchObject({ end_reason: null, answered_at: expect.any(String) });
  });

  test('reports a call as lost from the moment its room connection failed, if the connection is not restored', async () => {
    rig.answerWhenReady();
    const lostAt = Date.parse('2026-11-02T05:00:00.000Z');
    rig.after('play', () => room.close('UNKNOWN_REASON', lostAt));
    await rig.run();
    expect(platform.events.at(-1)).toMatchObject({
      type: 'lost',
      by: 'livekit',
      at: new Date(lostAt).toISOString(),
    });
    expect(room.actions).not.toContain('delete');
  });

  test('reports a call as lost even if it was still ringing', async () => {
    rig.after('publishReady', () => {
      room.addParticipant(CALLEE, 'dialing');
      room.close('SIGNAL_CLOSE');
    });
    await rig.run();
    expect(platform.types).toEqual(['lost']);
  });

  test('does not end a call while audio is received', async () => {
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

  test("hangs up at the silence limit when the user's audio is only line noise", async () => {
    rig.answerWhenReady();
    rig.after('play', () => {
      const timer = setInterval(() => room.speak(CALLEE, 100), 20);
      rig.after('leave', () => clearInterval(timer));
    });
    await rig.run(CALL, { silenceMs: 150, joinLimitMs: 60_000 });
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
  });

  test('ends a call at its maximum talk time even if the user still speaks', async () => {
    platform.callContexts.set(CALL, callContextOf(CALL, { max_talk_s: 0.2 }));
    rig.answerWhenReady();
    await rig.run();
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'max_talk' });
    expect(room.actions).toContain('delete');
  });

  test('reports no end for an unanswered call, because LiveKit reports it', async () => {
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

  test('keeps the room and its record until the platform knows the end', async () => {
    rig.answerWhenReady();
    rig.after('play', () => room.removeParticipant(CALLEE));
    const done = rig.run();
    await platform.until(() => platform.types.includes('segment'));
    await done;
    expect(room.actions).not.toContain('delete');
    expect(room.record.left_at).not.toBeNull();
  });

  test('reports no end when the room of a call is deleted', async () => {
    rig.answerWhenReady();
    rig.after('play', () => room.close());
    await rig.run();
    expect(platform.types).toEqual(['ringing', 'answered', 'segment']);
    expect(platform.recordings.size).toBe(1);
  });

  test('reports no end and keeps the room when the process is stopped', async () => {
    rig.answerWhenReady();
    rig.after('play', () => rig.stopping.abort());
    await rig.run();
    expect(platform.types).not.toContain('ended');
    expect(room.actions).not.toContain('delete');
    expect(room.actions.at(-1)).toBe('leave');
    expect(platform.recordings.size).toBe(1);
  });

  test('reports no end when an error occurs in the conversation', async () => {
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

  test('keeps the line and reports no end when hanging up on the callee fails', async () => {
    room.failing = 'hang up callee';
    rig.answerWhenReady();
    await rig.run(CALL, { silenceMs: 50, joinLimitMs: 60_000 });
    expect(platform.types).not.toContain('ended');
    expect(room.actions).toContain('leave');
    expect(room.record.end_reason).toBe('agent');
    expect(platform.recordings.size).toBe(1);
  });

  test.each([
    ['that is already ready', 'join', 'agent-z'],
    ['that joins at the same time, and whose name sorts first', 'publishReady', 'agent-a'],
  ])('leaves a call to another agent %s', async (_when, action, identity) => {
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

  test('keeps a call when another agent joins later', async () => {
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

  test('deletes the room of a call that was over before the agent joined', async () => {
    platform.callContexts.set(CALL, 'over');
    await rig.run();
    expect(room.actions).toEqual(['join', 'delete', 'leave']);
  });

  test('deletes the room of a call that the API does not know', async () => {
    await rig.run('outbound-1-unknown');
    expect(room.actions).toEqual(['join', 'delete', 'leave']);
  });

  test('continues a call while the API is unavailable, and delivers all events in order afterwards', async () => {
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

  test('hangs up while the API is unavailable, and records the reason in the room', async () => {
    rig.answerWhenReady();
    // Expires before the last attempt to send the event.
    rig.flushMs = 300;
    rig.after('play', () => (platform.nextStatuses = [503, 503, 503]));
    await rig.run(CALL, { silenceMs: 50, joinLimitMs: 60_000 });
    expect(room.actions.slice(0, 7)).toEqual([
      'join',
      'publishVoice',
      'publishReady',
      'caption',
      'play',
      'hang up callee',
      'leave',
    ]);
    expect(room.record.end_reason).toBe('agent');
    // The event is sent once the API is back. The room is no longer needed then.
    expect(platform.events.at(-1)).toMatchObject({ type: 'ended', end_reason: 'agent' });
    expect(room.actions.slice(-2)).toEqual(['delete', 'leave']);
  });

  test('waits for the user to speak when the agent lets the user speak first', async () => {
    const identity = { greeting_message: { agent_message: 'Yes?', let_user_speak_first: true } };
    platform.callContexts.set(
      CALL,
      callContextOf(CALL, { agent: { name: 'A', config: { persona: { identity } } } }),
    );
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
