import { callerNumber } from '../../domain/caller-number';
import { loadEndedCall, concludeCall, type Conclusion } from '../../db/calls/conclusions';
import { loadDelivery, recordAttempt, type DeliveryAttempt } from '../../db/webhooks/deliveries';
import { describeWith } from '../servers/availability';
import { completedDraft } from './support/completed-draft';
import { EngineDatabase, START } from './support/engine-database';
import { FINDINGS } from './support/findings';

const SEGMENTS = [
  { speaker: 'agent', text: 'Hello.', startMs: 0, endMs: 900 },
  { speaker: 'user', text: 'Yes?', startMs: 1_000, endMs: 1_500 },
] as const;

describeWith('postgres', 'the record of a finished call', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function ended(): Promise<Conclusion> {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, {
      contacts: 1,
      perCallWebhookUrl: 'https://example.com/call',
    });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent', { answeredAt: new Date(START).toISOString() });
    return {
      callId,
      findings: FINDINGS,
      segments: [...SEGMENTS],
      webhook: {
        url: 'https://example.com/call',
        draft: completedDraft({ callId }),
      },
      callback: null,
      now: engine.now,
    };
  }

  /** Returns the id of the delivery to make. */
  const save = async (conclusion: Conclusion): Promise<string | null> =>
    (await concludeCall(engine.db, conclusion)).delivery?.id ?? null;
  const deliveriesOf = (callId: string) => engine.db('webhook_deliveries').where({ call_id: callId });

  test('returns nothing before the end of the call', async () => {
    const owner = await engine.owner();
    const callId = await engine.dispatch(owner);
    expect(await loadEndedCall(engine.db, callId)).toBeUndefined();
    expect(await loadEndedCall(engine.db, 'outbound-0-none')).toBeUndefined();
  });

  test('includes the campaign, the agent version that the call used, and the transcript', async () => {
    const conclusion = await ended();
    await save(conclusion);
    expect(await loadEndedCall(engine.db, conclusion.callId)).toMatchObject({
      callId: conclusion.callId,
      campaignName: 'A campaign',
      perCallWebhookUrl: 'https://example.com/call',
      callStatus: 'completed',
      endReason: 'agent',
      attempt: 1,
      maxAttempts: 3,
      agentConfig: { persona: { identity: { system_prompt: 'Talk.' } } },
      segments: SEGMENTS,
    });
  });

  test('writes the record together with its webhook', async () => {
    const conclusion = await ended();
    const id = await save(conclusion);
    expect(await engine.call(conclusion.callId)).toMatchObject({
      post_processing_status: 'completed',
      summary: 'They talked.',
      entity: { city: 'Pune' },
      eval_tag: 'interested',
      conversation_eval: { score: 4 },
      conversation_quality: {
        score: 80,
        sentiment: 'positive',
        agent_talk_ratio: 0.5,
        interruptions: 0,
        avg_response_ms: null,
        p95_response_ms: null,
      },
      tags: ['one', 'two'],
      outcome: 'interested',
      callback_requested: true,
      concluded_at: new Date(engine.now),
    });
    const [delivery] = await deliveriesOf(conclusion.callId);
    expect(delivery).toMatchObject({ id, event: 'call.completed', status: 'pending' });
    expect(JSON.parse(delivery.body as string)).toEqual({
      event: 'call.completed',
      event_id: delivery.event_id,
      ...completedDraft({ callId: conclusion.callId }).payload,
    });
  });

  test('writes the record once in simultaneous runs, which all return the same delivery', async () => {
    const conclusion = await ended();
    const id = await save(conclusion);
    const later = { ...conclusion, findings: { ...FINDINGS, summary: 'Another.' } };
    expect(await Promise.all([1, 2, 3].map(() => save(later)))).toEqual([id, id, id]);
    expect((await engine.call(conclusion.callId)).summary).toBe('They talked.');
    expect(await deliveriesOf(conclusion.callId)).toHaveLength(1);
  });

  test('creates one delivery in five simultaneous runs', async () => {
    const conclusion = await ended();
    await Promise.all(Array.from({ length: 5 }, () => save(conclusion)));
    expect(await deliveriesOf(conclusion.callId)).toHaveLength(1);
    expect(await save(conclusion)).not.toBeNull();
  });

  test('numbers segments from the carrier after the stored ones, and later segments after those', async () => {
    const conclusion = await ended();
    const known = await engine
      .db('call_segments')
      .where({ call_id: conclusion.callId })
      .max('seq as seq')
      .first();
    const found = { speaker: 'user', text: 'Bye', startMs: 90_000, endMs: 91_000 } as const;
    await save({ ...conclusion, segments: [...conclusion.segments, found] });
    await engine.db('call_segments').insert({
      call_id: conclusion.callId,
      speaker: 'user',
      text: 'late',
      start_ms: 99_000,
      end_ms: 99_000,
    });
    const rows = await engine.db('call_segments').where({ call_id: conclusion.callId }).orderBy('start_ms');
    const seqs = rows.slice(-2).map(({ seq }) => seq as number);
    expect(seqs[0]).toBeGreaterThan(known?.seq ?? 0);
    expect(seqs[1]).toBeGreaterThan(seqs[0] ?? 0);
    expect(new Set(rows.map(({ seq }) => seq as number)).size).toBe(rows.length);
  });

  test('leaves an unanswered call as `not_processed` but still creates a webhook', async () => {
    const conclusion = { ...(await ended()), findings: null, segments: [] };
    expect(await save(conclusion)).not.toBeNull();
    expect(await engine.call(conclusion.callId)).toMatchObject({
      post_processing_status: 'not_processed',
      summary: null,
      tags: [],
      callback_requested: false,
      concluded_at: new Date(engine.now),
    });
  });

  describe('a person who asked not to be called again', () => {
    const REFUSED = { ...FINDINGS, callbackRequested: false, doNotCall: true };
    const organizationOf = async ({ callId }: Conclusion): Promise<string> =>
      (await engine.call(callId)).organization_id;
    const listOf = async (conclusion: Conclusion): Promise<any[]> =>
      engine.db('dnd_numbers').where({ organization_id: await organizationOf(conclusion) });
    const change = ({ callId }: Conclusion, columns: object) =>
      engine.db('calls').where({ call_id: callId }).update(columns);

    test("shows the opt-out and adds the number to the organization's do-not-disturb list once", async () => {
      const conclusion = { ...(await ended()), findings: REFUSED };
      await Promise.all([1, 2, 3].map(() => save(conclusion)));
      expect(await engine.call(conclusion.callId)).toMatchObject({ do_not_call: true });
      expect(await listOf(conclusion)).toEqual([
        expect.objectContaining({
          phone_number: '+919876500000',
          source: 'asked for in a call',
          added_at: new Date(engine.now),
          opted_out_in_call: conclusion.callId,
        }),
      ]);
    });

    test('keeps the source and time of a number that was already listed, and adds the call', async () => {
      const conclusion = { ...(await ended()), findings: REFUSED };
      const row = {
        organization_id: await organizationOf(conclusion),
        phone_number: '+919876500000',
        source: 'a letter',
      };
      await engine.db('dnd_numbers').insert({ ...row, added_at: new Date(START - 1_000) });
      await save(conclusion);
      expect(await listOf(conclusion)).toEqual([
        { ...row, added_at: new Date(START - 1_000), opted_out_in_call: conclusion.callId },
      ]);
    });

    test.each<[string, { from_number?: string | null; [column: string]: unknown }, string[]]>([
      [
        "a caller's number, in E.164, even if the trunk showed it differently",
        { direction: 'Incoming', from_number: '919800000001' },
        ['+919800000001'],
      ],
      ['no withheld number', { direction: 'Incoming', from_number: null }, []],
      ['no placeholder of a network', { direction: 'Incoming', from_number: 'anonymous' }, []],
      [
        'no one in a browser session',
        { medium: 'webrtc', direction: 'Incoming', from_number: 'web-user' },
        [],
      ],
      ['no person who was erased during the call', { to_number: null, erased_at: new Date(START) }, []],
    ])('adds %s to the do-not-disturb list', async (_whom, columns, listed) => {
      const conclusion = { ...(await ended()), findings: REFUSED };
      await change(conclusion, columns);
      await save({ ...conclusion, callerNumber: callerNumber(columns.from_number ?? null) });
      expect((await listOf(conclusion)).map(({ phone_number }) => phone_number)).toEqual(listed);
    });

    test('lists no number when the person did not opt out', async () => {
      const conclusion = await ended();
      await save(conclusion);
      expect(await listOf(conclusion)).toEqual([]);
    });
  });

  test('creates no delivery without a webhook URL', async () => {
    const conclusion = { ...(await ended()), webhook: null };
    expect(await save(conclusion)).toBeNull();
    expect(await save(conclusion)).toBeNull();
    expect(await deliveriesOf(conclusion.callId)).toEqual([]);
  });

  describe('the delivery of a concluded call', () => {
    async function delivery(): Promise<string> {
      const id = await save(await ended());
      if (id === null) throw new Error('no delivery');
      return id;
    }
    const attempt = (deliveryId: string, changes: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
      deliveryId,
      attempt: 1,
      at: START,
      statusCode: 500,
      durationMs: 12,
      error: 'status 500',
      status: 'pending',
      nextAttemptAt: START + 5_000,
      ...changes,
    });
    const attemptsOf = (deliveryId: string) =>
      engine.db('webhook_attempts').where({ delivery_id: deliveryId }).orderBy('attempt');

    test('counts and stores each attempt of a delivery', async () => {
      const id = await delivery();
      expect(await loadDelivery(engine.db, id, START)).toMatchObject({ status: 'pending', attemptsMade: 0 });
      await recordAttempt(engine.db, attempt(id));
      const accepted = {
        attempt: 2,
        statusCode: 204,
        error: null,
        status: 'delivered',
        nextAttemptAt: null,
      } as const;
      await recordAttempt(engine.db, attempt(id, accepted));
      expect(await loadDelivery(engine.db, id, START)).toMatchObject({
        status: 'delivered',
        attemptsMade: 2,
      });
      expect((await attemptsOf(id)).map((row) => [row.attempt, row.status_code, row.error])).toEqual([
        [1, 500, 'status 500'],
        [2, 204, null],
      ]);
    });

    test('changes nothing when an attempt is recorded again', async () => {
      const id = await delivery();
      const accepted = { statusCode: 200, error: null, status: 'delivered', nextAttemptAt: null } as const;
      await recordAttempt(engine.db, attempt(id, accepted));
      await recordAttempt(engine.db, attempt(id));
      expect(await loadDelivery(engine.db, id, START)).toMatchObject({
        status: 'delivered',
        attemptsMade: 1,
      });
      expect(await attemptsOf(id)).toMatchObject([{ status_code: 200, error: null }]);
    });

    test('includes the currently valid signing secrets, newest first', async () => {
      const id = await delivery();
      const { organizationId } = (await loadDelivery(engine.db, id, START)) ?? { organizationId: '' };
      const secret = (text: string, createdAt: number, expiresAt: number | null) => ({
        id: engine.db.raw('gen_random_uuid()'),
        organization_id: organizationId,
        secret_encrypted: Buffer.from(text),
        created_at: new Date(createdAt),
        expires_at: expiresAt === null ? null : new Date(expiresAt),
      });
      await engine
        .db('signing_secrets')
        .insert([
          secret('old', START, START + 1_000),
          secret('new', START + 1, null),
          secret('gone', START + 2, START),
        ]);
      const at = async (now: number) =>
        (await loadDelivery(engine.db, id, now))?.secretsEncrypted.map((bytes) => bytes.toString());
      expect(await at(START)).toEqual(['new', 'old']);
      expect(await at(START + 1_000)).toEqual(['new']);
    });

    test('returns undefined for an unknown id', async () => {
      expect(await loadDelivery(engine.db, '00000000-0000-4000-8000-000000000000', START)).toBeUndefined();
    });
  });
});
