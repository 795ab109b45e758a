/** Tests archived calls in their monthly partitions. */
import { concludeCall, loadEndedCall } from '../../db/calls/conclusions';
import { isCallOf, captionsSince } from '../../db/calls/live-captions';
import { findCall, listCalls } from '../../db/calls/history';
import { hangUp } from '../../db/calls/hang-up';
import { archiveCalls, dropArchivedCalls } from '../../db/calls/archive';
import { holdMonths } from '../../db/calls/months';
import { findRecording, recordRecording } from '../../db/calls/recordings';
import { listContacts } from '../../db/campaigns/contacts';
import { outcomesOf } from '../../db/campaigns/progress';
import { firstReportPage } from '../../db/campaigns/report';
import { eraseTranscripts } from '../../db/organizations/erasing';
import { callsOf, erasePerson } from '../../db/organizations/people';
import { keptTotal } from '../../db/kernel/list-page';
import { rows, timestamp } from '../../db/kernel/query';
import { callEndOf } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type Owner } from './support/engine-database';
import { FINDINGS } from './support/findings';
import { partitionsIn, plansOf, rowsRead } from './support/plan-of';

const DAY_MS = 86_400_000;
const PAGE = { limit: 50, offset: 0 };
const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;
const MONTHS = 36;

describeWith('postgres', 'archived calls', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeEach(async () => {
    engine = await EngineDatabase.open(3);
    owner = await engine.owner();
  });
  afterEach(() => engine.close());

  /** Returns a finished and concluded call of its own campaign, with a transcript and a recording. */
  async function talked(by = owner): Promise<{ callId: string; campaignId: string }> {
    const campaignId = await engine.campaign(by, { contacts: 1 });
    const [callId = ''] = (await engine.feed(by, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(engine.now - 60_000).toISOString() });
    const file = { storageKey: `recordings/${callId}.wav`, contentType: 'audio/wav', bytes: 5 };
    await recordRecording(engine.db, callId, file, engine.now);
    const segments = [{ speaker: 'user' as const, text: 'Refund, please.', startMs: 0, endMs: 500 }];
    await concludeCall(engine.db, {
      callId,
      findings: FINDINGS,
      segments,
      webhook: null,
      callback: null,
      now: engine.now,
    });
    await engine.db('calls').where({ call_id: callId }).update({ callback_requested: false });
    return { callId, campaignId };
  }
  const finish = (campaignId: string) => engine.set(campaignId, { ended_at: new Date(engine.now) });
  const archive = (before = engine.now + DAY_MS, by = owner) =>
    archiveCalls(engine.db, { organizationId: by.organizationId, after: null, before, limit: 200 });
  /** Returns the partitions of a call and its segments. */
  const placesOf = async (callId: string) =>
    (
      await rows<{ place: string }>(
        engine.db,
        `select tableoid::regclass::text as place from all_calls where call_id = :callId
         union all select tableoid::regclass::text from all_call_segments where call_id = :callId`,
        { callId },
      )
    ).map(({ place }) => place);
  const inPresent = ['calls', 'call_segments'];
  const inMonth = ['calls_2026_11', 'call_segments_2026_11'];

  test('includes archived calls in lists, searches, details, contacts and campaigns', async () => {
    const { callId, campaignId } = await talked();
    await finish(campaignId);
    const { organizationId } = owner;
    const read = async () => ({
      list: await listCalls(engine.db, { organizationId }, PAGE),
      ofStatus: await listCalls(engine.db, { organizationId, status: 'completed' }, PAGE),
      since: await listCalls(engine.db, { organizationId, from: timestamp(START - DAY_MS) }, PAGE),
      byId: await listCalls(engine.db, { organizationId, callId }, PAGE),
      found: await listCalls(engine.db, { organizationId, search: 'refund' }, PAGE),
      call: await findCall(engine.db, callId, organizationId),
      recording: await findRecording(engine.db, callId, organizationId),
      contacts: await listContacts(engine.db, { campaignId }, PAGE),
      report: await firstReportPage(engine.db, campaignId),
      outcomes: await outcomesOf(engine.db, campaignId),
      captions: await captionsSince(engine.db, [{ callId, seq: 0 }]),
      isTheirs: await isCallOf(engine.db, callId, organizationId),
      total: await keptTotal(engine.db, organizationId, 'calls'),
      hangUp: await hangUp(
        engine.db,
        { callId, organizationId, actor },
        callEndOf({ endedAt: timestamp(engine.now), endReason: 'cancelled' }, 2),
        engine.now,
      ),
    });
    const before = await read();
    expect(before).toMatchObject({
      ofStatus: { total: 1 },
      since: { total: 1 },
      byId: { total: 1 },
      found: { total: 1 },
      report: [{ callId }],
      hangUp: { kind: 'over' },
    });
    expect(before.call?.segments).toHaveLength(1);
    expect(await archive()).toMatchObject({ moved: 1, until: { callId } });
    expect(await placesOf(callId)).toEqual(inMonth);
    expect(await read()).toEqual(before);
    expect((await engine.db.raw('select count(*)::int as n from calls')).rows).toEqual([{ n: 0 }]);
  });

  test.each<[string, (call: { callId: string; campaignId: string }) => Promise<unknown>]>([
    ['its campaign has not ended', ({ campaignId }) => engine.set(campaignId, { ended_at: null })],
    [
      'its campaign ended later',
      ({ campaignId }) => engine.set(campaignId, { ended_at: new Date(START + 2 * DAY_MS) }),
    ],
    [
      'it is not concluded',
      ({ callId }) => engine.db('calls').where({ call_id: callId }).update({ concluded_at: null }),
    ],
    [
      'it ended later',
      ({ callId }) =>
        engine
          .db('calls')
          .where({ call_id: callId })
          .update({ ended_at: new Date(START + 2 * DAY_MS) }),
    ],
    [
      'its callback is open',
      ({ callId }) => engine.db('calls').where({ call_id: callId }).update({ callback_status: 'scheduled' }),
    ],
    [
      'retention has left it for later',
      ({ callId }) =>
        engine
          .db('retention_left')
          .insert({ organization_id: owner.organizationId, kind: 'recordings', call_id: callId }),
    ],
    [
      'its workflow is suspect',
      ({ callId }) =>
        engine
          .db('suspect_workflows')
          .insert({ workflow_id: callId, since: new Date(START), check_at: new Date(START) }),
    ],
  ])('skips a call while %s, and archives the next one', async (_why, hold) => {
    const [held, free] = [await talked(), await talked()];
    await finish(held.campaignId);
    await finish(free.campaignId);
    await hold(held);
    expect((await archive()).moved).toBe(1);
    expect(await placesOf(held.callId)).toEqual(inPresent);
    expect(await placesOf(free.callId)).toEqual(inMonth);
  });

  test('archives each call of one organization once, page by page', async () => {
    const other = await engine.owner();
    const theirs = await talked(other);
    await finish(theirs.campaignId);
    const made = [await talked(), await talked(), await talked()];
    const [first] = made;
    for (const { campaignId } of made.slice(1)) await finish(campaignId);
    const page = (after: { endedAt: string; callId: string } | null) =>
      archiveCalls(engine.db, {
        organizationId: owner.organizationId,
        after,
        before: engine.now + DAY_MS,
        limit: 2,
      });
    const one = await page(null);
    const two = await page(one.until);
    expect(one.moved + two.moved).toBe(2);
    expect(await page(two.until)).toEqual({ moved: 0, until: null });
    expect(await placesOf(first?.callId ?? '')).toEqual(inPresent);
    expect(await placesOf(theirs.callId)).toEqual(inPresent);
  });

  /** Claims and grants twice at once, dials twice at once, and ends all calls. Returns the number of calls. */
  async function dialAll(campaignId: string): Promise<number> {
    const fed = await Promise.all([engine.feed(owner, campaignId), engine.feed(owner, campaignId)]);
    const granted = [...new Set(fed.flatMap((each) => each.granted))];
    for (const callId of granted) {
      const starts = await Promise.all([engine.begin(callId), engine.begin(callId)]);
      expect(starts.map(({ kind }) => kind).sort()).toEqual(['ask', 'requested']);
      await engine.place(callId);
      await engine.end(callId, 'agent', { answeredAt: timestamp(engine.now) });
      expect((await engine.begin(callId)).kind).toBe('over');
    }
    await engine.conclude(campaignId);
    return granted.length;
  }

  test('dials no contact twice while archiving overlaps with claims, grants, dials and ends', async () => {
    const campaignId = await engine.campaign(owner, { contacts: 20, concurrency: 10 });
    let done = false;
    const resolving = (async () => {
      while (!done) await archive();
    })();
    const dialled = await dialAll(campaignId).finally(() => (done = true));
    await resolving;
    expect(dialled).toBe(10);
    // The campaign is still open, so none of its calls have been archived and the unique constraint covers them all.
    const claimed = await engine.claim(campaignId);
    const all = await engine.db('calls').select('contact_id', 'attempt');
    expect(new Set(all.map((call) => `${call.contact_id} ${call.attempt}`)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(claimed.claimed.length + dialled);
    const [{ contact_id: contactId, attempt }] = all;
    await expect(
      engine.db.raw(
        `insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, accepted_at, contact_id, attempt)
         select call_id || '-again', organization_id, agent_id, agent_version, call_type, direction, accepted_at, contact_id, attempt
         from calls where contact_id = ? and attempt = ?`,
        [contactId, attempt],
      ),
    ).rejects.toThrow('calls_contact_id_attempt_key');
  });

  test('grants no line to an archived call when it is registered again', async () => {
    const { callId, campaignId } = await talked();
    await finish(campaignId);
    await archive();
    expect((await engine.register(owner, [callId])).granted).toEqual([]);
    expect((await engine.begin(callId)).kind).toBe('unknown');
    expect(await loadEndedCall(engine.db, callId)).toBeUndefined();
    expect((await engine.claim(campaignId)).claimed).toEqual([]);
    expect(await placesOf(callId)).toEqual(inMonth);
  });

  test('erases transcripts and people from archived calls too, and archives no call during an erasure', async () => {
    const { callId, campaignId } = await talked();
    await finish(campaignId);
    await archive();
    const present = await talked();
    await finish(present.campaignId);
    await eraseTranscripts(engine.db, [callId]);
    expect(await findCall(engine.db, callId, owner.organizationId)).toMatchObject({
      summary: null,
      segments: [],
    });
    expect((await findCall(engine.db, present.callId, owner.organizationId))?.segments).toHaveLength(1);

    const { toNumber } = (await findCall(engine.db, callId, owner.organizationId)) ?? { toNumber: null };
    await engine.db('calls').where({ call_id: present.callId }).update({ to_number: toNumber });
    const person = { number: toNumber ?? '', spellings: [] };
    let moving: ReturnType<typeof archive> | undefined;
    await engine.db.transaction(async (trx) => {
      await holdMonths(trx);
      moving = archive();
      await engine.untilBlocked();
      const { done } = await callsOf(trx, owner.organizationId, person);
      expect(done.sort()).toEqual([callId, present.callId].sort());
      expect(
        await erasePerson(trx, owner.organizationId, person, { now: engine.now, hashOf: () => 'ff' }),
      ).toMatchObject({
        calls: 2,
        recordings: 2,
      });
    });
    expect((await moving)?.moved).toBe(1);
    for (const id of [callId, present.callId])
      expect(await findCall(engine.db, id, owner.organizationId)).toMatchObject({
        name: null,
        toNumber: null,
      });
  });

  test('drops a month of calls and subtracts them from the total, but not while a reader locks it', async () => {
    const { callId, campaignId } = await talked();
    await finish(campaignId);
    await archive();
    const present = await talked();
    const dropNovember = (): Promise<number> =>
      dropArchivedCalls(engine.db, {
        before: Date.parse('2026-12-01'),
        limit: 200,
        clock: () => engine.now,
        onPage: () => undefined,
      });
    await engine.db.transaction(async (trx) => {
      await rows(trx, 'select 1 from all_calls limit 1');
      await expect(dropNovember()).rejects.toThrow('lock timeout');
    });
    expect(await placesOf(callId)).toEqual(inMonth);
    // Dropping a month and dialling don't wait for each other.
    await engine.db.transaction(async (trx) => {
      await rows(trx, 'select 1 from calls for update');
      await dropNovember();
    });
    expect(await placesOf(callId)).toEqual([]);
    expect(await keptTotal(engine.db, owner.organizationId, 'calls')).toBe(1);
    expect(await placesOf(present.callId)).toEqual(inPresent);
  });

  describe('calls of three years', () => {
    const idOf = (month: number, n: number): string =>
      `outbound-${Date.UTC(2040, month, 2) / 1000 + n * 3600}-${String(n).padStart(4, '0')}`;
    beforeEach(async () => {
      await rows(
        engine.db,
        `select make_call_month((date '2040-01-01' + make_interval(months => n))::date) from generate_series(0, ${MONTHS - 1}) n`,
      );
      await rows(
        engine.db,
        `insert into all_calls (call_id, organization_id, agent_id, agent_version, call_type, direction, to_number, stage, call_status, accepted_at,
           ended_at, concluded_at, summary, month)
         select 'outbound-' || extract(epoch from at)::bigint || '-' || lpad(n::text, 4, '0'), :organizationId, :agentId, 1, 'Outbound', 'Outbound',
           '+9198765' || n, 'over', case when n % 50 = 0 then 'failed' else 'completed' end, at, at, at, repeat('As long as most. ', 40),
           date_trunc('month', at at time zone 'UTC')
         from generate_series(0, ${MONTHS - 1}) month, generate_series(0, 199) n,
           lateral (select timestamptz '2040-01-02 00:00Z' + make_interval(months => month, hours => n) as at) instant`,
        { ...owner },
      );
      await talked();
      await engine.db.raw('vacuum analyze all_calls');
    });
    const plans = (work: () => Promise<unknown>) => plansOf(engine.db, work);

    test('looks up a call by id in only `calls` and one monthly partition', async () => {
      const callId = idOf(7, 3);
      const made = await plans(async () => {
        await findCall(engine.db, callId, owner.organizationId);
        await findRecording(engine.db, callId, owner.organizationId);
        await isCallOf(engine.db, callId, owner.organizationId);
        await captionsSince(engine.db, [{ callId, seq: 0 }]);
        await listCalls(engine.db, { organizationId: owner.organizationId, callId }, PAGE);
        await eraseTranscripts(engine.db, [callId]);
      });
      const months = new Set(made.flatMap((plan) => partitionsIn(plan, 'calls')));
      expect([...months]).toEqual(['calls_2040_08']);
      expect(made.join('\n')).not.toMatch(/Seq Scan on calls_204/);
    });

    test('dials, ends and concludes calls without reading archived calls', async () => {
      const { callId } = await talked();
      const made = await plans(async () => {
        await loadEndedCall(engine.db, callId);
        await engine.place(callId);
      });
      expect(made).toHaveLength(2);
      expect(made.flatMap((plan) => partitionsIn(plan, 'calls'))).toEqual([]);
      const named = await rows<{ name: string }>(
        engine.db,
        `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'all_call' order by 1`,
      );
      expect(named.map(({ name }) => name)).toEqual(['archive_calls', 'drop_call_month', 'hang_up']);
    });

    test("lists calls from a few rows of each monthly partition, and reads details only in the page's months", async () => {
      const filters = [
        {},
        { status: 'failed' },
        { agentId: owner.agentId },
        { from: '2042-06-15T00:00:00Z' },
        { to: '2040-02-15T00:00:00Z' },
      ];
      for (const filter of filters) {
        let found: string[] = [];
        const made = await plans(async () => {
          const { items } = await listCalls(
            engine.db,
            { organizationId: owner.organizationId, ...filter },
            PAGE,
          );
          found = items.map((item) => item.acceptedAt.toISOString().slice(0, 7));
        });
        const keys = made.find((plan) => plan.startsWith('Limit')) ?? '';
        expect(keys).toContain('Append');
        expect(keys).not.toMatch(/Seq Scan on calls_204/);
        expect(rowsRead(keys, 'calls')).toBeLessThanOrEqual(50 + MONTHS + 4);
        if ('from' in filter) expect(keys).not.toContain('calls_2042_04');
        const wide = made.filter((plan) => plan.includes('call_segments'));
        expect(wide.length).toBeGreaterThan(0);
        const read = wide.flatMap((plan) => plan.match(/(?<=Scan .*on )calls_204\d_\d\d\b/g) ?? []);
        expect(new Set(read).size).toBeLessThanOrEqual(new Set(found).size);
      }
    });
  });
});
