import { workflowId } from '../../workflows/contract';
import { fetchRuns, hasDoneTask } from '../../verify/histories/fetch-history';
import { describeWith } from '../servers/availability';
import { workflowBundle } from '../servers/bundle';
import { replay } from '../workflows/support/replay';
import { VERSIONS } from '../workflows/support/stored-histories';
import type { CampaignRun } from './support/campaign-run';
import { earlierWorker, type EarlierWorker } from './support/earlier-worker';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Long enough for calls to outlast a worker's shutdown, which takes seconds if the machine stalls. */
const TALK_MS = 8_000;

/** Returns true if this process completed the workflow task. */
const byWorker = ({ identity }: any, { pid }: { pid: number }): boolean =>
  String(identity).startsWith(`${pid}@`);

describeWith('temporal', 'a new version deployed during a campaign', () => {
  const version = VERSIONS[0] ?? '';
  let platform: Platform;
  let earlier: EarlierWorker;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: TALK_MS });
    earlier = await earlierWorker(platform, version);
  }, START_WITHIN_MS);
  afterAll(async () => {
    await earlier.close();
    await platform.close();
  });

  /** Starts a campaign on the earlier version, with calls that talk, wait, get redialled or whose end isn't reported. */
  const begun = async (): Promise<CampaignRun> => {
    await platform.stack.worker.stop();
    await earlier.process.start();
    const numbers = [...talkers(3), ...freshNumbers([75, 85, 93, 90, 70]), ...talkers(4)];
    const campaign = await platform.campaign({ numbers, concurrency: 4 });
    await campaign.untilPlaced(6, 40_000);
    await campaign.untilRunning();
    return campaign;
  };

  const runsOf = async (id: string): Promise<any[][]> =>
    (await fetchRuns(platform.temporal.workflow, id)).map(({ events }) => events ?? []);

  /** Returns the histories of a campaign's runs, followed by its calls' histories. */
  const historiesOf = (campaign: CampaignRun): Promise<any[][]> => {
    const calls = [...campaign.carrier().dialled].map((reference) => workflowId.call(reference ?? ''));
    return Promise.all(
      [workflowId.campaign(campaign.id), ...calls].map(async (id) => (await runsOf(id)).flat()),
    );
  };

  /** Returns the histories with workflow tasks of both workers. */
  const begunByOneAndEndedByOther = (histories: any[][], before: { pid: number }, after: { pid: number }) =>
    histories.filter((events) => {
      const done = events.flatMap(({ workflowTaskCompletedEventAttributes: task }) => task ?? []);
      return done.some((task) => byWorker(task, before)) && done.some((task) => byWorker(task, after));
    });

  /**
   * Returns the messages of failed workflow tasks. Ignores failures due to a signal that arrived during the task, which also happen without
   * a deploy.
   */
  const failedTasks = (histories: any[][]): string[] =>
    histories
      .flat()
      .flatMap(({ workflowTaskFailedEventAttributes: task }) => task?.failure?.message ?? [])
      .filter((message) => message !== 'UnhandledCommand');

  test('finishes live calls after the old version stops, without lost or repeated calls or failed tasks', async () => {
    const campaign = await begun();
    const before = { pid: earlier.process.pid };
    await earlier.process.stop();
    // The newest run may have started within the last second and have nothing to replay yet.
    const live = (await runsOf(workflowId.campaign(campaign.id))).findLast(hasDoneTask) ?? [];
    await platform.stack.worker.start();
    const after = { pid: platform.stack.worker.pid };
    await campaign.untilOver('completed', 90_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified();

    const histories = await historiesOf(campaign);
    expect(failedTasks(histories)).toEqual([]);
    const handedOver = begunByOneAndEndedByOther(histories, before, after);
    expect(handedOver).toContain(histories[0]);
    expect(handedOver.length).toBeGreaterThan(1);
    // Replays the campaign as it was when the new version started.
    expect(await replay(workflowBundle(), [{ name: 'live', history: { events: live } }])).toEqual({
      live: null,
    });
  }, 240_000);

  test('loses and repeats no call while both versions run, and closes every workflow', async () => {
    const campaign = await begun();
    await platform.stack.worker.start();
    await campaign.untilPlaced(10, 60_000);
    await earlier.process.stop();
    await campaign.untilOver('completed', 90_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified();
    await eventuallyTrue(10_000, 'the campaign is closed', async () => {
      const { status } = await platform.temporal.workflow
        .getHandle(workflowId.campaign(campaign.id))
        .describe();
      return status.name === 'COMPLETED';
    });
    await eventually(5_000, async () => {
      const query = `CampaignId = '${campaign.id}' AND ExecutionStatus = 'Running'`;
      expect(await platform.temporal.workflow.count(query)).toMatchObject({ count: 0 });
    });
  }, 240_000);
});
