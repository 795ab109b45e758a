import { describeWith } from '../servers/availability';
import { eventually, eventuallyTrue } from './support/eventually';
import { freshNumbers, talkers } from './support/numbers';
import type { Organisation } from './support/organisation';
import { Platform, START_WITHIN_MS } from './support/platform';

describeWith('temporal', 'a dispatch at full capacity', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open({ talkMs: 2500, environment: { DISPATCH_WAIT_LIMIT_S: '5' } });
  }, START_WITHIN_MS);
  afterAll(() => platform.close());

  const statusOf = async (client: Organisation, callId: string): Promise<string | undefined> => {
    const { body } = await client.get('/api/call-history');
    return body.data.find(({ call_id }: { call_id: string }) => call_id === callId)?.call_status;
  };

  test('gets the next free line, before the calls of the campaign that filled the lines', async () => {
    const client = await platform.organisation(2);
    const campaign = await platform.campaign({ numbers: talkers(6), concurrency: 2 }, client);
    await campaign.untilPlaced(2);
    const [number = ''] = freshNumbers([0]);
    const { status, body } = await client.dispatch(number);
    expect(status).toBe(200);
    await eventuallyTrue(
      10_000,
      'the dispatch is placed',
      () => platform.carrier([number]).placed.length === 1,
    );
    const all = platform.carrier([...campaign.numbers, number]);
    expect(all.placed.findIndex(({ to }) => to === number)).toBe(2);
    await eventually(10_000, async () =>
      expect(await statusOf(client, body.output.call_id)).toBe('completed'),
    );
    await campaign.untilOver('completed', 20_000);
    expect(platform.carrier([...campaign.numbers, number]).peakLive).toBe(2);
    await campaign.expectNothingLost();
  }, 40_000);

  test('expires when no line falls free within the limit, and is never dialled', async () => {
    const client = await platform.organisation(1);
    const [endless = '', waiting = ''] = freshNumbers([73, 0]);
    await client.dispatch(endless);
    await eventuallyTrue(10_000, 'the line is taken', () => platform.carrier([endless]).placed.length === 1);
    const { status, body } = await client.dispatch(waiting);
    expect(status).toBe(200);
    expect(await statusOf(client, body.output.call_id)).toBe('queued');
    await eventually(10_000, async () => expect(await statusOf(client, body.output.call_id)).toBe('expired'));
    expect(platform.carrier([waiting]).asked).toEqual([]);
  }, 40_000);
});
