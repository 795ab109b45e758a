import { applyProgress, type ProgressEvent } from '../../db/calls/events';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, START, type Owner } from './support/engine-database';
import { Random } from './support/random';

const iso = (ms: number): string => new Date(ms).toISOString();

describeWith('postgres', "a carrier's report of progress", () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    engine.now = START;
    owner = await engine.owner(100);
  });

  const dialled = async (): Promise<string> => {
    const callId = await engine.dispatch(owner);
    await engine.dial(callId);
    return callId;
  };
  const event = (
    reference: string,
    type: ProgressEvent['type'],
    seconds: number,
    more: Partial<ProgressEvent> = {},
  ): ProgressEvent => ({
    reference,
    carrierId: `sim-${reference}`,
    type,
    at: iso(START + seconds * 1_000),
    ...(type === 'answered' && { answeredBy: 'human' }),
    ...more,
  });
  const segment = (reference: string, startMs: number, text = `said at ${startMs}`): ProgressEvent =>
    event(reference, 'segment', 5, { segment: { speaker: 'agent', text, startMs, endMs: startMs + 900 } });
  const apply = (events: ProgressEvent[]) =>
    applyProgress(engine.db, events, { now: engine.now, creditsPerMinute: 2 });
  const segmentsOf = (callId: string) =>
    engine.db('call_segments').where({ call_id: callId }).orderBy('start_ms').select('start_ms', 'text');

  test.each([
    [['unknown', 'machine'], 'machine'],
    [['human', 'unknown'], 'human'],
    [['machine', 'human'], 'machine'],
  ] as const)('corrects who answered once the carrier knows: %j', async (answerers, known) => {
    for (const isTogether of [true, false]) {
      const callId = await dialled();
      const events = answerers.map((answeredBy) => event(callId, 'answered', 4, { answeredBy }));
      // In one batch, the order of two people or machines is unknown.
      if (isTogether && !answerers.some((one) => one === 'unknown')) continue;
      if (isTogether) await apply(events);
      else for (const event of events) await apply([event]);
      expect((await engine.call(callId)).answered_by).toBe(known);
    }
  });

  test('sets the status and the times of a call from its events', async () => {
    const callId = await dialled();
    const statuses: unknown[] = [];
    for (const [type, seconds] of [
      ['dialing', 1],
      ['ringing', 2],
      ['answered', 4],
    ] as const) {
      await apply([event(callId, type, seconds)]);
      statuses.push((await engine.call(callId)).call_status);
    }
    expect(statuses).toEqual(['dialing', 'ringing', 'in progress']);
    expect(await engine.call(callId)).toMatchObject({
      dialing_at: new Date(START + 1_000),
      ringing_at: new Date(START + 2_000),
      answered_at: new Date(START + 4_000),
      answered_by: 'human',
      reported_at: new Date(engine.now),
    });
  });

  test('creates the same record from events in any order and in any batches, even if they are repeated', async () => {
    const random = new Random(7);
    for (let course = 0; course < 10; course++) {
      const callId = await dialled();
      const events = [
        event(callId, 'dialing', 1),
        event(callId, 'ringing', 2),
        event(callId, 'answered', 4),
        ...[0, 1_000, 2_000].map((startMs) => segment(callId, startMs)),
      ];
      const shuffled = [...events, ...events]
        .map((event) => ({ event, order: random.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ event }) => event);
      while (shuffled.length > 0) await apply(shuffled.splice(0, 1 + random.below(4)));
      expect(await engine.call(callId)).toMatchObject({
        stage: 'placed',
        call_status: 'in progress',
        dialing_at: new Date(START + 1_000),
        ringing_at: new Date(START + 2_000),
        answered_at: new Date(START + 4_000),
      });
      expect(await segmentsOf(callId)).toHaveLength(3);
    }
  });

  test('keeps the first time reported for a state, and within a batch the earliest', async () => {
    const callId = await dialled();
    await apply([event(callId, 'ringing', 5), event(callId, 'ringing', 3)]);
    await apply([event(callId, 'ringing', 1)]);
    expect((await engine.call(callId)).ringing_at).toEqual(new Date(START + 3_000));
  });

  test("treats any event as proof that the call was placed, even if the carrier's response was lost", async () => {
    const callId = await engine.dispatch(owner);
    await engine.begin(callId);
    await apply([event(callId, 'ringing', 1)]);
    expect(await engine.call(callId)).toMatchObject({ stage: 'placed', carrier_id: `sim-${callId}` });
  });

  test('stores the caller ID that the carrier chose, but keeps one that was already recorded', async () => {
    const [chosen, asked] = [await dialled(), await dialled()];
    await engine.db('calls').where({ call_id: asked }).update({ from_number: '+918040000001' });
    for (const callId of [chosen, asked])
      await apply([
        event(callId, 'dialing', 1),
        event(callId, 'answered', 2, { fromNumber: '+918040000002' }),
        event(callId, 'ringing', 1, { fromNumber: null }),
      ]);
    expect((await engine.call(chosen)).from_number).toBe('+918040000002');
    expect((await engine.call(asked)).from_number).toBe('+918040000001');
  });

  test('keeps the number of an inbound caller withheld, even if an event reports a caller ID', async () => {
    const callId = await dialled();
    await engine.db('calls').where({ call_id: callId }).update({ direction: 'Incoming' });
    await apply([event(callId, 'answered', 2, { fromNumber: '+918040000002' })]);
    await engine.end(callId, 'callee', { fromNumber: '+918040000002' });
    expect((await engine.call(callId)).from_number).toBeNull();
  });

  test('ignores events of an unknown call', async () => {
    const callId = await dialled();
    await apply([
      event('outbound-0-none', 'ringing', 1),
      segment('outbound-0-none', 0),
      event(callId, 'ringing', 1),
    ]);
    expect((await engine.call(callId)).call_status).toBe('ringing');
    expect(await segmentsOf('outbound-0-none')).toEqual([]);
  });

  test('applies the events of many calls in one batch', async () => {
    const callIds = await Promise.all([dialled(), dialled(), dialled()]);
    await apply(callIds.map((callId) => event(callId, 'answered', 2)));
    for (const callId of callIds) expect((await engine.call(callId)).call_status).toBe('in progress');
  });

  describe('events after the end of a call', () => {
    const END = START + 4_000 + 2 * MINUTE_MS;
    /** Returns a call that was dialled at START. It is END now. */
    const dialledLongAgo = async (): Promise<string> => {
      const callId = await dialled();
      engine.now = END;
      return callId;
    };

    test('sets talk time and cost once for a late `answered` event', async () => {
      const callId = await dialledLongAgo();
      await engine.end(callId, 'agent', { endedAt: iso(END) });
      expect(await engine.call(callId)).toMatchObject({ duration_ms: 0, call_cost: 0 });
      await apply([event(callId, 'answered', 4)]);
      const record = {
        stage: 'over',
        call_status: 'completed',
        answered_at: new Date(START + 4_000),
        duration_ms: 2 * MINUTE_MS,
        call_cost: 4,
      };
      expect(await engine.call(callId)).toMatchObject(record);
      await apply([event(callId, 'answered', 60), event(callId, 'ringing', 1)]);
      expect(await engine.call(callId)).toMatchObject({ ...record, ringing_at: new Date(START + 1_000) });
    });

    test('sets talk time and cost for an `answered` event that is written while the end commits', async () => {
      const callId = await dialledLongAgo();
      const ending = await engine.db.transaction();
      await engine.within(ending, () => engine.end(callId, 'agent', { endedAt: iso(END) }));
      const applying = apply([event(callId, 'answered', 4)]);
      await engine.untilBlocked();
      await ending.commit();
      await applying;
      expect(await engine.call(callId)).toMatchObject({
        answered_at: new Date(START + 4_000),
        duration_ms: 2 * MINUTE_MS,
        call_cost: 4,
      });
    });

    test('keeps the final status and the measured talk time', async () => {
      const callId = await dialledLongAgo();
      await apply([event(callId, 'answered', 4)]);
      await engine.end(callId, 'callee', { endedAt: iso(END) });
      await apply([event(callId, 'answered', 90), event(callId, 'dialing', 1)]);
      expect(await engine.call(callId)).toMatchObject({
        call_status: 'User disconnected',
        duration_ms: 2 * MINUTE_MS,
        dialing_at: new Date(START + 1_000),
      });
    });

    test('adds segments that arrive after the end', async () => {
      const callId = await dialled();
      await engine.end(callId, 'agent');
      await apply([segment(callId, 0)]);
      expect(await segmentsOf(callId)).toHaveLength(1);
    });
  });

  test('keeps the first text of a segment that is reported again', async () => {
    const callId = await dialled();
    await apply([segment(callId, 0, 'first'), segment(callId, 0, 'second')]);
    await apply([segment(callId, 0, 'third')]);
    const [{ text } = { text: '' }] = await segmentsOf(callId);
    expect(['first', 'second']).toContain(text);
    expect(await segmentsOf(callId)).toHaveLength(1);
  });

  describe('events with segments', () => {
    const numbered = (callId: string) =>
      engine.db('call_segments').where({ call_id: callId }).orderBy('seq').pluck('seq');

    test('numbers segments in order of arrival without gaps, even if many are repeated', async () => {
      const callId = await dialled();
      await apply([segment(callId, 2_000), segment(callId, 1_000), segment(callId, 2_000)]);
      await apply([segment(callId, 1_000), segment(callId, 3_000), segment(callId, 2_000)]);
      await apply([segment(callId, 0)]);
      const said = await engine.db('call_segments').where({ call_id: callId }).orderBy('seq');
      expect(said.map(({ seq, start_ms }) => [seq, start_ms])).toEqual([
        [1, 1_000],
        [2, 2_000],
        [3, 3_000],
        [4, 0],
      ]);
      expect((await engine.call(callId)).emitted_segments).toBe(4);
    });

    test('continues the numbering of another process that wrote while this one waited', async () => {
      const callId = await dialled();
      await apply([segment(callId, 0)]);
      const first = await engine.db.transaction();
      const write = (db: typeof engine.db, startMs: number) =>
        applyProgress(db, [segment(callId, startMs), event(callId, 'answered', 1)], {
          now: engine.now,
          creditsPerMinute: 2,
        });
      await write(first, 2_000);
      const second = write(engine.db, 1_000);
      await engine.untilBlocked();
      await first.commit();
      await second;
      expect(await segmentsOf(callId)).toHaveLength(3);
      expect(await numbered(callId)).toEqual([1, 2, 3]);
      expect((await engine.call(callId)).emitted_segments).toBe(3);
    });

    test('assigns each number once when many are written concurrently', async () => {
      const callIds = await Promise.all([dialled(), dialled()]);
      const starts = Array.from({ length: 40 }, (_none, n) => n * 100);
      await Promise.all(starts.map((startMs) => apply(callIds.map((callId) => segment(callId, startMs)))));
      for (const callId of callIds) expect(await numbered(callId)).toEqual(starts.map((_ms, n) => n + 1));
    });

    test('numbers segments that are inserted by hand', async () => {
      const callId = await dialled();
      await apply([segment(callId, 0)]);
      await engine.db('call_segments').insert(
        [1_000, 2_000].map((start_ms) => ({
          call_id: callId,
          start_ms,
          end_ms: 0,
          speaker: 'user',
          text: '',
        })),
      );
      await apply([segment(callId, 3_000)]);
      expect(await numbered(callId)).toEqual([1, 2, 3, 4]);
    });
  });

  test('stores the interruption, confidence and language of a segment', async () => {
    const callId = await dialled();
    const more = { interrupted: true, confidence: 0.75, language: 'hi-IN' };
    const said = { speaker: 'agent', text: 'Nama', startMs: 0, endMs: 400 } as const;
    await apply([event(callId, 'segment', 5, { segment: { ...said, ...more } }), segment(callId, 1_000)]);
    const kept = await engine.db('call_segments').where({ call_id: callId }).orderBy('seq');
    expect(kept).toMatchObject([more, { interrupted: false, confidence: null, language: null }]);
  });

  test("doesn't deadlock with batches of the same calls in another order", async () => {
    const callIds = await Promise.all(Array.from({ length: 30 }, dialled));
    const batch = (ids: string[]) => apply(ids.map((callId) => event(callId, 'ringing', 1)));
    await Promise.all(
      Array.from({ length: 8 }, (_none, n) => batch(n % 2 === 0 ? callIds : [...callIds].reverse())),
    );
    const ringing = await rows(
      engine.db,
      `select 1 from calls where call_id = any(:callIds) and call_status = 'ringing'`,
      {
        callIds,
      },
    );
    expect(ringing).toHaveLength(30);
  });
});
