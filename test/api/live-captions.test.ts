/** Live captions over real sockets, with a real Postgres between sender and listener. */
import { CaptionListener } from './support/caption-listener';
import { ANSWERED_AT, CaptionsRig } from './support/captions-rig';
import { MONDAY } from './support/test-api';
import { describeWith } from '../servers/availability';
import { payloadsOf } from '../../api/calls/live-captions/relay';
import { readTarget } from '../../api/calls/live-captions/url';
import { readLiveItems } from '../../domain/live-updates';

jest.setTimeout(120_000);

describeWith('postgres', 'live captions', () => {
  let rig: CaptionsRig;

  beforeAll(async () => {
    // A test below reconnects more often than a call allows per minute.
    rig = await CaptionsRig.open({ limits: { perCall: 3, perCallAndMinute: 1_000 } });
  });
  afterAll(() => rig.close());
  afterEach(() => rig.hangUp());

  test('starts with the history and sends each later segment once, in order', async () => {
    const callId = await rig.live();
    await rig.say(callId, 0, {
      speaker: 'agent',
      text: 'Namaste',
      interrupted: true,
      confidence: 0.5,
      language: 'hi',
    });
    const listener = await rig.listen(rig.addressOf(callId));
    await rig.say(callId, 1_500, { text: 'Hello' });
    await rig.say(callId, 3_000);
    await listener.until(({ said }) => said.length === 3);
    expect(listener.types).toEqual(['connected', 'history', 'transcript', 'transcript']);
    expect(listener.frames[0]).toEqual({
      type: 'connected',
      call_id: callId,
      call_status: 'in progress',
      answered_at: new Date(ANSWERED_AT).toISOString(),
    });
    expect(listener.history).toEqual([
      {
        id: `${callId}.1`,
        call_id: callId,
        event_type: 'final',
        speaker: 'agent',
        text: 'Namaste',
        timestamp: ANSWERED_AT / 1000,
        is_final: true,
        segment_index: 0,
        was_interrupted: true,
        confidence: 0.5,
        language: 'hi',
        seq: 1,
      },
    ]);
    expect(listener.frames[2]).toEqual({
      type: 'transcript',
      call_id: callId,
      segment: {
        id: `${callId}.2`,
        call_id: callId,
        event_type: 'final',
        speaker: 'user',
        text: 'Hello',
        timestamp: ANSWERED_AT / 1000 + 1.5,
        is_final: true,
        segment_index: 1,
        was_interrupted: false,
        confidence: null,
        language: null,
        seq: 2,
      },
    });
  });

  test('stores a segment before it responds to the event', async () => {
    const callId = await rig.live();
    expect((await rig.say(callId, 0)).status).toBe(200);
    expect(await rig.api.db('call_segments').where({ call_id: callId })).toMatchObject([
      { seq: 1, text: 'said at 0' },
    ]);
  });

  test('sends each segment once and identically to all listeners when events arrive twice and out of order', async () => {
    const callId = await rig.live();
    const early = await rig.listen(rig.addressOf(callId));
    const starts = [4_000, 1_000, 3_000, 2_000, 1_000, 4_000];
    await Promise.all(starts.map((startMs) => rig.say(callId, startMs)));
    await Promise.all(starts.reverse().map((startMs) => rig.say(callId, startMs)));
    await rig.say(callId, 9_000);
    await early.until(({ said }) => said.some(({ text }) => text === 'said at 9000'));
    const late = await rig.listen(rig.addressOf(callId));
    expect(late.said).toEqual(early.said);
    expect(early.seqs).toEqual([...early.seqs].sort((a, b) => a - b));
    expect(new Set(early.said.map(({ text }) => text)).size).toBe(5);
    expect(early.said).toHaveLength(5);
  });

  test("resumes after the last seq without gaps or repeats, and ignores a seq that doesn't exist yet", async () => {
    const callId = await rig.live();
    for (const startMs of [0, 1_000, 2_000]) await rig.say(callId, startMs);
    const back = await rig.listen(`${rig.addressOf(callId)}?after=2`);
    const ahead = await rig.listen(`${rig.addressOf(callId)}?after=4000`);
    await rig.say(callId, 3_000);
    await back.until(({ said }) => said.length === 2);
    await ahead.until(({ said }) => said.length === 1);
    expect(back.seqs).toEqual([3, 4]);
    expect(ahead.seqs).toEqual([4]);
  });

  test('loses no segments for listeners that keep reconnecting during a busy call', async () => {
    const callId = await rig.live();
    const talking = (async () => {
      for (let n = 0; n < 300; n++) {
        await rig.api.db('call_segments').insert({
          call_id: callId,
          speaker: 'user',
          text: `line ${n}`,
          start_ms: n,
          end_ms: n,
        });
      }
    })();
    const heard: number[] = [];
    while (heard.length < 300) {
      const listener = await CaptionListener.open(`${rig.addressOf(callId)}?after=${heard.at(-1) ?? 0}`);
      await listener.until(({ said }) => said.length > 0);
      heard.push(...listener.seqs);
      listener.close();
    }
    await talking;
    expect(heard).toEqual(Array.from({ length: 300 }, (_none, n) => n + 1));
  });

  test("recovers from the loss of a listener's registration once the process subscribes again", async () => {
    const callId = await rig.live();
    const listener = await rig.listen(rig.addressOf(callId));
    const { db } = rig.api;
    const isRegistered = async () => (await db('caption_listeners').where({ call_id: callId })).length > 0;
    expect(await isRegistered()).toBe(true);
    await db('caption_listeners').delete();
    await rig.say(callId, 0);
    await db.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'api captions' and datname = current_database()`,
    );
    while (!(await isRegistered()));
    await rig.say(callId, 1_000);
    await listener.until(({ said }) => said.length === 2);
    expect(listener.seqs).toEqual([1, 2]);
  });

  test('sends the answer, the end and words just after the end, and then closes the socket', async () => {
    const callId = await rig.live({ answered_at: null, call_status: 'ringing' });
    const listener = await rig.listen(rig.addressOf(callId));
    expect(listener.frames[0]).toMatchObject({ call_status: 'ringing', answered_at: null });
    await rig.send(callId, { type: 'answered', answered_by: 'human', at: '2026-11-02T05:00:02.250Z' });
    expect(await listener.frame('call_started')).toEqual({
      type: 'call_started',
      call_id: callId,
      timestamp: MONDAY / 1000 + 2.25,
    });
    await rig.say(callId, 0, { text: 'Bye' });
    await rig.end(callId);
    // The agent reports the last words after another component reported the end.
    await rig.say(callId, 1_000, { text: 'Bye bye' });
    expect(await listener.closed).toEqual({ code: 1000, reason: 'call ended' });
    expect(listener.types.slice(2)).toEqual(['call_started', 'transcript', 'transcript', 'call_ended']);
    expect(listener.frames.at(-1)).toEqual({
      type: 'call_ended',
      call_id: callId,
      call_status: 'User disconnected',
      timestamp: MONDAY / 1000,
    });
  });

  test('sends the history of an ended call and closes the socket', async () => {
    const callId = await rig.live({
      stage: 'over',
      call_status: 'completed',
      ended_at: new Date(MONDAY - 10_000),
    });
    await rig.say(callId, 0);
    const listener = await rig.listen(rig.addressOf(callId));
    expect((await listener.closed).code).toBe(1000);
    expect(listener.types).toEqual(['connected', 'history', 'call_ended']);
    expect(listener.history).toHaveLength(1);
  });

  describe('a live update', () => {
    const KINDS = [
      [
        { kind: 'turn_started', speaker: 'user' },
        { type: 'turn_started', speaker: 'user' },
      ],
      [
        { kind: 'turn_ended', speaker: 'user' },
        { type: 'turn_ended', speaker: 'user' },
      ],
      [{ kind: 'agent_thinking' }, { type: 'agent_thinking' }],
      [{ kind: 'interrupted', speaker: 'agent' }, { type: 'interrupted' }],
    ] as const;

    test('sends a live update to every listener in order, without storing it', async () => {
      const callId = await rig.live();
      const listener = await rig.listen(rig.addressOf(callId));
      const { body } = await rig.update(callId, ...KINDS.map(([item]) => item));
      expect(body).toEqual({ accepted: true, wanted: true });
      await listener.until(({ frames }) => frames.length === 2 + KINDS.length);
      const timestamp = MONDAY / 1000 + 1.5;
      expect(listener.frames.slice(2)).toEqual(
        KINDS.map(([, frame]) => ({ ...frame, call_id: callId, timestamp })),
      );
      expect(await rig.api.db('call_segments').where({ call_id: callId })).toEqual([]);
    });

    test('sends an interim segment while someone speaks', async () => {
      const callId = await rig.live();
      await rig.say(callId, 0);
      const listener = await rig.listen(rig.addressOf(callId));
      await rig.update(callId, { kind: 'transcript', speaker: 'agent', text: 'मैं आपकी' });
      expect((await listener.frame('transcript')).segment).toEqual({
        id: `${callId}.agent`,
        call_id: callId,
        event_type: 'interim',
        speaker: 'agent',
        text: 'मैं आपकी',
        timestamp: MONDAY / 1000 + 1.5,
        is_final: false,
        segment_index: 1,
        was_interrupted: false,
        confidence: null,
        language: null,
        seq: null,
      });
    });

    test('drops a live update of a call without listeners, and reports that in the response', async () => {
      const callId = await rig.live();
      expect((await rig.update(callId, { kind: 'agent_thinking' })).body).toEqual({
        accepted: true,
        wanted: false,
      });
      expect((await rig.update('outbound-1-nobody', { kind: 'agent_thinking' })).body.wanted).toBe(false);
    });

    test('sends a live update of any length, and rejects a malformed one', async () => {
      const callId = await rig.live();
      const listener = await rig.listen(rig.addressOf(callId));
      const long = 'ज'.repeat(2_000);
      await rig.update(
        callId,
        ...Array.from({ length: 8 }, (_none, n) => ({
          kind: 'transcript',
          speaker: 'user',
          text: `${n}${long.slice(1)}`,
        })),
      );
      await listener.until(({ frames }) => frames.length === 10);
      expect(listener.frames.at(-1).segment.text).toBe(`7${long.slice(1)}`);
      for (const item of [
        { kind: 'sang' },
        { kind: 'transcript', text: `${long}ज` },
        { kind: 'transcript', speaker: 'them' },
        { kind: 'transcript', at: 'now' },
      ])
        expect([item, (await rig.update(callId, item)).status]).toEqual([item, 422]);
    });
  });
});

const item = (text: string) =>
  JSON.stringify({
    callId: 'outbound-1-a',
    update: { kind: 'transcript', speaker: 'user', text, at: '2026-11-02T05:00:00Z' },
  });

describe('live updates between processes', () => {
  test.each([
    ['none', []],
    ['a few', ['a', 'b', 'c']],
    ['very many', Array.from({ length: 500 }, (_none, n) => `line ${n}`)],
    [
      'long ones in letters of three bytes',
      Array.from({ length: 9 }, (_none, n) => `${n}${'ज'.repeat(1_999)}`),
    ],
  ])(
    'packs live updates completely and in order into payloads that Postgres accepts: %s',
    (_how_many, texts) => {
      const payloads = payloadsOf(texts.map(item));
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(payloads.flatMap(readLiveItems).map(({ update }) => update.text)).toEqual(texts);
    },
  );

  test('drops only the live update that is too long for a payload', () => {
    const payloads = payloadsOf([item('a'), item('x'.repeat(8_000)), item('b')]);
    expect(payloads.flatMap(readLiveItems).map(({ update }) => update.text)).toEqual(['a', 'b']);
  });

  test.each([
    'no JSON',
    '{}',
    '[null, 1, {}, {"callId": "a"}, {"callId": "a", "update": null}]',
    '[{"callId": "a", "update": {"kind": "sang", "at": "x"}}]',
    '[{"callId": "a", "update": {"kind": "transcript", "at": "x", "speaker": "them"}}]',
    '[{"callId": "a", "update": {"kind": "transcript", "at": "x", "text": 1}}]',
    '[{"callId": 1, "update": {"kind": "transcript", "at": "x"}}]',
  ])("ignores malformed live updates, such as another release's: %s", (payload) => {
    expect(readLiveItems(payload)).toEqual([]);
  });
});

describe('a URL of live captions', () => {
  const PATH = '/api/live-transcripts/ws/tok_en-1/room_1.a-b';

  test.each([
    [PATH, 0],
    [`${PATH}?after=17`, 17],
    [`${PATH}?after=17&after=18`, 17],
    [`${PATH}?other=1`, 0],
    [`${PATH}?after=`, null],
    [`${PATH}?after=-1`, null],
    [`${PATH}?after=1e3`, null],
    [`${PATH}?after=1234567890`, null],
  ])('reads the URL: %s', (url, after) => {
    expect(readTarget(url)).toEqual({ token: 'tok_en-1', callId: 'room_1.a-b', after });
  });

  test.each([
    '',
    '/',
    `${PATH}/`,
    `/x${PATH}`,
    PATH.replace('tok_en-1', ''),
    PATH.replace('tok_en-1', 'tok%2Fen'),
    PATH.replace('room_1', 'room 1'),
    `/api/live-transcripts/ws/token/${'x'.repeat(129)}`,
  ])('rejects the URL: %s', (url) => {
    expect(readTarget(url)).toBeNull();
  });
});
