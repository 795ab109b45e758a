import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Organization } from './support/organization';
import { Platform, START_WITHIN_MS } from './support/platform';

/** Long enough for the dispatch to be accepted while both lines are in use, even if the machine stalls for two seconds first. */
const TALK_MS = 5_000;
/** Longer than a line takes to become free. */
const WAIT_LIMIT_MS = 15_000;
const CAMPAIGN_WITHIN_MS = 60_000;

describeWith('temporal', 'a dispatch at full capacity', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({
      talkMs: TALK_MS,
      environment: { DISPATCH_WAIT_LIMIT_S: String(WAIT_LIMIT_MS / 1_000) },
    });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  const statusOf = async (organization: Organization, callId: string): Promise<string | undefined> => {
    const { body } = await organization.get('/api/call-history');
    return body.data.find(({ call_id }: { call_id: string }) => call_id === callId)?.call_status;
  };

  test(
    'gives the next free line to a dispatch before the campaign places more calls',
    async () => {
      const organization = await platform.newOrganization(2);
      const campaign = await platform.campaign({ numbers: talkers(4), concurrency: 2 }, organization);
      await campaign.untilPlaced(2);
      const [number = ''] = freshNumbers([0]);
      const { status, body } = await organization.dispatch(number);
      expect(status).toBe(200);
      await eventuallyTrue(
        20_000,
        'the dispatch is placed',
        () => platform.carrier([number]).placed.length === 1,
      );
      const all = platform.carrier([...campaign.numbers, number]);
      expect(all.placed.findIndex(({ to }) => to === number)).toBe(2);
      await eventually(20_000, async () =>
        expect(await statusOf(organization, body.output.call_id)).toBe('completed'),
      );
      await campaign.untilOver('completed', CAMPAIGN_WITHIN_MS);
      expect(platform.carrier([...campaign.numbers, number]).peakLive).toBe(2);
      await campaign.expectNothingLost();
    },
    2 * CAMPAIGN_WITHIN_MS,
  );

  test(
    'expires a dispatch without dialling it if no line becomes free within the limit',
    async () => {
      const organization = await platform.newOrganization(1);
      const [endless = '', waiting = ''] = freshNumbers([73, 0]);
      await organization.dispatch(endless);
      await eventuallyTrue(
        10_000,
        'the line is taken',
        () => platform.carrier([endless]).placed.length === 1,
      );
      const { status, body } = await organization.dispatch(waiting);
      expect(status).toBe(200);
      expect(await statusOf(organization, body.output.call_id)).toBe('queued');
      await eventually(WAIT_LIMIT_MS + 20_000, async () =>
        expect(await statusOf(organization, body.output.call_id)).toBe('expired'),
      );
      expect(platform.carrier([waiting]).asked).toEqual([]);
    },
    2 * CAMPAIGN_WITHIN_MS,
  );
});
