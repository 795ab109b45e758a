import { MockActivityEnvironment } from '@temporalio/testing';
import { campaignFeedingActivities } from '../../activities/campaigns/steps';
import { describeWith } from '../servers/availability';
import { DIAL_SETTINGS } from '../servers/dial-settings';
import { EngineDatabase, START } from './support/engine-database';

const HOUR_MS = 3_600_000;
/** The campaign's window on the day of the test, in UTC. */
const OPENS = Date.parse('2026-11-02T04:00:00.000Z');
const CLOSES = Date.parse('2026-11-02T10:30:00.000Z');

describeWith('postgres', 'a step that was decided before a person changed the campaign', () => {
  let engine: EngineDatabase;
  let activities: ReturnType<typeof campaignFeedingActivities>;
  beforeAll(async () => {
    engine = await EngineDatabase.open();
    activities = campaignFeedingActivities({
      db: engine.db,
      signals: { signal: () => undefined },
      clock: () => engine.now,
      settings: { ...DIAL_SETTINGS, newRunAfterCalls: true },
    } as any);
  });
  afterAll(() => engine.close());

  const newCampaign = async (startMinute: number, endMinute: number) => {
    const campaignId = await engine.campaign(await engine.owner(), { contacts: 2 });
    await engine.set(campaignId, {
      status: 'active',
      from_date: '2026-11-02',
      to_date: '2026-11-06',
      days_of_week: 'monday',
      start_minute: startMinute,
      end_minute: endMinute,
      dialing_until: null,
      refill_requested_at: new Date(START),
    });
    return campaignId;
  };
  type Claim = Promise<{ claimed: unknown[]; more: boolean; thenNewRun: boolean }>;
  const claim = (page: Parameters<typeof activities.claimPage>[0]): Claim =>
    new MockActivityEnvironment({ scheduledTimestampMs: Date.now() }).run<[], Awaited<Claim>, () => Claim>(
      () => activities.claimPage(page),
    );
  const rowOf = (campaignId: string) => engine.db('campaigns').where({ id: campaignId }).first();

  test('claims nothing and opens no window if the window has changed since the step was decided', async () => {
    const campaignId = await newCampaign(4 * 60, 8 * 60);
    const page = { campaignId, now: START, limit: 10 };
    expect(await claim({ ...page, dialUntil: CLOSES })).toEqual({
      claimed: [],
      more: false,
      thenNewRun: false,
    });
    expect(await rowOf(campaignId)).toMatchObject({ dialing_until: null });
    expect(await engine.db('calls').where({ campaign_id: campaignId })).toEqual([]);
  });

  test("claims if the window hasn't changed since the step was decided", async () => {
    const campaignId = await newCampaign(4 * 60, 10 * 60 + 30);
    const { claimed, thenNewRun } = await claim({ campaignId, now: START, dialUntil: CLOSES, limit: 10 });
    expect(claimed).toHaveLength(2);
    expect(thenNewRun).toBe(true);
    expect((await rowOf(campaignId)).dialing_until.getTime()).toBe(CLOSES);
  });

  test("doesn't put the campaign to rest if its window is open now, and keeps its wake-up", async () => {
    const campaignId = await newCampaign(4 * 60, 10 * 60 + 30);
    await activities.restCampaign({
      campaignId,
      status: 'paused_out_of_range',
      reason: 'the window opens later',
      now: START,
    });
    expect(await rowOf(campaignId)).toMatchObject({ status: 'active', refill_requested_at: new Date(START) });
  });

  test('puts the campaign to rest if its window is still closed', async () => {
    const campaignId = await newCampaign(4 * 60, 10 * 60 + 30);
    await activities.restCampaign({
      campaignId,
      status: 'paused_out_of_range',
      reason: 'the window opens later',
      now: OPENS - HOUR_MS,
    });
    expect(await rowOf(campaignId)).toMatchObject({
      status: 'paused_out_of_range',
      refill_requested_at: null,
    });
  });
});
