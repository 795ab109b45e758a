import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import type { CarrierLog } from './support/carrier-log';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Two periods of 20 s without news of a call without a workflow, each plus up to 10 s until reconciliation runs. */
const RECONCILED_WITHIN_MS = 120_000;

describeWith('temporal', 'an unreported end', () => {
  let platform: Platform;
  let unreported: CampaignRun;
  let callTerminated: CampaignRun;
  let campaignTerminated: CampaignRun;
  let dispatcher: Organization;
  const [endless = ''] = freshNumbers([73]);

  /** Runs all cases concurrently, because each one waits for reconciliation. */
  beforeAll(async () => {
    platform = await Platform.open({ talkMs: 1500 });
    dispatcher = await platform.newOrganization();
    [unreported, callTerminated, campaignTerminated] = await Promise.all([
      platform.campaign({ numbers: freshNumbers([99, 0, 1]), concurrency: 1 }),
      platform.campaign({ numbers: talkers(3), concurrency: 1 }),
      platform.campaign({ numbers: talkers(20), concurrency: 2 }),
      dispatcher.dispatch(endless),
    ]);
    await Promise.all([
      eventually(20_000, () => terminate(answeredCallOf(platform.carrier([endless])))),
      eventually(20_000, () => terminate(answeredCallOf(callTerminated.carrier()))),
      campaignTerminated.untilPlaced(3).then(() => terminate(workflowId.campaign(campaignTerminated.id))),
    ]);
  }, START_WITHIN_MS + 30_000);
  afterAll(() => platform.close());

  const terminate = (id: string) => platform.temporal.workflow.getHandle(id).terminate('by a test');
  /** Returns the workflow id of the last answered call. A call that is hung up while it rings would not end as completed. */
  const answeredCallOf = ({ entries }: CarrierLog): string => {
    const answered = entries.findLast((entry) => entry.kind === 'state' && entry.state === 'answered');
    if (answered?.kind !== 'state' || answered.reference === null)
      throw new Error('no call was answered yet');
    return workflowId.call(answered.reference);
  };
  const lastCallOf = (carrier: CarrierLog): string => {
    const reference = carrier.placed.at(-1)?.reference;
    if (!reference) throw new Error('no call was placed yet');
    return workflowId.call(reference);
  };

  test(
    'frees the line of a call whose end the carrier never reports, and gives it to the next contact',
    async () => {
      await unreported.untilOver('completed', RECONCILED_WITHIN_MS);
      await unreported.expectNothingLost();
      unreported.expectAllNotified();
    },
    RECONCILED_WITHIN_MS,
  );

  test(
    'ends a call whose workflow was terminated as the carrier reports it, and sends its webhook',
    async () => {
      await callTerminated.untilOver('completed', RECONCILED_WITHIN_MS);
      await callTerminated.expectNothingLost();
      callTerminated.expectAllNotified();
    },
    RECONCILED_WITHIN_MS,
  );

  test(
    'hangs up an endless call whose workflow was terminated, and frees its line',
    async () => {
      await eventuallyTrue(RECONCILED_WITHIN_MS - 30_000, 'the carrier ends the call', () =>
        platform
          .carrier([endless])
          .entries.some((entry) => entry.kind === 'state' && entry.end_reason === 'platform'),
      );
      await eventually(20_000, async () => {
        const { body } = await dispatcher.get('/api/call-history');
        expect(body.data).toMatchObject([{ to_number: endless, call_status: 'completed' }]);
      });
    },
    RECONCILED_WITHIN_MS,
  );

  test(
    'cancels a campaign whose workflow was terminated, and records the real ends of its live calls',
    async () => {
      const { stats } = await campaignTerminated.untilOver('cancelled', RECONCILED_WITHIN_MS);
      const carrier = campaignTerminated.carrier();
      const completed = carrier.placed.length;
      expect(completed).toBeLessThan(20);
      expect(stats).toEqual({
        total_calls: 20,
        completed,
        pending: 0,
        in_progress: 0,
        failed: 20 - completed,
      });
      for (const { phone_number: number, state } of await campaignTerminated.contacts()) {
        expect(state).toBe(carrier.placedTo(number).length === 1 ? 'completed' : 'cancelled');
      }
      expect(carrier.duplicateReferences).toEqual([]);
      expect(carrier.peakLive).toBeLessThanOrEqual(2);
      campaignTerminated.expectAllNotified();
    },
    RECONCILED_WITHIN_MS,
  );

  test('cancels a campaign when an operator cancels its workflow, just as the API would', async () => {
    const campaign = await platform.campaign({ numbers: talkers(8), concurrency: 2 });
    await campaign.untilPlaced(2);
    await platform.temporal.workflow.getHandle(workflowId.campaign(campaign.id)).cancel();
    await campaign.untilOver('cancelled', 60_000);
    const placed = campaign.carrier().placedPerNumber(campaign.numbers);
    for (const { phone_number: number, state } of await campaign.contacts()) {
      expect(state).toBe(placed[number] === 1 ? 'completed' : 'cancelled');
    }
    campaign.expectAllNotified();
  }, 90_000);

  test('hangs up a call immediately if an operator cancels its workflow', async () => {
    const [number = ''] = freshNumbers([73]);
    const organization = await platform.newOrganization();
    await organization.dispatch(number);
    const id = await eventually(20_000, () => lastCallOf(platform.carrier([number])));
    await platform.temporal.workflow.getHandle(id).cancel();
    await eventually(30_000, async () => {
      const { body } = await organization.get('/api/call-history');
      expect(body.data).toMatchObject([{ to_number: number, End_time: expect.any(String) }]);
    });
    const ends = platform
      .carrier([number])
      .entries.flatMap((entry) =>
        entry.kind === 'state' && entry.state === 'ended' ? [entry.end_reason] : [],
      );
    expect(ends).toEqual(['platform']);
  }, 60_000);
});
