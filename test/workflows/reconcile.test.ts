import type { WorkflowHandle } from '@temporalio/client';
import { rows } from '../../db/kernel/query';
import { changeCampaignStatus } from '../../db/campaigns/status';
import { describeWith } from '../servers/availability';
import { TimeSkippingEngine } from './support/time-skipping-engine';

jest.setTimeout(60_000);

const longAgo = () => Date.now() - 600_000;

const waits = async (handle: WorkflowHandle): Promise<boolean> =>
  ((await handle.fetchHistory()).events ?? []).some((event) => event.timerStartedEventAttributes);

describeWith('time-skipping', 'reconciliation', () => {
  let engine: TimeSkippingEngine;

  beforeEach(async () => {
    engine = await TimeSkippingEngine.start();
  });

  afterEach(async () => {
    await engine.stop();
  });

  test('makes all runs of a scheduled workflow with attempts of one activity', async () => {
    const attempts = await engine.run(async () => {
      const { events } = await (await engine.reconcile(3)).fetchHistory();
      return events?.flatMap(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? []);
    });
    expect(attempts).toEqual([3]);
  });

  test('repeats the lost signal of a cancellation', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: ['+919800000001'], fromDay: 5 });
      await engine.sleep(1_000);
      // The API wrote the row and died before it sent the signal.
      await changeCampaignStatus(engine.db, {
        campaignId: campaign.id,
        to: 'cancelled',
        from: ['active', 'scheduled'],
        now: longAgo(),
        reported: true,
        events: () => [],
      });
      await engine.reconcile();
      await expect(campaign.finish()).resolves.toEqual({ status: 'cancelled' });
    });
    expect(engine.carrier.dials).toHaveLength(0);
  });

  test('starts a dispatched call whose workflow the API could not start', async () => {
    await engine.run(async () => {
      const call = await engine.dispatch('+919800000001', { start: false });
      await rows(engine.db, 'update calls set accepted_at = :then', { then: new Date(longAgo()) });
      await engine.reconcile();
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    expect(engine.carrier.dials).toHaveLength(1);
  });

  test('repeats the lost signal that grants a line', async () => {
    engine.loseSignal = (name) => name === 'lineGranted';
    await engine.run(async () => {
      const campaign = await engine.createCampaign({ numbers: ['+919800000001'] });
      await engine.sleep(1_000);
      expect(engine.carrier.dials).toHaveLength(0);
      engine.loseSignal = () => false;
      await rows(engine.db, 'update calls set granted_at = :then', { then: new Date(longAgo()) });
      await engine.reconcile();
      await expect(campaign.finish()).resolves.toEqual({ status: 'completed' });
    });
    expect(engine.carrier.dials).toHaveLength(1);
  });

  test('finds the end of a call that no event reported', async () => {
    engine.carrier.script('+919800000001', [{ endReason: 'never_reported', talkMs: 1_000 }]);
    await engine.run(async () => {
      const call = await engine.dispatch('+919800000001');
      await engine.untilDialled(1);
      await rows(engine.db, `update calls set reported_at = :then where stage = 'placed'`, {
        then: new Date(longAgo()),
      });
      await engine.reconcile();
      await expect(call.result()).resolves.toEqual({ callStatus: 'completed' });
    });
    const [call] = await rows<{ endedBeforeDeadline: boolean }>(
      engine.db,
      `select ended_at < requested_at + interval '1 minute' as "endedBeforeDeadline" from calls`,
    );
    expect(call?.endedBeforeDeadline).toBe(true);
  });

  test('ends a campaign whose workflow was terminated, and leaves no contact pending', async () => {
    await engine.run(async () => {
      const campaign = await engine.createCampaign({
        numbers: ['+919800000001', '+919800000002'],
        fromDay: 5,
      });
      const handle = engine.env.client.workflow.getHandle(`campaign-${campaign.id}`);
      // Once the workflow waits, its survey has written the time of the next check.
      while (!(await waits(handle))) await new Promise((resolve) => setTimeout(resolve, 20));
      await handle.terminate('by a test');
      await rows(engine.db, 'update campaigns set check_at = :then', { then: new Date(longAgo()) });
      await engine.reconcile();
      await engine.env.client.workflow.getHandle(`campaign-${campaign.id}`).result();
      const [row] = await rows(engine.db, 'select status, status_reason, failed_contacts from campaigns');
      expect(row).toEqual({
        status: 'cancelled',
        status_reason: 'its workflow was terminated',
        failed_contacts: 2,
      });
    });
  });
});
