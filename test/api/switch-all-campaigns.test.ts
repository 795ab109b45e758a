import { newCall, newCampaign } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;
let organization: TestOrganization;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = await api.newOrganization();
  api.temporal.unreachable = false;
  api.temporal.signals.length = 0;
  api.temporal.deliveries.length = 0;
  api.clock.time = MONDAY;
});

const all = (verb: 'pause-all' | 'resume-all', as = organization) =>
  api.ask(`/api/campaigns/${verb}`, { method: 'POST', as });
const one = (id: string, verb: string) =>
  api.ask(`/api/campaigns/${id}/${verb}`, { method: 'POST', as: organization });
const rowOf = (id: string) => api.db('campaigns').where({ id }).first();
const statusOf = async (id: string) => (await rowOf(id)).status as string;
const actionsOn = (id: string): Promise<string[]> =>
  api.db('audit_log').where({ subject_id: id }).orderBy('id').pluck('action');

async function campaign(status = 'active', as = organization): Promise<string> {
  const id = await newCampaign(api, { as });
  await api.db('campaigns').where({ id }).update({ status });
  return id;
}

describe('POST /api/campaigns/pause-all', () => {
  test.each(['active', 'scheduled', 'paused_out_of_range'])(
    'pauses a campaign that is %s, returns why, signals its workflow and records the pause',
    async (status) => {
      const id = await campaign(status);
      expect(await all('pause-all')).toMatchObject({ status: 200, body: { paused: 1 } });
      expect(await rowOf(id)).toMatchObject({ status: 'paused', status_reason: 'paused with all campaigns' });
      expect(api.temporal.signals).toEqual([{ campaignId: id, signal: 'pause' }]);
      expect(await actionsOn(id)).toEqual(['campaign.create', 'campaign.pause_all']);
    },
  );

  test.each(['paused', 'completed', 'cancelled'])("doesn't change a campaign that is %s", async (status) => {
    const id = await campaign(status);
    const before = await rowOf(id);
    expect((await all('pause-all')).body).toEqual({ paused: 0 });
    expect(await rowOf(id)).toEqual(before);
    expect(api.temporal.signals).toEqual([]);
  });

  test('changes no campaign of another organization, nor does resume-all', async () => {
    const stranger = await api.newOrganization();
    const [ours, theirs] = [await campaign(), await campaign('active', stranger)];
    await all('pause-all');
    expect([await statusOf(ours), await statusOf(theirs)]).toEqual(['paused', 'active']);
    expect((await all('resume-all', stranger)).body).toEqual({ resumed: 0, left_paused: 0 });
    expect(await statusOf(ours)).toBe('paused');
  });

  test('pauses every campaign before it waits for a dial, and responds after that', async () => {
    // Make the other campaign older, because the older one is switched first.
    api.clock.time = MONDAY - 1_000;
    const first = await campaign();
    api.clock.time = MONDAY;
    const second = await campaign();
    const { agent_id } = await rowOf(first);
    const callId = await newCall(api, {
      organization_id: organization.id,
      campaign_id: first,
      agent_id,
      stage: 'requested',
      requested_at: new Date(MONDAY - 1_000),
      pending_until: new Date(MONDAY + 1),
      not_after: new Date(MONDAY + 3_000),
    });
    let isAnswered = false;
    const answer = all('pause-all').then((result) => {
      isAnswered = true;
      return result;
    });
    while ((await statusOf(second)) === 'active') await api.db.raw('select 1');
    while (api.temporal.signals.length < 2) await api.db.raw('select 1');
    expect([await statusOf(first), isAnswered]).toEqual(['paused', false]);
    await api.db('calls').where({ call_id: callId }).update({ stage: 'placed' });
    expect((await answer).body).toEqual({ paused: 2 });
  });

  test('succeeds while Temporal is unreachable', async () => {
    const id = await campaign();
    api.temporal.unreachable = true;
    expect((await all('pause-all')).status).toBe(200);
    expect(await statusOf(id)).toBe('paused');
  });
});

describe('POST /api/campaigns/resume-all', () => {
  test('resumes campaigns that pause-all paused, but not those paused before', async () => {
    const [running, byHand] = [await campaign(), await campaign()];
    await one(byHand, 'pause');
    await all('pause-all');
    api.temporal.signals.length = 0;
    expect((await all('resume-all')).body).toEqual({ resumed: 1, left_paused: 0 });
    expect([await statusOf(running), await statusOf(byHand)]).toEqual(['active', 'paused']);
    expect(api.temporal.signals).toEqual([{ campaignId: running, signal: 'resume' }]);
    expect(await actionsOn(running)).toEqual([
      'campaign.create',
      'campaign.pause_all',
      'campaign.resume_all',
    ]);
    expect((await all('resume-all')).body).toEqual({ resumed: 0, left_paused: 0 });
  });

  test('resumes campaigns of two runs of pause-all', async () => {
    const first = await campaign();
    await all('pause-all');
    const second = await campaign();
    await all('pause-all');
    expect((await all('resume-all')).body).toEqual({ resumed: 2, left_paused: 0 });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['active', 'active']);
  });

  const change = (id: string) =>
    api.ask(`/api/campaigns/${id}`, { method: 'PUT', as: organization, json: { campaign_name: 'Other' } });
  const BY_ITSELF: Record<string, (id: string) => Promise<unknown>> = {
    'paused individually': (id) => one(id, 'pause'),
    changed: change,
    'resumed and paused again': async (id) => [await one(id, 'resume'), await one(id, 'pause')],
    'resumed, and paused by a change': async (id) => [await one(id, 'resume'), await change(id)],
  };

  test.each(Object.entries(BY_ITSELF))(
    "doesn't resume a campaign that was %s after pause-all",
    async (_what, act) => {
      const id = await campaign();
      await all('pause-all');
      await act(id);
      expect((await all('resume-all')).body).toEqual({ resumed: 0, left_paused: 0 });
      expect(await statusOf(id)).toBe('paused');
      expect((await rowOf(id)).status_reason).not.toBe('paused with all campaigns');
    },
  );

  test('records only the first of repeated individual pauses after pause-all', async () => {
    const id = await campaign();
    await all('pause-all');
    await one(id, 'pause');
    await one(id, 'pause');
    expect(await actionsOn(id)).toEqual(['campaign.create', 'campaign.pause_all', 'campaign.pause']);
  });

  test("doesn't resume a campaign that was cancelled after pause-all", async () => {
    const id = await campaign();
    await all('pause-all');
    await one(id, 'cancel');
    expect((await all('resume-all')).body).toEqual({ resumed: 0, left_paused: 0 });
    expect(await statusOf(id)).toBe('cancelled');
  });
});
