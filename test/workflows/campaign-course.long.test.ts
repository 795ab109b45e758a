/** Runs whole campaigns and callbacks over several days, in skipped time. */
import pino from 'pino';
import { PAUSE, RESUME, switchCampaign, type CampaignSwitch } from '../../api/campaigns/change';
import type { TemporalPort } from '../../api/dependencies/temporal-client';
import { endCall } from '../../db/calls/ends';
import { startDial, recordPlaced, registerWaiting } from '../../db/calls/engine';
import { rows } from '../../db/kernel/query';
import { pauseSignal, resumeSignal, TASK_QUEUE, workflowId } from '../../workflows/contract';
import { callEndOf } from '../../domain/call-end';
import { describeWith } from '../servers/availability';
import { NO_GUARDS } from '../servers/no-guards';
import { TimeSkippingEngine, type StartedCampaign } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WORKING_DAYS = 'monday,tuesday,wednesday,thursday,friday';
const FRIDAY = 5;
const NUMBER = '+919800000000';
const HOOK = 'https://example.com/hook';

jest.setTimeout(120_000);

describeWith('time-skipping', 'a campaign over several days', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    // A callback is a child workflow that outlives the call that requested it.
    engine = await TimeSkippingEngine.start({ fresh: true });
  });
  afterEach(() => engine.stop());

  const contactsOf = ({ id }: StartedCampaign) =>
    rows<{ state: string; reason: string | null; attempts: number }>(
      engine.db,
      'select state, reason, attempts from contacts where campaign_id = :id order by row_number',
      { id },
    );
  const rowOf = async ({ id }: StartedCampaign) =>
    (await engine.db('campaigns').where({ id }).first()) as Record<string, unknown>;

  /** Day since the epoch and time of day of each dial, to the minute. */
  const dials = () =>
    engine.carrier.dials.map(({ at }) => ({
      day: Math.floor(at / DAY_MS),
      time: new Date(at).toISOString().slice(11, 16),
    }));

  /** Does what the API does when a person pauses, resumes or cancels a campaign. */
  async function ask(campaign: StartedCampaign, wanted: CampaignSwitch): Promise<void> {
    const now = await engine.now();
    const temporal: Pick<TemporalPort, 'signalCampaign' | 'startDelivery'> = {
      signalCampaign: (_id, signal) => campaign.signal(signal === 'pause' ? pauseSignal : resumeSignal),
      startDelivery: () => Promise.resolve(),
    };
    const deps = { db: engine.db, temporal, clock: { now: () => now }, log: pino({ enabled: false }) };
    const actor = { kind: 'api_key', id: 'test', requestId: null } as const;
    await switchCampaign(
      deps,
      { campaignId: campaign.id, organizationId: campaign.organizationId },
      wanted,
      actor,
    );
  }

  test("redials when Monday's window opens if the redial is due after Friday's window", async () => {
    engine.carrier.script(NUMBER, [
      { endReason: 'busy', talkMs: 1_000 },
      { endReason: 'agent', talkMs: MINUTE_MS },
    ]);
    const today = new Date(await engine.now()).getUTCDay();
    // Starts tomorrow or later, so that a test run on a Friday also waits.
    const toFriday = ((FRIDAY - today + 6) % 7) + 1;
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [NUMBER],
        daysOfWeek: WORKING_DAYS,
        fromDay: toFriday,
        toDay: toFriday + 4,
        startMinute: 600,
        endMinute: 660,
        retryDelayMins: 90,
      });
      const friday = Math.floor((await engine.now()) / DAY_MS) + toFriday;
      await engine.sleep((friday + 1) * DAY_MS + 12 * HOUR_MS - (await engine.now()));
      expect(await rowOf(campaign)).toMatchObject({ status: 'paused_out_of_range' });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect(dials()).toEqual([
        { day: friday, time: '10:00' },
        { day: friday + 3, time: '10:00' },
      ]);
      expect(await contactsOf(campaign)).toEqual([{ state: 'completed', reason: null, attempts: 2 }]);
    });
  });

  test('dials on three days if the retry delay is a day, each time at least a day after the last', async () => {
    engine.carrier.script(NUMBER, [{ endReason: 'no_answer', talkMs: 30_000 }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [NUMBER],
        fromDay: 1,
        startMinute: 600,
        endMinute: 660,
        retryDelayMins: 1440,
        maxAttempts: 3,
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect(await contactsOf(campaign)).toEqual([{ state: 'failed', reason: 'no_answer', attempts: 3 }]);
    });
    const [first, ...others] = dials();
    expect(others.map(({ day }) => day - (first?.day ?? 0))).toEqual([1, 2]);
    const times = engine.carrier.dials.map(({ at }) => at);
    for (const [index, at] of times.slice(1).entries()) {
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(DAY_MS + 30_000);
    }
  });

  test('pauses at a spend limit, stores and sends the reason, and continues after a resume the next day', async () => {
    engine.dialGuards = { breakers: { ...NO_GUARDS.breakers, campaignSpendPerDay: 2 } };
    const numbers = [0, 1, 2, 3].map((n) => `+91980000000${n}`);
    // Each call costs a credit.
    for (const to of numbers) engine.carrier.script(to, [{ endReason: 'agent', talkMs: 45_000 }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers,
        concurrency: 1,
        fromDay: 1,
        startMinute: 600,
        webhookUrl: HOOK,
      });
      await engine.sleep(2 * DAY_MS);
      const { status, status_reason: reason } = await rowOf(campaign);
      expect([status, engine.carrier.dials.length]).toEqual(['paused', 2]);
      expect(reason).toMatch(/^spend limit: the campaign has spent 2 credits today/);
      const handle = engine.env.client.workflow.getHandle(`campaign-${campaign.id}`);
      expect(await handle.query('progress')).toMatchObject({ step: `paused: ${reason as string}` });
      expect(engine.receiver.posts.map(({ body }) => body)).toMatchObject([
        {
          event: 'campaign.status_changed',
          old_status: 'active',
          new_status: 'paused',
          status_reason: reason,
          stats: { completed: 2, pending: 2 },
        },
      ]);
      await ask(campaign, RESUME);
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect(await contactsOf(campaign)).toEqual(
        numbers.map(() => ({ state: 'completed', reason: null, attempts: 1 })),
      );
    });
    expect(engine.carrier.dials.map(({ to }) => to)).toEqual(numbers);
  });

  test("delays a callback until the window opens, doesn't count it as a retry, and keeps the campaign open", async () => {
    engine.carrier.script(NUMBER, [
      { endReason: 'callee', talkMs: MINUTE_MS, says: 'I am busy, please call me back in two hours' },
      { endReason: 'agent', talkMs: MINUTE_MS },
    ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [NUMBER],
        fromDay: 1,
        startMinute: 600,
        endMinute: 660,
        maxAttempts: 1,
        perCallWebhookUrl: HOOK,
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect(await contactsOf(campaign)).toEqual([{ state: 'completed', reason: null, attempts: 1 }]);
    });
    const [first, second, ...more] = dials();
    expect(more).toEqual([]);
    expect([first?.time, second?.time, (second?.day ?? 0) - (first?.day ?? 0)]).toEqual([
      '10:00',
      '10:00',
      1,
    ]);
    expect(engine.receiver.posts.map(({ body }) => [body.event, body.is_callback])).toEqual([
      ['call.completed', undefined],
      ['call.completed', true],
    ]);
  });

  test('dials a callback within the window when it is due', async () => {
    engine.carrier.script(NUMBER, [
      { endReason: 'callee', talkMs: MINUTE_MS, says: 'Call me in ten minutes' },
      { endReason: 'no_answer', talkMs: 30_000 },
    ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: [NUMBER], fromDay: 1, startMinute: 600 });
      await campaign.finish();
      // The contact was already reached, and a callback isn't redialled.
      expect(await contactsOf(campaign)).toMatchObject([{ state: 'completed', attempts: 1 }]);
    });
    const [first = 0, second = 0, ...more] = engine.carrier.dials.map(({ at }) => at);
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(11 * MINUTE_MS);
    expect(second - first).toBeLessThan(12 * MINUTE_MS);
  });

  describe('a dispatched call over several days', () => {
    test('dials a callback when the legal window opens if it was requested in the evening', async () => {
      await engine.run(async () => {
        const evening = (Math.floor((await engine.now()) / DAY_MS) + 1) * DAY_MS + 20 * HOUR_MS;
        await engine.sleep(evening - (await engine.now()));
        const { callId } = await talkedAbout('Please call me back in an hour');
        // The test server can't run a child that outlives its parent, so the test starts the callback as reconciliation would.
        const { callback } = await engine.activities().concludeCall({ callId, now: await engine.now() });
        if (callback === null) throw new Error('no callback was made');
        const options = { workflowId: workflowId.call(callback.callId), taskQueue: TASK_QUEUE };
        const result = await engine.env.client.workflow.execute('callWorkflow', {
          ...options,
          args: [callback],
        });
        expect(result).toEqual({ callStatus: 'completed' });
        expect(dials()).toEqual([{ day: Math.floor(evening / DAY_MS) + 1, time: '02:30' }]);
        expect(await engine.db('calls').where({ call_id: callId }).first('callback_status')).toEqual({
          callback_status: 'completed',
        });
      });
    });

    /** Creates a finished dispatched call in which the callee said this. */
    async function talkedAbout(text: string): Promise<{ callId: string }> {
      const owner = await engine.createClient();
      const { callId } = await engine.dispatch(NUMBER, { owner, start: false });
      const now = await engine.now();
      await registerWaiting(engine.db, owner.organizationId, [callId], now);
      await startDial(engine.db, callId, { now, notAfter: now + 3_000, guards: NO_GUARDS });
      await recordPlaced(engine.db, callId, { carrierId: 'gone', from: null, deadlineAt: now + 60_000 }, now);
      await engine
        .db('call_segments')
        .insert({ call_id: callId, speaker: 'user', text, start_ms: 0, end_ms: 900 });
      const at = new Date(now).toISOString();
      const facts = { endReason: 'callee', endedAt: at, answeredAt: at, answeredBy: 'human' } as const;
      await endCall(engine.db, callId, callEndOf(facts, 1), now);
      return { callId };
    }

    test('expires a callback that became overdue during an outage, without dialling it', async () => {
      await engine.run(async () => {
        const call = await engine.dispatch(NUMBER, { start: false });
        const longAgo = new Date(Date.now() - HOUR_MS);
        await rows(
          engine.db,
          'update calls set accepted_at = :longAgo, not_before = :longAgo, dial_until = :longAgo',
          { longAgo },
        );
        await engine.reconcile();
        await expect(call.result()).resolves.toEqual({ callStatus: 'expired' });
        expect(await engine.db('lines')).toEqual([]);
      });
      expect(engine.carrier.asked).toBe(0);
    });
  });

  test('retries a call for a full minute after a pause of several hours', async () => {
    let refusals = 0;
    let campaign: StartedCampaign | undefined;
    engine.carrier.answerDial = async () => {
      refusals++;
      if (refusals === 1 && campaign !== undefined) {
        await rows(engine.db, `update campaigns set status = 'paused' where id = :id`, { id: campaign.id });
      }
      if (refusals === 3) engine.carrier.answerDial = null;
      return { kind: 'notPlaced', retryAfterMs: null };
    };
    await engine.run(async () => {
      campaign = await engine.createCampaign({ numbers: [NUMBER], maxAttempts: 1, fromDay: 1 });
      await engine.sleep(DAY_MS + 5 * HOUR_MS);
      expect(refusals).toBe(1);
      await ask(campaign, RESUME);
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect(await contactsOf(campaign)).toEqual([{ state: 'completed', reason: null, attempts: 1 }]);
    });
    expect([refusals, engine.carrier.dials.length]).toEqual([3, 1]);
  });

  test('sends no webhook about a number on the do-not-disturb list, but marks its contact', async () => {
    const clear = '+919800000001';
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [NUMBER, clear],
        performDndCheck: true,
        fromDay: 1,
        perCallWebhookUrl: HOOK,
      });
      await engine.db('dnd_numbers').insert({
        organization_id: campaign.organizationId,
        phone_number: NUMBER,
        source: 'test',
        added_at: new Date(),
      });
      await campaign.finish();
      expect(await contactsOf(campaign)).toEqual([
        { state: 'dnd', reason: 'dnd', attempts: 0 },
        { state: 'completed', reason: null, attempts: 1 },
      ]);
    });
    expect(engine.receiver.posts.map(({ body }) => [body.event, body.contact])).toEqual([
      ['call.completed', { name: 'Contact 1', phone: clear }],
    ]);
  });

  test('dials nothing until the next window if a campaign is paused in its window and resumed after it', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: [NUMBER],
        fromDay: 1,
        startMinute: 600,
        endMinute: 660,
      });
      await engine.sleep(MINUTE_MS);
      await ask(campaign, PAUSE);
      await engine.sleep(2 * DAY_MS);
      const day = Math.floor((await engine.now()) / DAY_MS) + 1;
      await engine.sleep(day * DAY_MS + 12 * HOUR_MS - (await engine.now()));
      expect(engine.carrier.dials).toEqual([]);
      await ask(campaign, RESUME);
      await engine.sleep(MINUTE_MS);
      expect(await rowOf(campaign)).toMatchObject({ status: 'paused_out_of_range' });
      await campaign.finish();
      expect(dials()).toEqual([{ day: day + 1, time: '10:00' }]);
    });
  });
});
