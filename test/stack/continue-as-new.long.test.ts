import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const SUGGESTED_AT = 40;
/** Ten calls that start, and end, while the page is claimed and registered. */
const EVENTS_OF_A_PAGE = 80;

describeWith('temporal', 'a campaign whose history grows long', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(SUGGESTED_AT) },
    });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test('goes on in new runs while calls are in flight; no contact is lost and none dialled twice', async () => {
    const numbers = [...talkers(24), ...freshNumbers([75, 80, 85, 93])];
    const campaign = await platform.campaign({ numbers, concurrency: 4 });
    await campaign.untilOver('completed', 30_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified();

    const ends = (await continuedRuns(platform, campaign.id)).map(({ closedAt }) => closedAt);
    const states = campaign.carrier().entries;
    const liveAt = (instant: number) =>
      states.reduce((live, entry) => {
        if (Date.parse(entry.at) > instant) return live;
        if (entry.kind === 'placed') return live + 1;
        return entry.kind === 'state' && entry.state === 'ended' ? live - 1 : live;
      }, 0);
    expect(Math.max(...ends.map(liveAt))).toBeGreaterThan(0);
  }, 40_000);

  test('no run outgrows the suggestion by more than a page of calls, however long lines stay free', async () => {
    const organisation = await platform.organisation(30);
    const campaign = await platform.campaign({ numbers: talkers(60), concurrency: 30 }, organisation);
    await campaign.untilOver('completed', 30_000);
    await campaign.expectNothingLost();
    const lengths = (await continuedRuns(platform, campaign.id)).map(({ events }) => events);
    expect(Math.max(...lengths)).toBeLessThan(SUGGESTED_AT + EVENTS_OF_A_PAGE);
  }, 40_000);
});

/** The runs of a campaign that went on in another. */
function continuedRuns(
  platform: Platform,
  campaignId: string,
): Promise<{ closedAt: number; events: number }[]> {
  return eventually(5_000, async () => {
    const runs: { closedAt: number; events: number }[] = [];
    const query = `WorkflowId = '${workflowId.campaign(campaignId)}'`;
    for await (const { status, closeTime, historyLength } of platform.temporal.workflow.list({ query })) {
      if (status.name !== 'CONTINUED_AS_NEW' || !closeTime) continue;
      runs.push({ closedAt: closeTime.getTime(), events: historyLength });
    }
    expect(runs.length).toBeGreaterThanOrEqual(2);
    return runs;
  });
}
