import { randomUUID } from 'node:crypto';
import { eraseTranscripts } from '../../db/organizations/erasing';
import { newAgent, newCall, newCampaign, say, CONTACTS, record } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';
import { erasePerson } from '../../db/organizations/people';

let api: TestApi;
let owner: TestOrganization;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  owner = await api.newOrganization();
  agentId = await newAgent(api, { as: owner });
});

const conclude = (callId: string) =>
  api
    .db('calls')
    .where({ call_id: callId })
    .update({ concluded_at: new Date(api.clock.time) });

async function spoken(text: string, row: Record<string, unknown> = {}): Promise<string> {
  const ended = { stage: 'over', call_status: 'completed', ended_at: new Date(api.clock.time) };
  const callId = await newCall(api, { organization_id: owner.id, agent_id: agentId, ...ended, ...row });
  await say(api, callId, [
    ['agent', 'Hello, this is the clinic.'],
    ['user', text],
  ]);
  await conclude(callId);
  return callId;
}

async function found(search: string, query = '', as = owner): Promise<string[]> {
  const { status, body, text } = await api.ask(
    `/api/call-history?search=${encodeURIComponent(search)}${query}`,
    { as },
  );
  if (status !== 200) throw new Error(text);
  expect(body.pagination.total_count).toBeGreaterThanOrEqual(body.data.length);
  return body.data.map(({ call_id: callId }: { call_id: string }) => callId);
}

test('finds a call by words said in it, in any order and case, newest first', async () => {
  const at = (minutes: number) => ({ accepted_at: new Date(MONDAY + minutes * 60_000) });
  const older = await spoken('I want a REFUND for the visit.', at(0));
  const newer = await spoken('No refund, thank you!', at(5));
  await spoken('Friday suits me.', at(9));
  expect(await found('refund')).toEqual([newer, older]);
  expect(await found('visit, Refund')).toEqual([older]);
  expect(await found('clinic thank')).toEqual([newer]);
  expect(await found('refund Friday')).toEqual([]);
  expect(await found('refund', '&page=2&page_size=1')).toEqual([older]);
});

test('finds words in any script and case, next to any punctuation', async () => {
  const hindi = await spoken('नमस्ते। मुझे पैसे वापस चाहिए');
  const french = await spoken('Évaluation de notre “offre”… that’s fine.');
  const chinese = await spoken('我家在上海东边。');
  await spoken('मुझे शुक्रवार ठीक है');
  expect(await found('वापस नमस्ते')).toEqual([hindi]);
  expect(await found("OFFRE évaluation that's")).toEqual([french]);
  expect(await found('évaluation'.normalize('NFD'))).toEqual([french]);
  expect(await found('上海')).toEqual([chinese]);
  expect(await found('海上')).toEqual([]);
});

test('filters by agent, campaign, status, time and id like the history', async () => {
  const campaignId = await newCampaign(api, { as: owner });
  const { agent_id: other } = await api.db('campaigns').where({ id: campaignId }).first('agent_id');
  const one = await spoken('A refund.', { call_status: 'User disconnected' });
  const two = await spoken('A refund.', {
    agent_id: other,
    campaign_id: campaignId,
    accepted_at: new Date(MONDAY + 86_400_000),
  });
  expect(await found('refund', `&agent_id=${agentId}`)).toEqual([one]);
  expect(await found('refund', `&campaign_id=${campaignId}`)).toEqual([two]);
  expect(await found('refund', '&status=User%20disconnected')).toEqual([one]);
  expect(await found('refund', '&status=ringing')).toEqual([]);
  expect(await found('refund', `&call_id=${two}`)).toEqual([two]);
  expect(await found('refund', `&from=${new Date(MONDAY + 3_600_000).toISOString()}`)).toEqual([two]);
  expect(await found('refund', `&to=${new Date(MONDAY + 3_600_000).toISOString()}`)).toEqual([one]);
});

/** Every word that could mark a call as belonging to this organization, agent or campaign. */
const marksOf = ({ id }: TestOrganization, agent: string, campaign: string): string[] =>
  Object.entries({ organization: id, agent, campaign }).flatMap(([kind, of]) => [
    of,
    of.replaceAll('-', ''),
    kind + of,
    kind + of.replaceAll('-', ''),
  ]);

test("finds no call of another organization, even when its transcript contains this organization's ids", async () => {
  const campaignId = await newCampaign(api, { as: owner });
  const campaign = await api.db('campaigns').where({ id: campaignId }).first('agent_id');
  const ours = await spoken('A zebra.', { agent_id: campaign.agent_id, campaign_id: campaignId });
  const marks = marksOf(owner, campaign.agent_id, campaignId);
  const theirAgent = await newAgent(api, { as: api.stranger });
  const said = `zebra ${marks.join(' ')} statuscompleted completed ${ours}`;
  const theirs = await spoken(said, { organization_id: api.stranger.id, agent_id: theirAgent });
  const narrowed = `&agent_id=${campaign.agent_id}&campaign_id=${campaignId}&status=completed`;
  expect(await found('zebra')).toEqual([ours]);
  expect(await found('zebra', narrowed)).toEqual([ours]);
  expect(await found('zebra', `&call_id=${theirs}`)).toEqual([]);
  expect(await found('zebra', `&agent_id=${theirAgent}`)).toEqual([]);
  for (const mark of marks) expect(await found(`zebra ${mark}`)).toEqual([]);
  expect(await found('zebra', '', api.stranger)).toEqual([theirs]);
  expect(await found('zebra', narrowed, api.stranger)).toEqual([]);
});

test('finds a call only by words that were said in it', async () => {
  await spoken('A refund.', { call_status: 'User disconnected' });
  for (const mark of [
    ...marksOf(owner, agentId, agentId),
    'statususerdisconnected',
    'completed',
    'disconnected',
  ])
    expect(await found(mark)).toEqual([]);
});

test("filters by the call's current agent and status, even for a call of a past month", async () => {
  const other = await newAgent(api, { as: owner });
  const inOctober = `outbound-${Date.parse('2026-10-12') / 1000}-${randomUUID()}`;
  const callId = await spoken('A refund.', { call_id: inOctober });
  const change = { agent_id: other, call_status: 'User disconnected' };
  await api.db('calls').where({ call_id: callId }).update(change);
  expect(await found('refund', `&agent_id=${agentId}`)).toEqual([]);
  expect(await found('refund', `&agent_id=${other}&status=User%20disconnected`)).toEqual([callId]);
  await api.db.raw('select make_call_month(?)', ['2026-10-01']);
  await api.db('all_calls').where({ call_id: callId }).update({ month: '2026-10-01' });
  await api.db('all_calls').where({ call_id: callId }).update({ call_status: 'completed' });
  expect(await found('refund', '&status=User%20disconnected')).toEqual([]);
  expect(await found('refund', '&status=completed')).toEqual([callId]);
});

test('returns all calls for an empty search, and none for a search without words', async () => {
  const callId = await spoken('A refund.');
  expect(await found('')).toEqual([callId]);
  expect(await found('?! –')).toEqual([]);
  expect((await api.ask(`/api/call-history?search=${'x'.repeat(256)}`, { as: owner })).status).toBe(422);
});

test('finds a transcript once its call is concluded, including segments that arrive later', async () => {
  const callId = await newCall(api, { organization_id: owner.id, agent_id: agentId });
  await say(api, callId, [['user', 'A refund.']]);
  expect(await found('refund')).toEqual([]);
  await conclude(callId);
  expect(await found('refund')).toEqual([callId]);
  await api
    .db('call_segments')
    .insert({ call_id: callId, speaker: 'user', text: 'And a receipt.', start_ms: 9000, end_ms: 9900 });
  expect(await found('receipt refund')).toEqual([callId]);
});

test("doesn't find an erased transcript", async () => {
  const callId = await spoken('A refund.');
  await api.db.transaction((trx) => eraseTranscripts(trx, [callId]));
  expect(await found('refund')).toEqual([]);
});

test('indexes the first words of a transcript that is too long for the index', async () => {
  const many = Array.from({ length: 200_000 }, (_none, index) => `word${index}`).join(' ');
  const callId = await spoken(`refund ${many}`);
  expect(await found('word999 refund')).toEqual([callId]);
});

test('counts at most ten thousand calls and returns the newest of them', async () => {
  await api.db.raw(
    `insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, accepted_at, stage, call_status, concluded_at)
     select 'outbound-1-many' || lpad(n::text, 5, '0'), :organizationId, :agentId, 1, 'Outbound', 'Outbound',
       :now::timestamptz + make_interval(secs => n), 'over', 'completed', now() from generate_series(1, 10010) n`,
    { organizationId: owner.id, agentId, now: new Date(MONDAY) },
  );
  await api.db.raw(
    `insert into call_segments (call_id, start_ms, speaker, end_ms, text, seq)
     select call_id, 0, 'agent', 900, 'Hello, this is the clinic.', 1 from calls where organization_id = :organizationId`,
    { organizationId: owner.id },
  );
  const page = async (query: string) =>
    (await api.ask(`/api/call-history?search=clinic&${query}`, { as: owner })).body;
  const ids = (n: number) => `outbound-1-many${String(n).padStart(5, '0')}`;
  const first = await page('page_size=2');
  expect(first.pagination).toMatchObject({ total_count: 10_000, total_pages: 5000 });
  expect(first.data.map((call: any) => call.call_id)).toEqual([ids(10_010), ids(10_009)]);
  const last = await page('page_size=200&page=50');
  expect(last.data.map((call: any) => call.call_id).slice(-2)).toEqual([ids(12), ids(11)]);
  const beyond = await api.ask('/api/call-history?search=clinic&page_size=200&page=51', { as: owner });
  expect([beyond.status, beyond.body.detail[0].loc]).toEqual([422, ['query', 'page']]);
});

/** After a person was erased, API clients see no personal data and unchanged totals. */
describe('calls of an erased person', () => {
  const NUMBER = '+919876543210';
  const PERSON = { number: NUMBER, spellings: ['919876543210'] };

  let agentId: string;

  beforeAll(async () => {
    agentId = await newAgent(api);
  });

  const erase = () =>
    api.db.transaction((trx) =>
      erasePerson(trx, api.organization.id, PERSON, { now: api.clock.now(), hashOf: () => 'ff' }),
    );
  const get = (path: string) => api.ask(path);

  async function talked(): Promise<string> {
    const callId = await newCall(api, {
      agent_id: agentId,
      stage: 'over',
      call_status: 'completed',
      end_reason: 'agent',
      ended_at: new Date(api.clock.time),
      concluded_at: new Date(api.clock.time),
      post_processing_status: 'completed',
      summary: 'Asha will pay',
      entity: { day: 'Friday' },
      metadata: { note: 'Asha' },
      duration_ms: 61_000,
      call_cost: 2,
      eval_tag: 'promise to pay',
    });
    await say(api, callId, [['user', 'I am Asha']]);
    await record(api, callId);
    return callId;
  }

  test('returns recording and transcript as if they had never existed', async () => {
    const callId = await talked();
    const before = [
      (await get(`/api/stream/${callId}`)).status,
      (await get(`/api/transcript/${callId}`)).status,
    ];
    expect(before).toEqual([200, 200]);
    await erase();
    const none = await newCall(api, { agent_id: agentId, stage: 'over', to_number: '+919876543219' });
    for (const path of ['stream', 'transcript']) {
      const [gone, never] = [await get(`/api/${path}/${callId}`), await get(`/api/${path}/${none}`)];
      expect([gone.status, gone.body]).toEqual([404, never.body]);
    }
  });

  test('keeps the call in the history with its cost and tag, without personal data', async () => {
    const callId = await talked();
    await erase();
    const { data } = (await get('/api/call-history?page_size=200')).body;
    const call = data.find(({ call_id }: { call_id: string }) => call_id === callId);
    expect(call).toMatchObject({
      call_status: 'completed',
      duration_ms: 61_000,
      call_cost: 2,
      call_eval_tag: 'promise to pay',
      to_number: null,
      call_summary: null,
      call_entity: {},
      chat_history: [],
      recording_api: null,
      call_transcription: null,
    });
    // The organization's own name may match.
    expect(JSON.stringify({ ...call, client_name: '' })).not.toMatch(/Asha|9876543210/);
  });

  test('returns empty details in the usual shape', async () => {
    const callId = await talked();
    await erase();
    expect((await get(`/api/call_details/${callId}`)).body).toEqual({
      transcription: '',
      entity: {},
      conversation_eval: {},
      summary: '',
      call_eval_tag: 'promise to pay',
      analysis_method: 'rules',
      usage: null,
    });
  });

  test("keeps the campaign's rows and totals, with an empty name and number for the person", async () => {
    const id = await newCampaign(api);
    expect(CONTACTS).toContain(NUMBER);
    await erase();
    const { data, pagination } = (await get(`/api/campaigns/${id}/contacts`)).body;
    expect(pagination.total_count).toBe(2);
    expect(data[0]).toMatchObject({
      row: 2,
      name: '',
      phone_number: '',
      variables: {},
      state: 'cancelled',
      reason: 'erased',
      why: "The person's data was erased before the call",
    });
    expect(data[1]).toMatchObject({ row: 3, phone_number: '+919876543211', state: 'pending' });
    expect((await get(`/api/campaigns/${id}`)).body.stats).toMatchObject({
      total_calls: 2,
      failed: 1,
      pending: 1,
    });
    expect((await get(`/api/campaigns/${id}/report`)).text).not.toMatch(/Asha|9876543210/);
  });
});
