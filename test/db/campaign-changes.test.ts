import { updateCampaign, type CampaignUpdate } from '../../db/campaigns/changes';
import { finishCampaign } from '../../db/campaigns/engine';
import { changeCampaignStatus } from '../../db/campaigns/status';
import { withdrawCampaign, type Campaign, type StoredTerms } from '../../db/campaigns/campaigns';
import { OPEN_STATUSES } from '../../domain/campaign-status';
import { statusChangedEvents } from '../../domain/webhook-events';
import { describeWith } from '../servers/availability';
import { EngineDatabase, MINUTE_MS, type CampaignOptions, type Owner } from './support/engine-database';
import { violations } from './support/invariants';

const actor = { kind: 'api_key', id: 'key-1', requestId: null } as const;

const termsOf = (campaign: Campaign): StoredTerms => ({
  campaignName: campaign.campaignName,
  concurrency: campaign.concurrency,
  fromDate: campaign.fromDate,
  toDate: campaign.toDate,
  startMinute: campaign.startMinute,
  endMinute: campaign.endMinute,
  daysOfWeek: campaign.daysOfWeek,
  maxAttempts: campaign.maxAttempts,
  retryDelayMins: campaign.retryDelayMins,
  notificationEmails: campaign.notificationEmails,
  webhookUrl: campaign.webhookUrl,
  perCallWebhookUrl: campaign.perCallWebhookUrl,
  windowTimezone: campaign.windowTimezone,
  ruleProfile: campaign.ruleProfile,
});

describeWith('postgres', 'updateCampaign()', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open(20);
  });
  afterAll(() => engine.close());

  async function campaign(options: CampaignOptions = {}): Promise<{ owner: Owner; campaignId: string }> {
    const owner = await engine.owner();
    return { owner, campaignId: await engine.campaign(owner, options) };
  }

  const update = (
    { owner, campaignId }: { owner: Owner; campaignId: string },
    changes: Partial<StoredTerms>,
    more: Partial<CampaignUpdate> = {},
  ) =>
    updateCampaign(engine.db, {
      campaignId,
      organizationId: owner.organizationId,
      actor,
      now: engine.now,
      from: OPEN_STATUSES,
      fields: Object.keys(changes),
      edit: (current) => ({ ...termsOf(current), ...changes }),
      events: (before) => statusChangedEvents(before, 'paused', engine.now),
      ...more,
    });

  const setStatus = (campaignId: string, to: 'active' | 'paused' | 'cancelled') =>
    changeCampaignStatus(engine.db, {
      campaignId,
      to,
      from: OPEN_STATUSES,
      now: engine.now,
      reported: true,
      events: () => [],
    });

  const recordsOf = (campaignId: string): Promise<any[]> =>
    engine.db('audit_log').where({ subject_id: campaignId, action: 'campaign.update' });
  const eventsOf = (campaignId: string): Promise<any[]> =>
    engine.db('webhook_deliveries').where({ campaign_id: campaignId });

  test('keeps a campaign that was changed before its start was confirmed, instead of withdrawing it', async () => {
    const url = 'https://client.example/events';
    const [given, untouched] = [await campaign({ webhookUrl: url }), await campaign({ webhookUrl: url })];
    await update(given, { concurrency: 1 });
    expect(await eventsOf(given.campaignId)).toHaveLength(1);
    expect(await withdrawCampaign(engine.db, given.campaignId, engine.now)).toBe(false);
    expect(await withdrawCampaign(engine.db, untouched.campaignId, engine.now)).toBe(true);
  });

  test.each(['active', 'scheduled', 'paused_out_of_range', 'paused'])(
    'pauses a campaign that is %s and changes only the given fields',
    async (status) => {
      const given = await campaign();
      await engine.set(given.campaignId, { status });
      engine.now += 1_000;
      const before = await engine.campaignRow(given.campaignId);
      const result = await update(given, { concurrency: 7, startMinute: 300 });
      expect(result).toMatchObject({
        kind: 'updated',
        campaign: { status: 'paused', concurrency: 7, startMinute: 300 },
      });
      expect(await engine.campaignRow(given.campaignId)).toEqual({
        ...before,
        status: 'paused',
        status_reason: status === 'paused' ? null : 'paused by an update',
        reported_status: status === 'paused' ? 'active' : 'paused',
        concurrency: 7,
        start_minute: 300,
        dialing_until: null,
        refill_requested_at: new Date(engine.now),
        updated_at: new Date(engine.now),
      });
    },
  );

  test('sends the webhook of the pause with the old name to the old URL', async () => {
    const given = await campaign({ webhookUrl: 'https://old.example/hook' });
    const changes = { campaignName: 'New name', webhookUrl: 'https://new.example/hook' };
    const result = await update(given, changes);
    const [event, ...more] = await eventsOf(given.campaignId);
    expect(more).toEqual([]);
    expect(result).toMatchObject({ deliveryIds: [event.id] });
    expect([event.url, JSON.parse(event.body as string)]).toMatchObject([
      'https://old.example/hook',
      { campaign_name: 'A campaign', old_status: 'active', new_status: 'paused' },
    ]);
  });

  test('sends no webhook if the campaign is already paused', async () => {
    const given = await campaign({ webhookUrl: 'https://old.example/hook' });
    await engine.set(given.campaignId, { status: 'paused', reported_status: 'paused' });
    await update(given, { concurrency: 1 });
    expect(await eventsOf(given.campaignId)).toEqual([]);
  });

  test('writes an audit entry with the names of the changed fields', async () => {
    const given = await campaign();
    await update(given, { campaignName: 'Secret name' }, { fields: ['campaign_name'] });
    expect(await recordsOf(given.campaignId)).toMatchObject([
      { organization_id: given.owner.organizationId, fields: ['campaign_name'] },
    ]);
  });

  test.each(['completed', 'cancelled'])('rejects a change of a campaign that is %s', async (status) => {
    const given = await campaign();
    await engine.set(given.campaignId, { status });
    const before = await engine.campaignRow(given.campaignId);
    expect(await update(given, { concurrency: 7 })).toEqual({ kind: 'refused', status });
    expect(await engine.campaignRow(given.campaignId)).toEqual(before);
  });

  test('returns unknown for a campaign of another organization', async () => {
    const given = await campaign();
    const stranger = await engine.owner();
    expect(await update({ ...given, owner: stranger }, { concurrency: 7 })).toEqual({ kind: 'unknown' });
    expect(await engine.campaignRow(given.campaignId)).toMatchObject({ status: 'active' });
  });

  test('neither pauses nor sends a webhook when the edit throws', async () => {
    const given = await campaign({ webhookUrl: 'https://old.example/hook' });
    const before = await engine.campaignRow(given.campaignId);
    const refused = update(
      given,
      {},
      {
        edit: () => {
          throw new Error('refused by a rule');
        },
      },
    );
    await expect(refused).rejects.toThrow('refused by a rule');
    expect(await engine.campaignRow(given.campaignId)).toEqual(before);
    expect(await eventsOf(given.campaignId)).toEqual([]);
    expect(await recordsOf(given.campaignId)).toEqual([]);
  });

  test('validates against the settings that a simultaneous update wrote', async () => {
    const given = await campaign({ startMinute: 240, endMinute: 630 });
    const narrowed = (changes: Partial<StoredTerms>) =>
      update(given, changes, {
        edit: (current) => {
          const terms = { ...termsOf(current), ...changes };
          if (terms.endMinute <= terms.startMinute) throw new Error('no window is left');
          return terms;
        },
      });
    const results = await Promise.allSettled([narrowed({ startMinute: 500 }), narrowed({ endMinute: 400 })]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const { start_minute, end_minute } = await engine.campaignRow(given.campaignId);
    expect(end_minute).toBeGreaterThan(start_minute as number);
  });

  test.each([
    ['a pause', 'paused'],
    ['a cancel', 'cancelled'],
  ] as const)(
    'lets %s win over a simultaneous update, so that the campaign is %s afterwards',
    async (_name, to) => {
      for (let round = 0; round < 10; round++) {
        const given = await campaign();
        await Promise.all([update(given, { concurrency: 7 }), setStatus(given.campaignId, to)]);
        expect((await engine.campaignRow(given.campaignId)).status).toBe(to);
      }
    },
  );

  test('either applies a change before a simultaneous completion or rejects it', async () => {
    for (let round = 0; round < 10; round++) {
      const given = await campaign({ contacts: 0 });
      const [updated, finished] = await Promise.all([
        update(given, { concurrency: 7 }),
        finishCampaign(engine.db, given.campaignId, engine.now, () => []),
      ]);
      expect(finished).toMatchObject({ kind: 'finished', status: 'completed' });
      const { status, concurrency } = await engine.campaignRow(given.campaignId);
      expect([status, concurrency]).toEqual(['completed', updated.kind === 'updated' ? 7 : 2]);
    }
  });

  test("doesn't dial a call that got its line before the window changed, even after a resume", async () => {
    const given = await campaign();
    const { granted } = await engine.feed(given.owner, given.campaignId);
    await update(given, { startMinute: 600 });
    await setStatus(given.campaignId, 'active');
    expect(await engine.begin(granted[0] ?? '')).toEqual({ kind: 'refused' });
    await engine.returnLine(granted[0] ?? '');
    expect(await engine.stages(granted)).toEqual(['waiting', 'granted']);
    await engine.claim(given.campaignId);
    expect(await engine.begin(granted[1] ?? '')).toMatchObject({ kind: 'ask' });
  });

  test.each([
    ['raised', 5],
    ['lowered', 1],
  ])('applies a %s concurrency after a resume', async (_name, concurrency) => {
    const given = await campaign({ contacts: 12, concurrency: 3 });
    const { granted } = await engine.feed(given.owner, given.campaignId);
    for (const callId of granted) await engine.dial(callId);
    await update(given, { concurrency });
    await setStatus(given.campaignId, 'active');
    await engine.feed(given.owner, given.campaignId);
    expect((await engine.linesOf(given.owner)).length).toBe(Math.max(3, concurrency));
    for (const callId of granted) await engine.end(callId, 'agent');
    expect((await engine.linesOf(given.owner)).length).toBe(concurrency);
    expect(await violations(engine)).toEqual([]);
  });

  describe('updateCampaign() with a lowered max_attempts', () => {
    /** Returns a campaign with one contact whose first dial was not answered and whose redial is due. */
    async function dialledOnce() {
      const given = await campaign({ contacts: 2, concurrency: 1, maxAttempts: 3 });
      const { granted } = await engine.feed(given.owner, given.campaignId);
      await engine.dial(granted[0] ?? '');
      await engine.end(granted[0] ?? '', 'busy');
      return { ...given, first: granted[0] ?? '' };
    }

    test('fails a contact that has used up its attempts, with the reason of its last dial', async () => {
      const given = await dialledOnce();
      await update(given, { maxAttempts: 1 });
      expect((await engine.contacts(given.campaignId))[0]).toMatchObject({
        state: 'failed',
        reason: 'busy',
        attempts: 1,
        nextAttemptAt: null,
      });
      expect(await engine.sums(given.campaignId)).toEqual({ inProgress: 0, completed: 0, failed: 1 });
      engine.now += 60 * MINUTE_MS;
      expect((await engine.claim(given.campaignId)).claimed).toEqual([]);
      expect(await violations(engine)).toEqual([]);
    });

    /** Returns a campaign with two contacts: one was reached, and the other has a redial that holds a line. */
    async function redialReady() {
      const given = await dialledOnce();
      engine.now += 31 * MINUTE_MS;
      const second = (await engine.contacts(given.campaignId))[1]?.callId ?? '';
      await engine.dial(second);
      await engine.feed(given.owner, given.campaignId);
      await engine.end(second, 'agent');
      const redial = (await engine.contacts(given.campaignId))[0]?.callId ?? '';
      expect(await engine.stages([redial])).toEqual(['granted']);
      return { ...given, redial };
    }

    test('ends only redials of the changed campaign', async () => {
      const beside = await redialReady();
      const given = await redialReady();
      expect(await update(given, { maxAttempts: 1 })).toMatchObject({ ended: [given.redial] });
      expect(await engine.stages([given.redial, beside.redial])).toEqual(['over', 'granted']);
    });

    test('returns the ended redials and the calls that got their lines', async () => {
      const { redial, ...given } = await redialReady();
      await engine
        .db('organizations')
        .where({ id: given.owner.organizationId })
        .update({ max_concurrency: 1 });
      const dispatched = await engine.dispatch(given.owner);
      const result = await update(given, { maxAttempts: 1 });
      expect(result).toMatchObject({ kind: 'updated', ended: [redial], granted: [dispatched] });
      expect(await engine.call(redial)).toMatchObject({
        stage: 'over',
        call_status: 'cancelled',
        requested_at: null,
      });
      expect((await engine.contacts(given.campaignId))[0]).toMatchObject({ state: 'failed', reason: 'busy' });
      expect(await engine.sums(given.campaignId)).toEqual({ inProgress: 0, completed: 1, failed: 1 });
    });

    test('lets a live call finish without a redial', async () => {
      const given = await dialledOnce();
      const second = (await engine.contacts(given.campaignId))[1]?.callId ?? '';
      await engine.dial(second);
      await update(given, { maxAttempts: 1 });
      await engine.end(second, 'no_answer');
      expect((await engine.contacts(given.campaignId)).map(({ state }) => state)).toEqual([
        'failed',
        'failed',
      ]);
      expect(await engine.call(second)).toMatchObject({ will_retry: false });
    });

    test('redials a contact that has not used up its attempts', async () => {
      const given = await dialledOnce();
      await update(given, { maxAttempts: 2 });
      expect((await engine.contacts(given.campaignId))[0]).toMatchObject({ state: 'pending' });
    });
  });
});
