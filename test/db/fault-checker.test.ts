/** Tests the rows that the checker of the fault tests reads from the engine's tables. */
import { readRows } from '../../verify/faults/checker/rows';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START } from './support/engine-database';

describeWith('postgres', 'the rows of the fault checker', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  test('includes campaign, contacts, calls and deliveries, with times as text', async () => {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, {
      contacts: 1,
      duplicates: 1,
      perCallWebhookUrl: 'http://a/',
    });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'agent');
    await engine.set(campaignId, { ended_at: new Date(START) });
    const id = '00000000-0000-4000-8000-000000000001';
    const at = new Date(START);
    const delivery = {
      id,
      event_id: id,
      organization_id: owner.organizationId,
      campaign_id: campaignId,
      call_id: callId,
    };
    await engine.db('webhook_deliveries').insert({
      ...delivery,
      event: 'call.completed',
      url: 'http://a/',
      body: '{}',
      created_at: at,
      next_attempt_at: at,
    });
    await engine
      .db('webhook_attempts')
      .insert({ delivery_id: id, attempt: 1, at, status_code: 200, duration_ms: 4 });

    const rows = await readRows(engine.url);
    const startedAt = '2026-11-02T05:00:00.000Z';
    expect(rows.campaigns).toEqual([
      expect.objectContaining({
        id: campaignId,
        start_minute: 240,
        concurrency: 2,
        per_call_webhook_url: 'http://a/',
        completed_contacts: 1,
        failed_contacts: 1,
        ended_at: startedAt,
      }),
    ]);
    expect(rows.contacts.map(({ row_number, state }) => [row_number, state])).toEqual([
      [2, 'completed'],
      [3, 'duplicate'],
    ]);
    expect(rows.calls).toEqual([
      expect.objectContaining({
        call_id: callId,
        contact_row: 2,
        stage: 'over',
        is_callback: false,
        hung_up: false,
      }),
    ]);
    expect(rows.deliveries).toEqual([
      expect.objectContaining({
        ...delivery,
        status: 'pending',
        next_attempt_at: startedAt,
        earlier_attempts: 0,
      }),
    ]);
    expect(rows.attempts).toEqual([
      { delivery_id: id, attempt: 1, at: startedAt, status_code: 200, duration_ms: 4 },
    ]);
    expect(Math.abs(Date.parse(rows.read_at) - Date.now())).toBeLessThan(60_000);
  });
});
