import { startModelStandIn, type ModelStandIn } from '../../dev/model-stand-in/server';
import { RETENTION_SCHEDULE_ID, workflowId } from '../../workflows/contract';
import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const MODEL = 'reader';
const ANSWER = {
  summary: 'Read by the model.',
  sentiment: 'neutral',
  outcome: 'interested',
  callback_requested: false,
  callback_quote: null,
  callback_at: null,
};
const ANSWERED = { text: JSON.stringify(ANSWER) };

describeWith('temporal', 'a platform with a language model', () => {
  let platform: Platform;
  let standIn: ModelStandIn;

  beforeAll(async () => {
    standIn = await startModelStandIn();
    platform = await Platform.open({
      environment: { ANALYSIS_MODEL_URL: standIn.url, ANALYSIS_MODEL: MODEL },
    });
  }, START_WITHIN_MS);
  afterAll(async () => {
    await platform.close();
    await standIn.close();
  });

  const asked = () => standIn.requests(MODEL).length;

  test('repeats an analysis after kill -9 of the worker, and notifies every receiver once', async () => {
    const { worker } = platform.stack;
    standIn.script(MODEL, [{ ...ANSWERED, delayMs: 600_000 }, ANSWERED]);
    const campaign = await platform.campaign({ numbers: talkers(1), concurrency: 1 });
    await eventuallyTrue(20_000, 'the model is asked', () => asked() === 1);
    expect(await platform.db('calls').where({ campaign_id: campaign.id })).toMatchObject([
      { post_processing_status: 'processing', concluded_at: null },
    ]);
    await worker.kill();
    await worker.start();
    await campaign.untilOver('completed', 90_000);
    expect(asked()).toBe(2);
    const bodies = await platform
      .db('webhook_deliveries')
      .where({ campaign_id: campaign.id, event: 'call.completed' })
      .pluck('body');
    expect(bodies.map((body: string) => JSON.parse(body).summary)).toEqual([ANSWER.summary]);
    campaign.expectAllNotified({ processDied: true });
    await campaign.expectNothingLost();
  }, 150_000);

  test('deletes expired data on schedule, and logs how much it deleted', async () => {
    standIn.script(MODEL, [ANSWERED]);
    const organization = await platform.newOrganization();
    const campaign = await platform.campaign({ numbers: talkers(1), concurrency: 1 }, organization);
    await campaign.untilOver('completed', 30_000);
    const [{ organization_id: organizationId }] = await platform.db('campaigns').where({ id: campaign.id });
    await platform.db('organizations').where({ id: organizationId }).update({ transcripts_days: 1 });
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    await platform.db('calls').where({ organization_id: organizationId }).update({ ended_at: longAgo });
    await platform.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).trigger();
    await eventually(20_000, async () => {
      const [call] = await platform.db('calls').where({ organization_id: organizationId });
      expect(call).toMatchObject({ summary: null, outcome: 'interested' });
    });
    const { recentActions } = (await platform.temporal.schedule.getHandle(RETENTION_SCHEDULE_ID).describe())
      .info;
    const started = recentActions.at(-1)?.action;
    expect(started?.workflow.workflowId).toContain(workflowId.retention());
    const result = platform.temporal.workflow.getHandle(started?.workflow.workflowId ?? '').result();
    await expect(result).resolves.toMatchObject({ transcripts: 1, recordings: 0, contacts: 0 });
  }, 90_000);
});
