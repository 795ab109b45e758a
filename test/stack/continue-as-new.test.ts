import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

describeWith('temporal', 'a campaign whose history grows long', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '40' },
    });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test('goes on in new runs while calls are in flight; no contact is lost and none dialled twice', async () => {
    const numbers = [...talkers(24), ...freshNumbers([75, 80, 85, 93])];
    const campaign = await platform.campaign({ numbers, concurrency: 4 });
    await campaign.untilOver('completed', 30_000);
    await campaign.expectNothingLost();
    campaign.expectAllTold();

    const ends = await eventually(5_000, async () => {
      const closedAt: number[] = [];
      const query = `WorkflowId = '${workflowId.campaign(campaign.id)}'`;
      for await (const { status, closeTime } of platform.temporal.workflow.list({ query })) {
        if (status.name === 'CONTINUED_AS_NEW' && closeTime) closedAt.push(closeTime.getTime());
      }
      expect(closedAt.length).toBeGreaterThanOrEqual(2);
      return closedAt;
    });
    const states = campaign.carrier().entries;
    const liveAt = (instant: number) =>
      states.reduce((live, entry) => {
        if (Date.parse(entry.at) > instant) return live;
        if (entry.kind === 'placed') return live + 1;
        return entry.kind === 'state' && entry.state === 'ended' ? live - 1 : live;
      }, 0);
    expect(Math.max(...ends.map(liveAt))).toBeGreaterThan(0);
  }, 40_000);
});
