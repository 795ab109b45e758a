import { finishCampaign, setEngineStatus, type FinishResult } from '../../db/campaigns/engine';
import { changeCampaignStatus, type StatusChange } from '../../db/campaigns/status';
import { campaignEndedEvent, statusChangedEvents } from '../../domain/webhook-events';
import { describeWith } from '../servers/availability';
import { EngineDatabase, START, type CampaignOptions } from './support/engine-database';

const URL = 'https://example.com/hook';

describeWith('postgres', 'the status of a campaign', () => {
  let engine: EngineDatabase;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());

  async function campaign(options: CampaignOptions = {}) {
    const owner = await engine.owner();
    const campaignId = await engine.campaign(owner, { contacts: 1, webhookUrl: URL, ...options });
    return { owner, campaignId };
  }

  const change = (
    campaignId: string,
    to: 'active' | 'paused' | 'cancelled',
    more: Partial<StatusChange> = {},
  ) =>
    changeCampaignStatus(engine.db, {
      campaignId,
      to,
      from: to === 'active' ? ['paused'] : ['active', 'scheduled', 'paused_out_of_range', 'paused'],
      now: engine.now,
      reported: true,
      events: (before) => statusChangedEvents(before, to, engine.now),
      ...more,
    });

  const finish = (campaignId: string): Promise<FinishResult> =>
    finishCampaign(engine.db, campaignId, engine.now, (before, status) => [
      ...statusChangedEvents(before, status, engine.now),
      campaignEndedEvent(before, status, engine.now),
    ]);

  const deliveries = async (campaignId: string) => {
    const written = await engine
      .db('webhook_deliveries')
      .where({ campaign_id: campaignId })
      .orderBy(['created_at', 'event']);
    return written.map((row): any => ({ ...row, body: JSON.parse(row.body as string) }));
  };

  describe('a status that a person changes', () => {
    test('writes a new status together with its webhook', async () => {
      const { campaignId, owner } = await campaign();
      engine.now += 1_000;
      const result = await change(campaignId, 'paused', { reason: 'asked for' });
      expect(result).toMatchObject({ kind: 'changed', campaign: { id: campaignId, status: 'paused' } });
      expect(await engine.campaignRow(campaignId)).toMatchObject({
        status: 'paused',
        status_reason: 'asked for',
        reported_status: 'paused',
        updated_at: new Date(engine.now),
      });
      const [delivery] = await deliveries(campaignId);
      expect(delivery).toMatchObject({
        id: result.kind === 'changed' && result.deliveryIds[0],
        organization_id: owner.organizationId,
        event: 'campaign.status_changed',
        url: URL,
        status: 'pending',
        next_attempt_at: new Date(engine.now),
        body: { event: 'campaign.status_changed', old_status: 'active', new_status: 'paused' },
      });
      expect(delivery.body.event_id).toBe(delivery.event_id);
    });

    test('changes the status once and sends one webhook when it is set twice concurrently', async () => {
      const { campaignId } = await campaign();
      const results = await Promise.all([change(campaignId, 'paused'), change(campaignId, 'paused')]);
      expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'unchanged']);
      expect(await deliveries(campaignId)).toHaveLength(1);
    });

    test("keeps the status if the current status doesn't allow the change", async () => {
      const { campaignId } = await campaign();
      await engine.set(campaignId, { status: 'completed' });
      const before = await engine.campaignRow(campaignId);
      expect((await change(campaignId, 'paused')).kind).toBe('refused');
      expect(await engine.campaignRow(campaignId)).toEqual(before);
      expect(await deliveries(campaignId)).toEqual([]);
    });

    test("returns unknown for another organization's campaign or a missing one", async () => {
      const { campaignId } = await campaign();
      const other = await engine.owner();
      expect(await change(campaignId, 'paused', { organizationId: other.organizationId })).toEqual({
        kind: 'unknown',
      });
      expect(await change('00000000-0000-4000-8000-000000000000', 'paused')).toEqual({ kind: 'unknown' });
      expect((await engine.campaignRow(campaignId)).status).toBe('active');
    });

    test('sends the last reported status as the old one, even if the engine has set another status since', async () => {
      const { campaignId } = await campaign();
      await setEngineStatus(engine.db, campaignId, 'paused_out_of_range', {
        isStillDue: () => true,
        reason: 'closed',
        now: engine.now,
      });
      await change(campaignId, 'paused');
      engine.now += 1_000;
      await change(campaignId, 'active');
      const reported = (await deliveries(campaignId)).map(({ body }) => [body.old_status, body.new_status]);
      expect(reported).toEqual([
        ['active', 'paused'],
        ['paused', 'active'],
      ]);
    });

    test('changes the status without a delivery if there is no webhook', async () => {
      const { campaignId } = await campaign({ webhookUrl: null });
      expect(await change(campaignId, 'paused')).toMatchObject({ kind: 'changed', deliveryIds: [] });
      expect(await deliveries(campaignId)).toEqual([]);
    });

    test('keeps the status if its webhook cannot be written', async () => {
      const { campaignId } = await campaign();
      const events = () => {
        throw new Error('no payload');
      };
      await expect(change(campaignId, 'paused', { events })).rejects.toThrow('no payload');
      expect((await engine.campaignRow(campaignId)).status).toBe('active');
    });
  });

  describe('a status that the engine changes', () => {
    test.each(['active', 'scheduled'])(
      'changes %s to a resting status with a reason, and stops dialling',
      async (status) => {
        const { campaignId } = await campaign();
        await engine.claim(campaignId);
        await engine.set(campaignId, { status, refill_requested_at: new Date(START) });
        engine.now += 1_000;
        await setEngineStatus(engine.db, campaignId, 'paused_out_of_range', {
          isStillDue: () => true,
          reason: 'closed',
          now: engine.now,
        });
        expect(await engine.campaignRow(campaignId)).toMatchObject({
          status: 'paused_out_of_range',
          status_reason: 'closed',
          reported_status: 'active',
          dialing_until: null,
          refill_requested_at: null,
          updated_at: new Date(engine.now),
        });
        expect(await deliveries(campaignId)).toEqual([]);
      },
    );

    test.each(['paused', 'completed', 'cancelled'])('keeps %s if a person set it', async (status) => {
      const { campaignId } = await campaign();
      await engine.set(campaignId, { status });
      await setEngineStatus(engine.db, campaignId, 'scheduled', {
        reason: 'ahead',
        now: engine.now,
        isStillDue: () => true,
      });
      expect((await engine.campaignRow(campaignId)).status).toBe(status);
    });
  });

  describe('the end of a campaign', () => {
    /** Ends the campaign's only contact. */
    async function ended(options: CampaignOptions = {}, concluded = true) {
      const { campaignId, owner } = await campaign(options);
      const [callId = ''] = (await engine.feed(owner, campaignId)).granted;
      await engine.dial(callId);
      await engine.end(callId, 'agent');
      if (concluded) await engine.conclude(campaignId);
      return campaignId;
    }

    test('completes the campaign and sends the final counts', async () => {
      const campaignId = await ended();
      const result = await finish(campaignId);
      const written = await deliveries(campaignId);
      expect(result).toMatchObject({ kind: 'finished', status: 'completed' });
      expect(result.kind === 'finished' && [...result.deliveryIds].sort()).toEqual(
        written.map(({ id }) => id as string).sort(),
      );
      expect(written.map(({ event }) => event)).toEqual(['campaign.completed', 'campaign.status_changed']);
      for (const { body } of written) {
        expect(body).toMatchObject({
          old_status: 'active',
          new_status: 'completed',
          stats: { total_calls: 1, completed: 1, pending: 0, in_progress: 0, failed: 0 },
        });
      }
      expect(await engine.campaignRow(campaignId)).toMatchObject({
        status: 'completed',
        reported_status: 'completed',
        ended_at: new Date(engine.now),
        dialing_until: null,
      });
    });

    test('returns the pending deliveries when the end is retried, and writes nothing', async () => {
      const campaignId = await ended();
      await finish(campaignId);
      const before = await engine.campaignRow(campaignId);
      engine.now += 5_000;
      const [first] = await deliveries(campaignId);
      await engine.db('webhook_deliveries').where({ id: first?.id }).update({ status: 'delivered' });
      const again = await finish(campaignId);
      expect(again.kind === 'finished' && again.deliveryIds).toHaveLength(1);
      expect(await deliveries(campaignId)).toHaveLength(2);
      expect(await engine.campaignRow(campaignId)).toEqual(before);
    });

    test('ends a campaign once in five simultaneous runs', async () => {
      const campaignId = await ended();
      const results = await Promise.all(Array.from({ length: 5 }, () => finish(campaignId)));
      for (const result of results) expect(result.kind).toBe('finished');
      expect(await deliveries(campaignId)).toHaveLength(2);
    });

    test('keeps a campaign open until its last call is processed, because that may schedule a callback', async () => {
      const campaignId = await ended({}, false);
      expect(await finish(campaignId)).toEqual({ kind: 'unfinished' });
      await engine.conclude(campaignId);
      expect(await finish(campaignId)).toMatchObject({ kind: 'finished' });
    });

    test('keeps a campaign open while a contact is open', async () => {
      const { campaignId } = await campaign();
      expect(await finish(campaignId)).toEqual({ kind: 'unfinished' });
      expect((await engine.campaignRow(campaignId)).ended_at).toBeNull();
      expect(await deliveries(campaignId)).toEqual([]);
    });

    test('keeps a cancelled campaign cancelled, and reports its end without another status change', async () => {
      const campaignId = await ended();
      await change(campaignId, 'cancelled');
      engine.now += 1_000;
      expect(await finish(campaignId)).toMatchObject({ kind: 'finished', status: 'cancelled' });
      expect((await deliveries(campaignId)).map(({ event }) => event)).toEqual([
        'campaign.status_changed',
        'campaign.cancelled',
      ]);
    });

    test('returns unfinished for an unknown campaign', async () => {
      expect(await finish('00000000-0000-4000-8000-000000000000')).toEqual({ kind: 'unfinished' });
    });
  });
});
