import { randomUUID } from 'node:crypto';
import { EngineDatabase } from '../db/support/engine-database';
import { CONTACTS, newCall, newCampaign } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const pathsOf = (id: string) => [
  `/api/campaigns/${id}`,
  `/api/campaigns/${id}/contacts`,
  `/api/campaigns/${id}/file`,
];

describe('GET /api/campaigns/', () => {
  let owner: Awaited<ReturnType<TestApi['newOrganization']>>;
  const ids: string[] = [];

  beforeAll(async () => {
    owner = await api.newOrganization();
    for (const index of [0, 1, 2]) {
      api.clock.time = MONDAY + index * 1000;
      ids.push(await newCampaign(api, { as: owner, campaign_name: `Campaign ${index}` }));
    }
    api.clock.time = MONDAY;
    await api.db('campaigns').where({ id: ids[0] }).update({ status: 'paused', completed_contacts: 1 });
  });

  test('returns the newest campaign first, with exactly the fields of the interface', async () => {
    const { status, body } = await api.ask('/api/campaigns/', { as: owner });
    expect(status).toBe(200);
    expect(body.campaigns.map((item: any) => item.id)).toEqual([...ids].reverse());
    expect(body.pagination).toEqual({ page: 1, page_size: 20, total: 3, total_pages: 1 });
    expect(body.campaigns[2]).toEqual({
      id: ids[0],
      campaign_name: 'Campaign 0',
      campaign_status: 'paused',
      agent_id: expect.any(String),
      call_concurrency: 2,
      total_leads: 2,
      completed_calls: 1,
      created_at: new Date(MONDAY).toISOString(),
      updated_at: new Date(MONDAY).toISOString(),
    });
  });

  test('accepts the path with and without a trailing slash', async () => {
    expect((await api.ask('/api/campaigns', { as: owner })).body.pagination.total).toBe(3);
  });

  test('returns campaigns in pages', async () => {
    const { body } = await api.ask('/api/campaigns/?page=2&page_size=2', { as: owner });
    expect(body.campaigns.map((item: any) => item.id)).toEqual([ids[0]]);
    expect(body.pagination).toEqual({ page: 2, page_size: 2, total: 3, total_pages: 2 });
  });

  test.each([
    ['paused', 1],
    ['active', 2],
    ['paused_out_of_range', 0],
  ])('filters by status %s, and returns %d campaigns', async (status, total) => {
    const { body } = await api.ask(`/api/campaigns/?status=${status}`, { as: owner });
    expect([body.campaigns.length, body.pagination.total]).toEqual([total, total]);
  });

  test.each([
    'status=asleep',
    'page=0',
    'page=x',
    'page_size=101',
    'page_size=0',
    'page=1e1',
    'page=1&page=2',
  ])('rejects ?%s', async (query) => {
    const { status, body } = await api.ask(`/api/campaigns/?${query}`, { as: owner });
    expect(status).toBe(422);
    const name = query.split('=')[0];
    expect(body).toEqual({
      detail: [{ loc: ['query', name], msg: expect.any(String), type: expect.any(String) }],
    });
  });
});

describe('GET /api/campaigns/{campaign_id}', () => {
  test('returns a campaign as create does, plus its stats, per-call webhook and status reason', async () => {
    const id = await newCampaign(api);
    await api.db('campaigns').where({ id }).update({ status: 'scheduled', status_reason: 'starts later' });
    const { status, body } = await api.ask(`/api/campaigns/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        'id client_id agent_id campaign_name excel_blob_url campaign_status contact_source_type days_of_week',
        'time_range_from time_range_to max_retries retry_after_mins call_concurrency start_date end_date',
        'contact_list_id notification_emails webhook_url per_call_webhook_url window_timezone rule_profile perform_dnd_check created_at updated_at stats status_reason completion_mails',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
    expect(body.stats).toEqual({ total_calls: 2, completed: 0, pending: 2, in_progress: 0, failed: 0 });
    expect([body.campaign_status, body.status_reason]).toEqual(['scheduled', 'starts later']);
  });

  test.each([0, 1, 2])(
    "returns the same 404 for another organization's and an unknown campaign (%#)",
    async (index) => {
      const id = await newCampaign(api);
      const theirs = await api.ask(pathsOf(id)[index] ?? '', { as: api.stranger });
      const unknown = await api.ask(pathsOf(randomUUID())[index] ?? '');
      expect([theirs.status, theirs.body.detail.code]).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
      expect(theirs.text).toBe(unknown.text);
    },
  );

  test.each([0, 1, 2])('returns 422 for a malformed id (%#)', async (index) => {
    const { status, body } = await api.ask(pathsOf('17')[index] ?? '');
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['path', 'campaign_id']);
  });
});

describe('the contacts of a campaign', () => {
  let id: string;

  beforeAll(async () => {
    id = await newCampaign(api);
    const contact = await api.db('contacts').where({ campaign_id: id, row_number: 2 }).first();
    const agent = await api.db('campaigns').where({ id }).first('agent_id');
    const call = { campaign_id: id, contact_id: contact.id, agent_id: agent.agent_id };
    await newCall(api, {
      ...call,
      call_id: 'outbound-1-first',
      attempt: 1,
      stage: 'over',
      call_status: 'busy',
      end_reason: 'busy',
      requested_at: new Date(MONDAY),
      dialing_at: new Date(MONDAY + 1000),
      ringing_at: new Date(MONDAY + 2000),
      ended_at: new Date(MONDAY + 5000),
    });
    await newCall(api, { ...call, attempt: 2, stage: 'waiting' });
    await api
      .db('contacts')
      .where({ id: contact.id })
      .update({ attempts: 1, next_attempt_at: new Date(MONDAY + 60_000) });
    await api
      .db('contacts')
      .where({ campaign_id: id, row_number: 3 })
      .update({ state: 'failed', reason: 'rejected' });
  });

  test('returns contacts in the order of the file, with their attempts', async () => {
    const { status, body } = await api.ask(`/api/campaigns/${id}/contacts`);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        row: 2,
        name: 'Asha',
        phone_number: '+919876543210',
        variables: { city: 'Pune' },
        state: 'pending',
        reason: null,
        attempts: [
          {
            attempt: 1,
            is_callback: false,
            call_id: 'outbound-1-first',
            call_status: 'busy',
            end_reason: 'busy',
            started_at: '2026-11-02T05:00:00.000Z',
            dialed_at: '2026-11-02T05:00:01.000Z',
            ringing_at: '2026-11-02T05:00:02.000Z',
            answered_at: null,
            ended_at: '2026-11-02T05:00:05.000Z',
            duration_ms: 0,
          },
        ],
        next_attempt_at: '2026-11-02T05:01:00.000Z',
        do_not_call: false,
        why: 'Last time, the line was busy; its redial is due 2026-11-02 05:01 UTC',
        next: {
          action: 'redial',
          at: '2026-11-02T05:01:00.000Z',
          sentence: expect.stringMatching(/^It is dialled again from 2026-11-02 05:01 UTC on/),
        },
      },
      {
        row: 3,
        name: 'Ravi',
        phone_number: '+919876543211',
        variables: { city: 'Delhi' },
        state: 'failed',
        reason: 'rejected',
        attempts: [],
        next_attempt_at: null,
        do_not_call: false,
        why: 'The call was declined',
        next: { action: 'none', at: null, sentence: 'It is not dialled again' },
      },
    ]);
    expect(body.pagination).toEqual({
      page: 1,
      page_size: 50,
      total_count: 2,
      total_pages: 1,
      has_next: false,
      has_previous: false,
    });
  });

  test('returns no next attempt during an attempt', async () => {
    const redialled = await newCampaign(api);
    await api
      .db('contacts')
      .where({ campaign_id: redialled, row_number: 2 })
      .update({ state: 'in_progress', attempts: 1, next_attempt_at: new Date(MONDAY) });
    const { body } = await api.ask(`/api/campaigns/${redialled}/contacts?state=in_progress`);
    expect(body.data.map((contact: any) => contact.next_attempt_at)).toEqual([null]);
    const report = await api.ask(`/api/campaigns/${redialled}/report`);
    expect(report.text).not.toContain(new Date(MONDAY).toISOString());
  });

  test('filters contacts by state and returns pages', async () => {
    const failed = await api.ask(`/api/campaigns/${id}/contacts?state=failed`);
    expect(failed.body.data.map((contact: any) => contact.row)).toEqual([3]);
    const second = await api.ask(`/api/campaigns/${id}/contacts?page=2&page_size=1`);
    expect(second.body.data.map((contact: any) => contact.row)).toEqual([3]);
    expect(second.body.pagination).toMatchObject({ total_pages: 2, has_next: false, has_previous: true });
  });

  test.each(['state=gone', 'page_size=201', 'page=-1'])('rejects contacts?%s', async (query) => {
    expect((await api.ask(`/api/campaigns/${id}/contacts?${query}`)).status).toBe(422);
  });
});

describe('the contact file', () => {
  test('returns the contact file as it was sent, with the key', async () => {
    const id = await newCampaign(api);
    const { status, text, headers } = await api.ask(`/api/campaigns/${id}/file`);
    expect([status, text]).toEqual([200, CONTACTS]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('attachment');
  });

  test('serves the contact file without a key for a day, at the URL in the response', async () => {
    const id = await newCampaign(api);
    const { body } = await api.ask(`/api/campaigns/${id}`);
    const address = (body.excel_blob_url as string).replace('https://calls.example.test', '');
    expect((await api.ask(address, { as: null })).text).toBe(CONTACTS);
    api.clock.time = MONDAY + 24 * 3_600_000;
    const late = await api.ask(address, { as: null });
    api.clock.time = MONDAY;
    expect([late.status, late.body.detail.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });

  test('returns 401 when a signed URL is changed to another campaign or resource', async () => {
    const [id, other] = [await newCampaign(api), await newCampaign(api)];
    const { body } = await api.ask(`/api/campaigns/${id}`);
    const query = (body.excel_blob_url as string).split('?')[1];
    expect((await api.ask(`/api/campaigns/${other}/file?${query}`, { as: null })).status).toBe(401);
    expect((await api.ask(`/api/campaigns/${id}/contacts?${query}`, { as: null })).status).toBe(401);
  });

  test('schedules a contact file for removal until its campaign exists', async () => {
    const put = jest.spyOn(api.storage, 'putStream');
    let listed: unknown[] = [];
    put.mockImplementationOnce(async () => {
      listed = await api.db('files_to_remove');
      return 0;
    });
    const id = await newCampaign(api);
    put.mockRestore();
    expect(listed).toMatchObject([{ storage_key: `${id}.csv` }]);
    expect(await api.db('files_to_remove')).toEqual([]);
  });

  test('returns 404 if the storage has lost the contact file', async () => {
    const id = await newCampaign(api);
    await api.db('campaigns').where({ id }).update({ contact_file_key: 'gone.csv' });
    const { status, body } = await api.ask(`/api/campaigns/${id}/file`);
    expect([status, body.detail.code]).toEqual([404, 'FILE_NOT_FOUND']);
  });
});

test('lists no campaign of another organization', async () => {
  await newCampaign(api);
  const { body } = await api.ask('/api/campaigns/', { as: api.stranger });
  expect([body.campaigns, body.pagination.total]).toEqual([[], 0]);
});

describe('max_retries', () => {
  /** Dials all contacts until none is due, and no call is answered. Returns the number of attempts of each. */
  async function attemptsOf(owner: TestOrganization, id: string): Promise<number[]> {
    const engine = EngineDatabase.over(api.db, api.databaseUrl);
    engine.now = MONDAY;
    const { agent_id: agentId } = await engine.campaignRow(id);
    for (;;) {
      const { granted } = await engine.feed({ organizationId: owner.id, agentId }, id);
      if (granted.length === 0) break;
      for (const callId of granted) {
        await engine.dial(callId);
        await engine.end(callId, 'no_answer');
      }
    }
    const dialled = await api.db('calls').where({ campaign_id: id }).whereNotNull('requested_at');
    const contacts = await engine.contacts(id);
    expect(contacts.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(dialled).toHaveLength(contacts.reduce((sum, { attempts }) => sum + attempts, 0));
    return contacts.map(({ attempts }) => attempts);
  }

  test.each([1, 3])('dials each contact exactly %i times with that value of max_retries', async (dials) => {
    const owner = await api.newOrganization();
    const id = await newCampaign(api, { as: owner, max_retries: String(dials), retry_delay_mins: '0' });
    expect((await api.ask(`/api/campaigns/${id}`, { as: owner })).body.max_retries).toBe(dials);
    expect(await attemptsOf(owner, id)).toEqual([dials, dials]);
  });

  test.each([1, 3])('applies a max_retries of %i after an update', async (dials) => {
    const owner = await api.newOrganization();
    const id = await newCampaign(api, { as: owner, max_retries: '2', retry_delay_mins: '0' });
    const updated = { method: 'PUT', json: { max_retries: dials }, as: owner };
    expect((await api.ask(`/api/campaigns/${id}`, updated)).status).toBe(200);
    expect((await api.ask(`/api/campaigns/${id}/resume`, { method: 'POST', as: owner })).status).toBe(200);
    expect((await api.ask(`/api/campaigns/${id}`, { as: owner })).body.max_retries).toBe(dials);
    expect(await attemptsOf(owner, id)).toEqual([dials, dials]);
  });

  test('rejects a max_retries of 0', async () => {
    const id = await newCampaign(api);
    const { status, body } = await api.ask(`/api/campaigns/${id}`, {
      method: 'PUT',
      json: { max_retries: 0 },
    });
    expect([status, body.detail?.code ?? body.code]).toEqual([400, 'INVALID_RETRY_CONFIG']);
  });
});
