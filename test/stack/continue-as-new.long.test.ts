import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const SUGGESTED_AT = 40;
const CAMPAIGN_WITHIN_MS = 60_000;
/** A page of ten that was asked for before the suggestion was known, and the one whose request carries it. */
const CALLS_AFTER_THE_SUGGESTION = 20;

describeWith('temporal', 'a campaign whose history grows long', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(SUGGESTED_AT) },
    });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test(
    'goes on in new runs while calls are in flight; no contact is lost and none dialled twice',
    async () => {
      const numbers = [...talkers(24), ...freshNumbers([75, 80, 85, 93])];
      const campaign = await platform.campaign({ numbers, concurrency: 4 });
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      campaign.expectAllNotified();

      const ends = (await runsOf(platform, campaign.id)).flatMap(({ continuedAt }) => continuedAt ?? []);
      const states = campaign.carrier().entries;
      const liveAt = (instant: number) =>
        states.reduce((live, entry) => {
          if (Date.parse(entry.at) > instant) return live;
          if (entry.kind === 'placed') return live + 1;
          return entry.kind === 'state' && entry.state === 'ended' ? live - 1 : live;
        }, 0);
      expect(Math.max(...ends.map(liveAt))).toBeGreaterThan(0);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );

  // Events are not counted: how many tasks a page of starts and ends takes depends on the machine.
  test(
    'no run starts more than two pages of calls after a new run is suggested, however long lines stay free',
    async () => {
      const organisation = await platform.organisation(30);
      const campaign = await platform.campaign({ numbers: talkers(60), concurrency: 30 }, organisation);
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      const runs = await runsOf(platform, campaign.id);
      const late = await Promise.all(runs.map(({ runId }) => callsStartedLate(platform, campaign.id, runId)));
      expect(Math.max(...late)).toBeLessThanOrEqual(CALLS_AFTER_THE_SUGGESTION);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );
});

/** How many calls a run starts in the part of its history that lies behind the suggestion. */
async function callsStartedLate(platform: Platform, campaignId: string, runId: string): Promise<number> {
  const handle = platform.temporal.workflow.getHandle(workflowId.campaign(campaignId), runId);
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter(
    ({ eventId, startChildWorkflowExecutionInitiatedEventAttributes: started }) =>
      Number(eventId) > SUGGESTED_AT && started,
  ).length;
}

interface Run {
  runId: string;
  /** When it went on in the next run; null for the last. */
  continuedAt: number | null;
}

/** Every run of a campaign that is over, of which at least two went on in another. */
function runsOf(platform: Platform, campaignId: string): Promise<Run[]> {
  return eventually(20_000, async () => {
    const runs: Run[] = [];
    const query = `WorkflowId = '${workflowId.campaign(campaignId)}'`;
    for await (const { status, closeTime, runId } of platform.temporal.workflow.list({ query })) {
      const continued = status.name === 'CONTINUED_AS_NEW' && closeTime !== undefined;
      runs.push({ runId, continuedAt: continued ? closeTime.getTime() : null });
    }
    expect(runs.filter(({ continuedAt }) => continuedAt !== null).length).toBeGreaterThanOrEqual(2);
    expect(runs.filter(({ continuedAt }) => continuedAt === null)).toHaveLength(1);
    return runs;
  });
}
