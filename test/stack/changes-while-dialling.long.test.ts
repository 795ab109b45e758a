import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Long enough for all four calls to be in the same state when the command arrives, even if the machine stalls for two seconds. */
const TALK_MS = 4_000;
const CAMPAIGN_WITHIN_MS = 60_000;

describeWith('temporal', 'a campaign with live calls', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: TALK_MS });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  /**
   * Starts two calls that talk, and two that the carrier has rejected as temporarily unavailable. The rejected ones keep their line and are
   * about to be retried.
   */
  const begun = async () => {
    const numbers = [...freshNumbers([95, 96]), ...talkers(8)];
    const campaign = await platform.campaign({ numbers, concurrency: 4 });
    await eventually(20_000, () => {
      const refused = campaign.carrier().asked.filter(({ status }) => status === 503 || status === 429);
      expect(refused).toHaveLength(2);
      expect(campaign.carrier().placed.length).toBeGreaterThanOrEqual(2);
    });
    return campaign;
  };

  test(
    'places no call between the response to a pause and the resume, and then completes',
    async () => {
      const campaign = await begun();
      const paused = await campaign.command('pause');
      expect(paused).toMatchObject({ status: 200, body: { campaign_status: 'paused' } });
      // Waits until the lines are free, which must not trigger another dial.
      await eventuallyTrue(20_000, 'the live calls end', () => campaign.carrier().live === 0);
      await eventuallyTrue(20_000, 'their ends are recorded', async () => {
        const { stats } = await campaign.detail();
        return stats.in_progress === 0 && stats.completed === campaign.carrier().placed.length;
      });
      expect(campaign.carrier().placed.length).toBeLessThan(campaign.numbers.length);
      // Waits for the first of two events, because they can arrive in any order.
      await eventually(20_000, () => expect(campaign.received('/campaign')).toHaveLength(1));
      const resumedAt = Date.now();
      expect(await campaign.command('resume')).toMatchObject({
        status: 200,
        body: { campaign_status: 'active' },
      });
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      expect(campaign.carrier().calledBetween(paused.at, resumedAt)).toEqual([]);
      await campaign.expectNothingLost();
      const received = campaign.received('/campaign').map(({ event, new_status: status }) => [event, status]);
      expect(received.slice(0, 2)).toEqual([
        ['campaign.status_changed', 'paused'],
        ['campaign.status_changed', 'active'],
      ]);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );

  test(
    'calls each appended contact once, even if the append is repeated or arrives during the last calls',
    async () => {
      const campaign = await begun();
      const added = talkers(3);
      expect(await campaign.append(added)).toMatchObject({ status: 200, body: { added: 3, duplicates: 0 } });
      expect(await campaign.append(added)).toMatchObject({ status: 200, body: { added: 0, duplicates: 3 } });
      // This append arrives while the last calls end.
      await eventuallyTrue(CAMPAIGN_WITHIN_MS, 'the last calls are live', async () => {
        const { stats } = await campaign.detail();
        return stats.pending === 0;
      });
      const [late = ''] = talkers(1);
      expect(await campaign.append([late])).toMatchObject({ status: 200, body: { added: 1 } });
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      campaign.expectAllNotified();
      expect(await campaign.append(talkers(1))).toMatchObject({ status: 409 });
    },
    2 * CAMPAIGN_WITHIN_MS,
  );

  test(
    'places no call after the response to a cancel, lets live calls finish and cancels the rest',
    async () => {
      const campaign = await begun();
      const cancelled = await campaign.command('cancel');
      expect(cancelled).toMatchObject({ status: 200, body: { campaign_status: 'cancelled' } });
      const { stats } = await campaign.untilOver('cancelled', CAMPAIGN_WITHIN_MS);
      const carrier = campaign.carrier();
      expect(carrier.calledBetween(cancelled.at)).toEqual([]);
      expect(carrier.entries.flatMap((entry) => (entry.kind === 'state' && entry.end_reason) || [])).toEqual(
        carrier.placed.map(() => 'agent'),
      );
      const contacts = await campaign.contacts();
      for (const { phone_number: number, state } of contacts) {
        expect(state).toBe(carrier.placedTo(number).length === 1 ? 'completed' : 'cancelled');
      }
      const completed = carrier.placed.length;
      expect(stats).toEqual({
        total_calls: campaign.numbers.length,
        completed,
        pending: 0,
        in_progress: 0,
        failed: campaign.numbers.length - completed,
      });
      campaign.expectAllNotified();
      const received = campaign.received('/campaign').map(({ event }) => event);
      expect(received.toSorted()).toEqual(['campaign.cancelled', 'campaign.status_changed']);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );
});
