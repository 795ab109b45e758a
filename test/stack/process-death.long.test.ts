import { describeWith } from '../servers/availability';
import type { CampaignRun } from './support/campaign-run';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const CONCURRENCY = 5;

describeWith('temporal', 'a campaign whose processes die', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: 1000 });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  /** Includes lost replies, reordered events and redials. A crash during a dial must not cause a second dial. */
  const begun = async () => {
    const numbers = [...talkers(12), ...freshNumbers([93, 94, 75, 85, 93]), ...talkers(8)];
    const campaign = await platform.campaign({ numbers, concurrency: CONCURRENCY });
    await campaign.untilPlaced(3);
    return campaign;
  };

  const expectUnharmed = async (campaign: CampaignRun) => {
    await campaign.untilOver('completed', 120_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified({ processDied: true });
  };

  test('loses nothing after kill -9 of the API, because the carrier repeats its events', async () => {
    const { api } = platform.stack;
    const campaign = await begun();
    for (const placed of [4, 12]) {
      await campaign.untilPlaced(placed, 30_000);
      const unanswered = platform.carrier().unansweredEvents.length;
      await api.kill();
      await eventually(10_000, () =>
        expect(platform.carrier().unansweredEvents.length).toBeGreaterThan(unanswered),
      );
      await api.start();
    }
    await expectUnharmed(campaign);
  }, 180_000);

  test('loses nothing after kill -9 of API and worker at once', async () => {
    const { api, worker } = platform.stack;
    const campaign = await begun();
    await campaign.untilPlaced(8, 30_000);
    await Promise.all([api.kill(), worker.kill()]);
    await Promise.all([api.start(), worker.start()]);
    await expectUnharmed(campaign);
  }, 180_000);

  test("looks up a call instead of redialling if the carrier's reply is lost and no API receives its events", async () => {
    const { api, worker } = platform.stack;
    await worker.stop();
    const numbers = [...freshNumbers([93, 93, 93]), ...talkers(4)];
    const campaign = await platform.campaign({ numbers, concurrency: 3 });
    await api.kill();
    await worker.start();
    await campaign.untilPlaced(3);
    await eventually(10_000, () => expect(platform.carrier().lookedUp.size).toBeGreaterThanOrEqual(3));
    await api.start();
    await expectUnharmed(campaign);
  }, 180_000);

  test('loses nothing when SIGTERM drains worker and API, and both exit by themselves', async () => {
    const { api, worker } = platform.stack;
    const campaign = await begun();
    await campaign.untilPlaced(8, 30_000);
    const ends = [worker.end, api.end];
    await Promise.all([worker.stop(), api.stop()]);
    expect(await Promise.all(ends)).toEqual(['ended with status 0', 'ended with status 0']);
    await Promise.all([worker.start(), api.start()]);
    await expectUnharmed(campaign);
  }, 180_000);
});
