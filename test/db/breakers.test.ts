/** Tests spend limits and circuit breakers, from the stopped dial to the resume. */
import { tripBreaker } from '../../activities/campaigns/breakers';
import { switchCampaign, RESUME } from '../../api/campaigns/change';
import type { BreakerLimits } from '../../db/calls/engine';
import { describeWith } from '../servers/availability';
import { EngineDatabase, type CampaignOptions, type Owner } from './support/engine-database';

const HOOK = 'https://example.com/hook';
const FAILURES: BreakerLimits = {
  campaignSpendPerDay: null,
  organizationSpendPerDay: null,
  failureRate: 0.5,
  failureDials: 2,
};
const actor = { kind: 'operator', id: 'test', requestId: null } as const;

describeWith('postgres', 'a spend limit or circuit breaker', () => {
  let engine: EngineDatabase;
  let owner: Owner;
  let signalled: string[];
  let deliveries: string[];
  beforeAll(async () => {
    engine = await EngineDatabase.open();
  });
  afterAll(() => engine.close());
  beforeEach(async () => {
    owner = await engine.owner();
    [signalled, deliveries] = [[], []];
  });

  const deps = (): any => ({
    db: engine.db,
    signals: { getHandle: (id: string) => ({ signal: () => Promise.resolve(void signalled.push(id)) }) },
    workflows: { startOnce: (_type: string, id: string) => Promise.resolve(void deliveries.push(id)) },
    temporal: {
      signalCampaign: () => Promise.resolve(),
      startDelivery: () => Promise.resolve(),
    },
    clock: { now: () => engine.now },
    log: { info: () => undefined, warn: () => undefined },
  });

  const campaign = (options: CampaignOptions = {}) =>
    engine.campaign(owner, { contacts: 6, concurrency: 3, webhookUrl: HOOK, ...options });
  const resume = (campaignId: string) =>
    switchCampaign(deps(), { campaignId, organizationId: owner.organizationId }, RESUME, actor);

  async function fail(callId: string): Promise<void> {
    await engine.dial(callId);
    await engine.end(callId, 'carrier_failure');
  }

  /** Starts a dial that a limit stops, and then takes the next steps of the call's worker. */
  async function trippedDial(callId: string, breakers: BreakerLimits): Promise<string> {
    const start = await engine.begin(callId, { breakers });
    if (start.kind !== 'tripped') throw new Error(`it was not held: ${start.kind}`);
    await tripBreaker(deps(), start, engine.now);
    await engine.returnLine(callId);
    return start.breaker.kind;
  }
  const statusOf = async (campaignId: string) => (await engine.campaignRow(campaignId)).status as string;

  test('pauses the campaign, returns the line, wakes the campaign and starts its webhook', async () => {
    const campaignId = await campaign();
    const other = await campaign();
    const [first = '', second = '', third = ''] = (await engine.feed(owner, campaignId)).granted;
    await fail(first);
    await fail(second);
    expect(await trippedDial(third, FAILURES)).toBe('campaign_failures');
    expect([await statusOf(campaignId), await statusOf(other)]).toEqual(['paused', 'active']);
    expect(await engine.stages([third])).toEqual(['waiting']);
    const [event]: any[] = await engine.db('webhook_deliveries').where({ campaign_id: campaignId });
    expect(deliveries).toEqual([`delivery-${event.id as string}`]);
    expect(signalled).toContain(`campaign-${campaignId}`);
  });

  test('pauses the campaign and sends its webhook once if two calls reach the limit concurrently', async () => {
    const campaignId = await campaign({ concurrency: 4 });
    const [first = '', second = '', third = '', fourth = ''] = (await engine.feed(owner, campaignId)).granted;
    await fail(first);
    await fail(second);
    const starts = await Promise.all(
      [third, fourth].map((callId) => engine.begin(callId, { breakers: FAILURES })),
    );
    await Promise.all(
      starts.map((start) => {
        if (start.kind !== 'tripped') throw new Error(`it was not held: ${start.kind}`);
        return tripBreaker(deps(), start, engine.now);
      }),
    );
    expect(await engine.db('webhook_deliveries').where({ campaign_id: campaignId })).toHaveLength(1);
  });

  test('starts counting failures from zero after a resume', async () => {
    const campaignId = await campaign();
    const [first = '', second = '', third = ''] = (await engine.feed(owner, campaignId)).granted;
    await fail(first);
    await fail(second);
    await trippedDial(third, FAILURES);
    await resume(campaignId);
    await engine.feed(owner, campaignId);
    const again = await engine.linesOf(owner);
    expect(again).toHaveLength(3);
    expect(await engine.begin(again[0] ?? '', { breakers: FAILURES })).toMatchObject({ kind: 'ask' });
    await engine.place(again[0] ?? '');
    await engine.end(again[0] ?? '', 'carrier_failure');
    // The minimum of two dials isn't reached with one recent failure.
    expect(await engine.begin(again[1] ?? '', { breakers: FAILURES })).toMatchObject({ kind: 'ask' });
  });

  test('pauses all dialling campaigns after failures across the organization, and then counts from zero', async () => {
    const campaigns = [await campaign({ contacts: 1 }), await campaign({ contacts: 1 }), await campaign()];
    const [first = '', second = '', third = ''] = (
      await Promise.all(campaigns.map((id) => engine.feed(owner, id)))
    ).flatMap(({ granted }) => granted);
    await fail(first);
    await fail(second);
    expect(await trippedDial(third, FAILURES)).toBe('organization_failures');
    expect(await Promise.all(campaigns.map(statusOf))).toEqual(['paused', 'paused', 'paused']);
    await resume(campaigns[2] ?? '');
    const again = await engine.register(owner, []);
    expect(await engine.begin(again.granted[0] ?? '', { breakers: FAILURES })).toMatchObject({ kind: 'ask' });
  });

  test('applies a spend limit again after a resume on the same day, but not on the next day', async () => {
    const campaignId = await campaign();
    const breakers = { ...FAILURES, failureRate: null, campaignSpendPerDay: 2 };
    const [first = '', second = ''] = (await engine.feed(owner, campaignId)).granted;
    await engine.dial(first);
    const answeredAt = new Date(engine.now).toISOString();
    engine.now += 30_000;
    await engine.end(first, 'agent', { answeredAt });
    expect(await trippedDial(second, breakers)).toBe('campaign_spend');
    await resume(campaignId);
    const { granted } = await engine.register(owner, []);
    expect(await trippedDial(granted[0] ?? '', breakers)).toBe('campaign_spend');
    engine.now = Date.parse('2026-11-09T05:00:00.000Z');
    await engine.set(campaignId, { to_date: '2026-11-13' });
    await resume(campaignId);
    const [next = ''] = (await engine.feed(owner, campaignId)).granted;
    expect(await engine.begin(next, { breakers })).toMatchObject({ kind: 'ask' });
  });

  test('lets dispatches continue when campaigns are over the failure limit', async () => {
    const campaignId = await campaign();
    const [first = '', second = ''] = (await engine.feed(owner, campaignId)).granted;
    await fail(first);
    await fail(second);
    expect(await engine.begin(await engine.dispatch(owner), { breakers: FAILURES })).toMatchObject({
      kind: 'ask',
    });
  });
});
