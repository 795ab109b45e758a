import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import { Platform, START_WITHIN_MS } from './support/platform';

const CAMPAIGN_WITHIN_MS = 120_000;

/** The only test in `npm test` that runs a whole campaign with real processes and servers, and kills processes. The long run has more. */
describeWith('temporal', 'a campaign whose worker and API are killed while it dials', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: 1000 });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  test(
    'loses no contact, dials none twice, stays within its lines and delivers the webhook of each call',
    async () => {
      const { worker, api } = platform.stack;
      // Includes lost replies, reordered events and redials. A crash during a dial must not cause a second dial.
      const numbers = [...talkers(12), ...freshNumbers([93, 94, 75, 85, 93]), ...talkers(8)];
      const campaign = await platform.campaign({ numbers, concurrency: 5 });
      for (const placed of [4, 8, 14]) {
        await campaign.untilPlaced(placed, 30_000);
        await worker.kill();
        await worker.start();
      }
      await campaign.untilPlaced(17, 30_000);
      const unanswered = platform.carrier().unansweredEvents.length;
      await api.kill();
      await eventually(20_000, () =>
        expect(platform.carrier().unansweredEvents.length).toBeGreaterThan(unanswered),
      );
      await api.start();
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      await campaign.expectNothingLost();
      campaign.expectAllNotified({ processDied: true });
    },
    2 * CAMPAIGN_WITHIN_MS,
  );
});
