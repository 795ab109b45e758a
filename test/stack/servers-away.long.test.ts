import { describeWith } from '../servers/availability';
import { eventually } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Answer, Organisation } from './support/organisation';
import { Platform, START_WITHIN_MS } from './support/platform';

/** The API promises three seconds. A busy machine adds to them. */
const ANSWERED_WITHIN_MS = 10_000;

describeWith('temporal', 'a server that is away', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ ownServers: true, talkMs: 1500 });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  const begun = async (organisation: Organisation) => {
    const campaign = await platform.campaign({ numbers: talkers(12), concurrency: 4 }, organisation);
    await campaign.untilPlaced(2);
    return campaign;
  };

  const expectUnavailable = (answers: Answer[]) => {
    for (const { status, body, tookMs } of answers) {
      expect({ status, code: body.code ?? body.detail?.code }).toEqual({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
      });
      expect(tookMs).toBeLessThan(ANSWERED_WITHIN_MS);
    }
  };

  const processOf = (server: { process: { kill(): Promise<void>; start(): Promise<void> } } | null) => {
    if (server === null) throw new Error('the stack has no such server of its own');
    return server.process;
  };

  test('Postgres: 503 to everything, and all goes on when it is back', async () => {
    const organisation = await platform.organisation();
    const campaign = await begun(organisation);
    const postgres = processOf(platform.stack.postgres);
    await postgres.kill();
    const asked = () =>
      Promise.all([
        organisation.get('/api/campaigns/'),
        organisation.get('/api/call-history'),
        organisation.dispatch(freshNumbers([0])[0] ?? ''),
        organisation.createCampaign({ numbers: talkers(1), concurrency: 1 }),
        campaign.command('pause'),
      ]);
    expectUnavailable(await asked());
    // What the first refusals left in the pool must not slow down the next ones.
    expectUnavailable(await asked());
    // A server whose last connections still end does not start; the next attempt does.
    await eventually(20_000, () => postgres.start());
    await eventually(30_000, async () =>
      expect(await organisation.get('/api/campaigns/')).toMatchObject({ status: 200 }),
    );
    await campaign.untilOver('completed', 60_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified({ processDied: true });
    const { body } = await organisation.get('/api/campaigns/');
    expect(body.campaigns).toHaveLength(1);
  }, 180_000);

  test('Temporal: 503 to what needs it and nothing half done; all goes on when it is back', async () => {
    const organisation = await platform.organisation();
    const campaign = await begun(organisation);
    const temporal = processOf(platform.stack.temporal);
    await temporal.kill();
    const number = freshNumbers([0])[0] ?? '';
    const asked = () =>
      Promise.all([
        organisation.dispatch(number),
        organisation.createCampaign({ numbers: talkers(1), concurrency: 1 }),
      ]);
    expectUnavailable(await asked());
    expectUnavailable(await asked());
    const { body } = await organisation.get('/api/campaigns/');
    expect(body.campaigns.map(({ id }: { id: string }) => id)).toEqual([campaign.id]);
    await temporal.start();
    await eventually(30_000, async () =>
      expect(await organisation.dispatch(number)).toMatchObject({ status: 200 }),
    );
    await eventually(30_000, () => expect(platform.carrier([number]).placed).toHaveLength(1));
    await campaign.untilOver('completed', 60_000);
    await campaign.expectNothingLost();
    campaign.expectAllNotified({ processDied: true });
  }, 180_000);
});
