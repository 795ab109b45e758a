/** After a person was erased, API clients see no personal data and unchanged totals. */
import { erasePerson } from '../../db/organizations/people';
import { CONTACTS, newCampaign, newCall, newAgent, record, say } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const NUMBER = '+919876543210';
const PERSON = { number: NUMBER, spellings: ['919876543210'] };

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

const erase = () =>
  api.db.transaction((trx) => erasePerson(trx, api.organization.id, PERSON, api.clock.now()));
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
