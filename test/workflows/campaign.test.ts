import {
  cancelSignal,
  pauseSignal,
  refillSignal,
  resumeSignal,
  TASK_QUEUE,
  workflowId,
} from '../../workflows/contract';
import { rows } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine, type StartedCampaign } from './support/time-skipping-engine';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

jest.setTimeout(60_000);

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+9198000000${String(index).padStart(2, '0')}`);

describeWith('time-skipping', 'a campaign', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });

  afterEach(async () => {
    await engine.stop();
  });

  const contactStates = async ({ id }: StartedCampaign) => {
    const states = await rows<{ state: string; count: number }>(
      engine.db,
      'select state, count(*) as count from contacts where campaign_id = :id group by state order by state',
      { id },
    );
    return Object.fromEntries(states.map(({ state, count }) => [state, count]));
  };

  const setStatus = (campaign: StartedCampaign, status: string) =>
    rows(engine.db, 'update campaigns set status = :status where id = :id', { status, id: campaign.id });

  test('dials every contact once and completes', async () => {
    const numbers = numbered(5);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers, concurrency: 2 });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 5 });
    });
    expect(engine.carrier.dials.map(({ to }) => to).sort()).toEqual(numbers);
  });

  test('uses all lines of the campaign, but never more', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: numbered(8), concurrency: 3 });
      await campaign.finish();
    });
    expect(engine.carrier.peakLive).toBe(3);
  });

  test('keeps live calls within the limit of the organization', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: numbered(6),
        concurrency: 5,
        organizationMaximum: 2,
      });
      await campaign.finish();
    });
    expect(engine.carrier.peakLive).toBe(2);
  });

  test('redials an unanswered contact after the delay, and not earlier', async () => {
    engine.carrier.script('+919800000000', [
      { endReason: 'no_answer', talkMs: 30_000 },
      { endReason: 'busy', talkMs: 1_000 },
      { endReason: 'agent', talkMs: 60_000 },
    ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: numbered(1), retryDelayMins: 45 });
      await campaign.finish();
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 1 });
    });
    const [first, second, third] = engine.carrier.dials.map(({ at }) => at);
    expect(engine.carrier.dials).toHaveLength(3);
    expect(second! - first!).toBeGreaterThanOrEqual(45 * MINUTE_MS);
    expect(second! - first!).toBeLessThan(47 * MINUTE_MS);
    expect(third! - second!).toBeGreaterThanOrEqual(45 * MINUTE_MS);
  });

  test('dials a contact that never answers exactly max_retries times', async () => {
    engine.carrier.script('+919800000000', [{ endReason: 'no_answer', talkMs: 30_000 }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: numbered(2), maxAttempts: 3 });
      await campaign.finish();
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 1, failed: 1 });
    });
    expect(engine.carrier.dials.filter(({ to }) => to === '+919800000000')).toHaveLength(3);
  });

  test('waits over a weekend for its window', async () => {
    const created = new Date(await engine.now());
    const daysToMonday = ((8 - created.getUTCDay()) % 7) + (created.getUTCDay() === 1 ? 7 : 0);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: numbered(2),
        daysOfWeek: 'monday',
        // Starts tomorrow, so that a test run on a Monday also waits.
        fromDay: 1,
        startMinute: 3 * 60,
        endMinute: 4 * 60,
      });
      await campaign.finish();
    });
    const [first] = engine.carrier.dials.map(({ at }) => new Date(at));
    const monday = new Date(created.getTime() + daysToMonday * 24 * HOUR_MS).toISOString().slice(0, 10);
    expect(first!.toISOString()).toMatch(new RegExp(`^${monday}T03:00:0`));
    expect(engine.carrier.dials).toHaveLength(2);
  });

  test('stops dialling when its window closes, and continues when it opens again', async () => {
    for (const to of numbered(9)) engine.carrier.script(to, [{ endReason: 'agent', talkMs: 9 * MINUTE_MS }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: numbered(9),
        concurrency: 1,
        fromDay: 1,
        startMinute: 10 * 60,
        endMinute: 11 * 60,
      });
      await campaign.finish();
    });
    const times = engine.carrier.dials.map(({ at }) => new Date(at).toISOString().slice(11, 16));
    expect(times).toEqual(['10:00', '10:09', '10:18', '10:27', '10:36', '10:45', '10:54', '10:00', '10:09']);
  });

  test('marks unreached contacts as expired after the last window, and completes', async () => {
    for (const to of numbered(9)) engine.carrier.script(to, [{ endReason: 'agent', talkMs: 9 * MINUTE_MS }]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: numbered(9),
        concurrency: 1,
        fromDay: 1,
        toDay: 1,
        startMinute: 600,
        endMinute: 660,
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 7, expired: 2 });
    });
  });

  test('dials nothing while paused, and dials every contact once after a resume', async () => {
    let campaign: StartedCampaign | undefined;
    engine.carrier.onDial = async () => {
      if (engine.carrier.dials.length !== 2 || campaign === undefined) return;
      await setStatus(campaign, 'paused');
      await campaign.signal(pauseSignal);
    };
    await engine.run(async () => {
      campaign = await engine.createCampaign({ numbers: numbered(6), concurrency: 1 });
      await engine.sleep(5 * HOUR_MS);
      expect(engine.carrier.dials).toHaveLength(2);
      await setStatus(campaign, 'active');
      await campaign.signal(resumeSignal);
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 6 });
    });
    expect(new Set(engine.carrier.dials.map(({ to }) => to)).size).toBe(6);
    expect(engine.carrier.dials).toHaveLength(6);
  });

  test('cancels undialled contacts and lets live calls finish when the campaign is cancelled', async () => {
    let campaign: StartedCampaign | undefined;
    engine.carrier.onDial = async () => {
      if (engine.carrier.dials.length !== 3 || campaign === undefined) return;
      await setStatus(campaign, 'cancelled');
      await campaign.signal(cancelSignal);
    };
    await engine.run(async () => {
      campaign = await engine.createCampaign({ numbers: numbered(8), concurrency: 2 });
      await expect(campaign.finish()).resolves.toEqual({ status: 'cancelled' });
      const states = await contactStates(campaign);
      expect(states).toEqual({
        cancelled: 8 - engine.carrier.dials.length,
        completed: engine.carrier.dials.length,
      });
    });
    expect(engine.carrier.dials.length).toBeLessThanOrEqual(4);
  });

  test('continues in a new run after a thousand events, and completes there', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: numbered(2), fromDay: 5 });
      const handle = engine.env.client.workflow.getHandle(workflowId.campaign(campaign.id));
      const first = (await handle.describe()).runId;
      await Promise.all(Array.from({ length: 1_000 }, () => campaign.signal(refillSignal)));
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      expect((await handle.describe()).runId).not.toBe(first);
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 2 });
    });
    expect(engine.carrier.dials).toHaveLength(2);
  });

  // A worker may have died between starting the child and recording it. The test uses any running workflow with that id.
  test('completes even if the workflow of its e-mails is already running', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: numbered(1),
        notificationEmails: ['one@example.com'],
      });
      const other = { reference: '', carrierId: '', talkMs: 24 * HOUR_MS, endReason: 'agent' };
      await engine.env.client.workflow.start('phoneWorkflow', {
        workflowId: workflowId.notification(campaign.id),
        taskQueue: TASK_QUEUE,
        args: [other],
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
  });

  test('cancels a campaign in the Web UI with the same result as through the API', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: numbered(3), fromDay: 5 });
      await campaign.cancelWorkflow();
      await expect(campaign.finish()).resolves.toEqual({ status: 'cancelled' });
      await expect(contactStates(campaign)).resolves.toEqual({ cancelled: 3 });
    });
  });

  /** Minutes after midnight on the zone's clock. */
  const localMinute = (at: number, timeZone: string): number => {
    const [hour = 0, minute = 0] = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
      .format(at)
      .split(':')
      .map(Number);
    return hour * 60 + minute;
  };

  test('dials each contact within its local window, also after a redial, and completes', async () => {
    const zones: Record<string, string> = {
      '+12125550100': 'America/New_York',
      '+18085550100': 'Pacific/Honolulu',
      '+919800000000': 'Asia/Calcutta',
      '+61262000000': 'Australia/Sydney',
    };
    for (const number of Object.keys(zones))
      engine.carrier.script(number, [
        { endReason: 'no_answer', talkMs: 30_000 },
        { endReason: 'agent', talkMs: 60_000 },
      ]);
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: Object.keys(zones),
        windowTimezone: 'contact',
        startMinute: 9 * 60,
        endMinute: 10 * 60,
        retryDelayMins: 90,
      });
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
      await expect(contactStates(campaign)).resolves.toEqual({ completed: 4 });
    });
    expect(engine.carrier.dials).toHaveLength(8);
    const minutes = engine.carrier.dials.map(({ to, at }) => localMinute(at, zones[to] ?? 'UTC'));
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(9 * 60);
    expect(Math.max(...minutes)).toBeLessThan(10 * 60);
  });
});
