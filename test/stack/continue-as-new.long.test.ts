import { workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const SUGGESTED_AT = 40;
const CAMPAIGN_WITHIN_MS = 60_000;
/** Two pages of ten calls: one requested before Temporal suggested a new run, and the one whose request returned the suggestion. */
const CALLS_AFTER_THE_SUGGESTION = 20;

describeWith('temporal', 'a campaign with a long history', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(SUGGESTED_AT) },
    });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test(
    'continues in new runs while calls are in flight, without losing a contact or dialling one twice',
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

  // Counts calls instead of events, because the number of workflow tasks per page depends on the machine.
  test(
    'starts at most two pages of calls per run after a new run is suggested, even if lines stay free',
    async () => {
      const organization = await platform.newOrganization(30);
      const campaign = await platform.campaign({ numbers: talkers(60), concurrency: 30 }, organization);
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      const runs = await runsOf(platform, campaign.id);
      const late = await Promise.all(runs.map(({ runId }) => callsStartedLate(platform, campaign.id, runId)));
      expect(Math.max(...late)).toBeLessThanOrEqual(CALLS_AFTER_THE_SUGGESTION);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );
});

/** Returns how many calls a run starts after Temporal has suggested a new run. */
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
  /** Time at which the run continued as a new one; null for the last run. */
  continuedAt: number | null;
}

/** Returns all runs of a finished campaign. Expects that at least two of them continued as new. */
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
