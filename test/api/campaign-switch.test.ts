import { randomUUID } from 'node:crypto';
import { newCall, newCampaign } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.temporal.unreachable = false;
  api.temporal.signals.length = 0;
  api.temporal.deliveries.length = 0;
  api.clock.time = MONDAY;
});

const command = (id: string, verb: string, as = api.organization) =>
  api.ask(`/api/campaigns/${id}/${verb}`, { method: 'POST', as });
const setStatus = (id: string, status: string) => api.db('campaigns').where({ id }).update({ status });
const statusOf = async (id: string): Promise<string> =>
  (await api.db('campaigns').where({ id }).first('status')).status as string;

test.each([
  ['pause', 'active', 'paused'],
  ['pause', 'scheduled', 'paused'],
  ['pause', 'paused_out_of_range', 'paused'],
  ['pause', 'paused', 'paused'],
  ['resume', 'paused', 'active'],
  ['cancel', 'active', 'cancelled'],
  ['cancel', 'paused', 'cancelled'],
  ['cancel', 'scheduled', 'cancelled'],
  ['cancel', 'cancelled', 'cancelled'],
])(
  'applies %s to a campaign that is %s, changes its status to %s and signals its workflow',
  async (verb, before, after) => {
    const id = await newCampaign(api);
    await setStatus(id, before);
    api.clock.time = MONDAY + 1000;
    const { status, body } = await command(id, verb);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      campaign_name: 'November reminders',
      campaign_status: after,
      updated_at: new Date(before === after ? MONDAY : MONDAY + 1000).toISOString(),
    });
    expect(await statusOf(id)).toBe(after);
    expect(api.temporal.signals).toEqual([{ campaignId: id, signal: verb }]);
  },
);

test('returns "paused on request" as the reason until the campaign is resumed', async () => {
  const id = await newCampaign(api);
  const reason = async () => (await api.ask(`/api/campaigns/${id}`)).body.status_reason;
  await command(id, 'pause');
  expect(await reason()).toBe('paused on request');
  await command(id, 'resume');
  expect(await reason()).toBeNull();
});

test.each([
  ['pause', 'completed', 'CAMPAIGN_NOT_EDITABLE'],
  ['pause', 'cancelled', 'CAMPAIGN_NOT_EDITABLE'],
  ['cancel', 'completed', 'CAMPAIGN_NOT_EDITABLE'],
  ['resume', 'active', 'CAMPAIGN_NOT_PAUSED'],
  ['resume', 'scheduled', 'CAMPAIGN_NOT_PAUSED'],
  ['resume', 'paused_out_of_range', 'CAMPAIGN_NOT_PAUSED'],
  ['resume', 'completed', 'CAMPAIGN_NOT_PAUSED'],
  ['resume', 'cancelled', 'CAMPAIGN_NOT_PAUSED'],
])('rejects %s of a campaign that is %s with 409 %s and changes nothing', async (verb, before, code) => {
  const id = await newCampaign(api);
  await setStatus(id, before);
  const { status, body } = await command(id, verb);
  expect(status).toBe(409);
  expect(body).toEqual({ detail: { code, message: expect.any(String) } });
  expect(await statusOf(id)).toBe(before);
  expect(api.temporal.signals).toEqual([]);
});

describe.each(['pause', 'resume', 'cancel'])('the command %s', (verb) => {
  test("returns 404 for another organization's campaign", async () => {
    const id = await newCampaign(api);
    await setStatus(id, 'paused');
    const theirs = await command(id, verb, api.stranger);
    expect([theirs.status, theirs.text]).toEqual([404, (await command(randomUUID(), verb)).text]);
    expect(await statusOf(id)).toBe('paused');
  });

  test('returns 422 for a malformed id', async () => {
    expect((await command('none', verb)).status).toBe(422);
  });

  test('changes the row while Temporal is unreachable, and returns the new status', async () => {
    const id = await newCampaign(api);
    await setStatus(id, verb === 'resume' ? 'paused' : 'active');
    api.temporal.unreachable = true;
    const { status, body } = await command(id, verb);
    expect([status, body.campaign_status]).toEqual([200, await statusOf(id)]);
  });
});

describe('the status webhook', () => {
  test('writes the status webhook with the change, and starts its delivery', async () => {
    const id = await newCampaign(api, { campaign_webhook_url: 'https://example.com/hook' });
    await command(id, 'pause');
    const [delivery, ...more] = await api.db('webhook_deliveries').where({ campaign_id: id });
    expect(more).toEqual([]);
    expect(api.temporal.deliveries).toEqual([{ deliveryId: delivery.id }]);
    expect(JSON.parse(delivery.body as string)).toEqual({
      event: 'campaign.status_changed',
      event_id: delivery.event_id,
      campaign_id: id,
      campaign_name: 'November reminders',
      old_status: 'active',
      new_status: 'paused',
      timestamp: new Date(MONDAY).toISOString(),
      stats: { total_calls: 2, completed: 0, pending: 2, in_progress: 0, failed: 0 },
    });
  });

  test('writes no second webhook when nothing changed', async () => {
    const id = await newCampaign(api, { campaign_webhook_url: 'https://example.com/hook' });
    await command(id, 'pause');
    await command(id, 'pause');
    expect(await api.db('webhook_deliveries').where({ campaign_id: id })).toHaveLength(1);
  });
});

describe("a dial that the carrier hasn't answered", () => {
  const dialling = async (
    pendingUntil: number,
    notAfter = MONDAY + 3000,
  ): Promise<{ id: string; callId: string }> => {
    const id = await newCampaign(api);
    const { agent_id } = await api.db('campaigns').where({ id }).first('agent_id');
    const callId = await newCall(api, {
      campaign_id: id,
      agent_id,
      stage: 'requested',
      requested_at: new Date(MONDAY - 1_000),
      pending_until: new Date(pendingUntil),
      not_after: new Date(notAfter),
    });
    return { id, callId };
  };

  test.each([
    ['pause', 'as ours', 0],
    ['cancel', 'as ours', 0],
    ['pause', 'ten minutes behind', -600_000],
    ['cancel', 'ten minutes ahead', 600_000],
  ])(
    'delays the response to a %s until the carrier, whose clock is %s, has responded',
    async (verb, _clock, carrierAheadMs) => {
      const { id, callId } = await dialling(MONDAY + 1, MONDAY + 3000 + carrierAheadMs);
      let answered = false;
      const answer = command(id, verb).then((result) => {
        answered = true;
        return result;
      });
      while ((await statusOf(id)) === 'active') await api.db.raw('select 1');
      expect(answered).toBe(false);
      await api.db('calls').where({ call_id: callId }).update({ stage: 'placed' });
      expect((await answer).status).toBe(200);
    },
  );

  test('stops delaying the response once the dial has expired', async () => {
    const { id } = await dialling(MONDAY, MONDAY + 600_000);
    expect((await command(id, 'pause')).status).toBe(200);
  });

  test('delays the response to a hang-up until it is known whether a phone rings', async () => {
    const { id, callId } = await dialling(MONDAY + 75_000);
    let answered = false;
    const hangUp = () => api.ask(`/api/calls/${callId}/hangup`, { method: 'POST' });
    const answer = hangUp().then((result) => {
      answered = true;
      return result;
    });
    const row = () => api.db('calls').where({ call_id: callId }).first();
    while ((await row()).hang_up_requested_at === null) await api.db.raw('select 1');
    expect(answered).toBe(false);
    await api.db('calls').where({ call_id: callId }).update({ stage: 'placed', call_status: 'ringing' });
    expect((await answer).body).toMatchObject({ call_id: callId, call_status: 'ringing' });
    expect((await row()).campaign_id).toBe(id);
  });

  test('responds with cancelled to a hang-up that waited for a dial, if the dial placed no call', async () => {
    const { callId } = await dialling(MONDAY + 75_000);
    const answer = api.ask(`/api/calls/${callId}/hangup`, { method: 'POST' });
    const row = () => api.db('calls').where({ call_id: callId }).first();
    while ((await row()).hang_up_requested_at === null) await api.db.raw('select 1');
    // The call has no campaign, so that the test needs no contact.
    await api.db('calls').where({ call_id: callId }).update({ stage: 'granted', campaign_id: null });
    expect((await answer).body).toMatchObject({ call_id: callId, call_status: 'cancelled' });
  });

  test("doesn't delay a resume", async () => {
    const { id } = await dialling(MONDAY + 75_000);
    await setStatus(id, 'paused');
    expect((await command(id, 'resume')).status).toBe(200);
  });
});

describe("all of an organization's campaigns", () => {
  let organization: TestOrganization;

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
        expect(await rowOf(id)).toMatchObject({
          status: 'paused',
          status_reason: 'paused with all campaigns',
        });
        expect(api.temporal.signals).toEqual([{ campaignId: id, signal: 'pause' }]);
        expect(await actionsOn(id)).toEqual(['campaign.create', 'campaign.pause_all']);
      },
    );

    test.each(['paused', 'completed', 'cancelled'])(
      "doesn't change a campaign that is %s",
      async (status) => {
        const id = await campaign(status);
        const before = await rowOf(id);
        expect((await all('pause-all')).body).toEqual({ paused: 0 });
        expect(await rowOf(id)).toEqual(before);
        expect(api.temporal.signals).toEqual([]);
      },
    );

    test('changes no campaign of another organization, and neither does resume-all', async () => {
      const stranger = await api.newOrganization();
      const [ours, theirs] = [await campaign(), await campaign('active', stranger)];
      await all('pause-all');
      expect([await statusOf(ours), await statusOf(theirs)]).toEqual(['paused', 'active']);
      expect((await all('resume-all', stranger)).body).toEqual({ resumed: 0, left_paused: 0 });
      expect(await statusOf(ours)).toBe('paused');
    });

    test('pauses every campaign before it waits for a dial, and responds only once the dial is resolved', async () => {
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

    test('resumes the campaigns that two runs of pause-all have paused', async () => {
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

    test('records only the first of two individual pauses after pause-all', async () => {
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
});
