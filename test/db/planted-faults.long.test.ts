/** Tests that the faults for the checker of the fault tests can be planted in the current engine and take effect. */
import { rows } from '../../db/kernel/query';
import { recordAttempt } from '../../db/webhooks/deliveries';
import { PLANTED_FAULTS, replaced } from '../../verify/faults/planted';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type Owner } from './support/engine-database';

describeWith('postgres', 'a planted fault', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  beforeEach(async () => {
    engine = await EngineDatabase.open(2);
    owner = await engine.owner(3);
  });
  afterEach(() => engine.close());

  async function plant(words: string): Promise<void> {
    const [fault, ...others] = PLANTED_FAULTS.filter(({ name }) => name.includes(words));
    if (fault === undefined || others.length > 0) throw new Error(`"${words}" names no single fault`);
    for (const sql of fault.sql) await engine.db.raw(sql.replaceAll('?', '\\?'));
  }

  test('defines a fault for each invariant, with a unique name', () => {
    expect([...new Set(PLANTED_FAULTS.map(({ invariant }) => invariant))]).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 10,
    ]);
    expect(new Set(PLANTED_FAULTS.map(({ name }) => name)).size).toBe(PLANTED_FAULTS.length);
  });

  test.each(PLANTED_FAULTS.map(({ name }) => name))(
    'plants a fault on a migrated database: %s',
    async (name) => {
      await plant(name);
    },
  );

  test("throws if the fault doesn't fit the engine's code", async () => {
    const [gone = ''] = replaced({ of: 'grant_lines', from: 'a check that is not there', to: '' });
    await expect(engine.db.raw(gone)).rejects.toThrow(
      'the fault cannot be planted: a check that is not there',
    );
    const [twice = ''] = replaced({ of: 'grant_lines', from: 'where', to: 'where true and' });
    await expect(engine.db.raw(twice)).rejects.toThrow('is not once in grant_lines');
    const [unknown = ''] = replaced({ of: 'no_such_function', from: 'a', to: 'b' });
    await expect(engine.db.raw(unknown)).rejects.toThrow();
  });

  test('lets the carrier receive two dials for one attempt', async () => {
    await plant('the intent to dial');
    const campaignId = await engine.campaign(owner);
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    expect((await engine.begin(callId)).kind).toBe('ask');
    expect((await engine.begin(callId)).kind).toBe('ask');
  });

  test('allows one more dial than max_attempts', async () => {
    await plant('one dial too many');
    const campaignId = await engine.campaign(owner, { contacts: 1, maxAttempts: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'no_answer');
    expect(await engine.contacts(campaignId)).toMatchObject([{ state: 'pending', attempts: 1 }]);
  });

  test.each([
    ['ignore the concurrency', 3],
    ['one line more than its maximum', 4],
  ])('lets too many lines be granted and dialled: %s', async (words, max) => {
    await plant(words);
    const campaignId = await engine.campaign(owner, { contacts: 6, concurrency: 1 });
    const { granted } = await engine.feed(owner, campaignId);
    for (const callId of granted) await engine.dial(callId);
    expect(await engine.stages(granted)).toEqual(Array.from({ length: max }, () => 'placed'));
  });

  test('widens the window while the campaign runs, and restores it at the end', async () => {
    await plant('two minutes wider');
    const campaignId = await engine.campaign(owner, { startMinute: 240, endMinute: 630 });
    expect(await engine.campaignRow(campaignId)).toMatchObject({ start_minute: 238, end_minute: 632 });
    await engine.set(campaignId, { ended_at: new Date(engine.now) });
    expect(await engine.campaignRow(campaignId)).toMatchObject({ start_minute: 240, end_minute: 630 });
    const allDay = await engine.campaign(owner, { startMinute: 0, endMinute: 1440 });
    await engine.set(allDay, { ended_at: new Date(engine.now) });
    expect(await engine.campaignRow(allDay)).toMatchObject({ start_minute: 0, end_minute: 1440 });
  });

  test('grants lines to a paused campaign and lets it dial', async () => {
    await plant('paused or cancelled');
    const campaignId = await engine.campaign(owner, { contacts: 2, concurrency: 1 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.set(campaignId, { status: 'paused' });
    const [next = ''] = (await engine.end(callId, 'agent'))?.granted ?? [];
    expect((await engine.begin(next)).kind).toBe('ask');
  });

  test('loses every fourth contact', async () => {
    await plant('every fourth contact');
    const campaignId = await engine.campaign(owner, { contacts: 3, concurrency: 3 });
    for (const callId of (await engine.feed(owner, campaignId)).granted) {
      await engine.dial(callId);
      await engine.end(callId, 'agent');
    }
    const states = (await engine.contacts(campaignId)).map(({ row, state }) => [row, state]);
    expect(states).toEqual([
      [2, 'completed'],
      [3, 'completed'],
      [4, 'in_progress'],
    ]);
    expect(await engine.sums(campaignId)).toEqual({ inProgress: 0, completed: 3, failed: 0 });
  });

  describe('a planted fault in the webhooks', () => {
    const DELIVERY = '00000000-0000-4000-8000-000000000001';

    async function delivery(event: string): Promise<void> {
      const campaignId = await engine.campaign(owner, { contacts: 1 });
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.db('webhook_deliveries').insert({
        id: DELIVERY,
        event_id: DELIVERY,
        organization_id: owner.organizationId,
        campaign_id: campaignId,
        call_id: event.startsWith('call.') ? callId : null,
        event,
        url: 'http://receiver/',
        body: JSON.stringify({ event, event_id: DELIVERY }),
        created_at: new Date(engine.now),
        next_attempt_at: new Date(engine.now),
      });
    }
    const deliveries = () =>
      rows<Record<string, any>>(engine.db, 'select * from webhook_deliveries order by id', {});

    test('sends the end of a campaign again with a second event id', async () => {
      await plant('reported twice');
      await delivery('campaign.completed');
      const reported = await deliveries();
      expect(reported).toHaveLength(2);
      expect(new Set(reported.map(({ event_id }) => event_id)).size).toBe(2);
      for (const { body, event_id } of reported) expect(JSON.parse(body).event_id).toBe(event_id);
    });

    test('marks a delivery as accepted without sending it', async () => {
      await plant('never sent');
      await delivery('call.completed');
      expect(await deliveries()).toMatchObject([{ status: 'delivered', next_attempt_at: null }]);
    });

    test('gives up a webhook after one rejection', async () => {
      await plant('after its first rejection');
      await delivery('call.completed');
      await recordAttempt(engine.db, {
        deliveryId: DELIVERY,
        attempt: 1,
        at: engine.now,
        statusCode: 500,
        durationMs: 1,
        error: 'status 500',
        status: 'pending',
        nextAttemptAt: engine.now + 5_000,
      });
      expect(await deliveries()).toMatchObject([{ status: 'failed', next_attempt_at: null }]);
    });
  });

  test('makes a redial due immediately', async () => {
    await plant('the delay before a redial');
    const campaignId = await engine.campaign(owner, { contacts: 1, retryDelayMins: 30 });
    const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(callId);
    await engine.end(callId, 'busy');
    const [contact] = await engine.contacts(campaignId);
    expect(contact?.nextAttemptAt?.getTime()).toBeLessThan(engine.now + MINUTE_MS);
  });

  test('loses an acknowledged dispatch and an acknowledged change', async () => {
    await plant('deleted after it was accepted');
    const callId = await engine.dispatch(owner, { queued: false });
    expect(await rows(engine.db, 'select 1 from calls where call_id = :callId', { callId })).toEqual([]);
    await plant('acknowledged and undone');
    const campaignId = await engine.campaign(owner, { concurrency: 2, maxAttempts: 3 });
    await engine.set(campaignId, { concurrency: 1, max_attempts: 1, campaign_name: 'Another' });
    expect(await engine.campaignRow(campaignId)).toMatchObject({
      concurrency: 2,
      max_attempts: 3,
      campaign_name: 'Another',
    });
  });
});
