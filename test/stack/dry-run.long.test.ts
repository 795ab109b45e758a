/** Compares the prediction of a dry run with a real run of the same campaign. */
import { onlyRow } from '../../db/kernel/query';
import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import { freshNumbers, talkers } from './support/numbers';
import type { CampaignWish } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

const RING_MS = 1_000;
const TALK_MS = 1_500;
/** Unanswered calls take a tenth of the ring time for setup and ring for the simulator's maximum, twice the ring time. */
const UNANSWERED_MS = 2.1 * RING_MS;
const CAMPAIGN_WITHIN_MS = 90_000;

/**
 * Tolerances. The dry run ignores the platform's own time between calls, the simulator varies ringing and talk by number, and a busy
 * machine adds to each dial.
 */
const SHARE_OFF = 0.25;
const MAX_OFF_MS = 3_000;
const LATE_MS_A_DIAL = 500;

interface Compared {
  forecast: any;
  ended: any;
  run: CampaignRun;
}

describeWith('temporal', 'a dry run compared with the same campaign', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ ringMs: RING_MS, talkMs: TALK_MS });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  async function both(wish: CampaignWish, assumed: Readonly<Record<string, number>>): Promise<Compared> {
    const organization = await platform.newOrganization();
    const { status, body: forecast } = await organization.simulateCampaign(wish, assumed);
    expect(status).toBe(200);
    expect(platform.carrier(wish.numbers).entries).toEqual([]);
    const run = await platform.campaign(wish, organization);
    const ended = await run.untilOver('completed', CAMPAIGN_WITHIN_MS);
    return { forecast, ended, run };
  }

  const costOf = async ({ run }: Compared): Promise<number> => {
    const { cost } = await onlyRow<{ cost: number }>(
      platform.db,
      'select sum(call_cost)::float as cost from calls where campaign_id = :id',
      { id: run.id },
    );
    return cost;
  };

  /** Returns the time from the first accepted call to the end of the last one. */
  function makespanMs({ run }: Compared): number {
    const instants = run
      .carrier()
      .entries.flatMap((entry) =>
        entry.kind === 'placed' || entry.kind === 'state' ? [Date.parse(entry.at)] : [],
      );
    return Math.max(...instants) - Math.min(...instants);
  }

  function expectEndAbout(compared: Compared): void {
    const { finishes_at: end, assumptions, total_calls: dials, peak_lines: lines } = compared.forecast;
    const forecastMs = Date.parse(end) - Date.parse(assumptions.starts_at);
    const offMs = Math.abs(makespanMs(compared) - forecastMs);
    const lateMs = LATE_MS_A_DIAL * (dials / lines);
    expect(offMs).toBeLessThan(SHARE_OFF * forecastMs + MAX_OFF_MS + lateMs);
  }

  test(
    'predicts calls, lines, cost and approximate duration if all numbers answer',
    async () => {
      const compared = await both(
        { numbers: talkers(60), concurrency: 6 },
        {
          assumed_answer_rate: 1,
          assumed_ring_seconds: RING_MS / 1_000,
          assumed_talk_seconds: TALK_MS / 1_000,
        },
      );
      const { forecast, ended, run } = compared;
      const carrier = run.carrier();
      expect(forecast).toMatchObject({
        status: ended.campaign_status,
        total_calls: carrier.placed.length,
        answered_calls: ended.stats.completed,
        peak_lines: carrier.peakLive,
        cost: await costOf(compared),
        contacts: { total: 60, completed: ended.stats.completed, failed: ended.stats.failed },
      });
      expect([forecast.total_calls, forecast.peak_lines]).toEqual([60, 6]);
      expectEndAbout(compared);
    },
    CAMPAIGN_WITHIN_MS,
  );

  test(
    'predicts all redials and the approximate duration if no number answers',
    async () => {
      const numbers = freshNumbers(Array.from({ length: 30 }, (_none, index) => 80 + (index % 5)));
      const compared = await both(
        { numbers, concurrency: 6, maxRetries: 2 },
        { assumed_answer_rate: 0, assumed_ring_seconds: UNANSWERED_MS / 1_000 },
      );
      const { forecast, ended, run } = compared;
      expect(forecast).toMatchObject({
        status: ended.campaign_status,
        total_calls: run.carrier().placed.length,
        answered_calls: 0,
        peak_lines: run.carrier().peakLive,
        cost: await costOf(compared),
        contacts: { total: 30, completed: 0, failed: ended.stats.failed },
      });
      expect([forecast.total_calls, forecast.contacts.failed]).toEqual([60, 30]);
      expectEndAbout(compared);
    },
    CAMPAIGN_WITHIN_MS,
  );
});
