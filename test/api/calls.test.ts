import { ANALYSED, newAgent, newCall, newCampaign, say } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

const at = (ms: number) => new Date(MONDAY + ms);
const iso = (ms: number) => at(ms).toISOString();
const answered = (row: object = {}) =>
  newCall(api, {
    agent_id: agentId,
    from_number: '+918012345678',
    metadata: { city: 'Pune', name: 'overridden' },
    dialing_at: at(1000),
    ringing_at: at(2000),
    answered_at: at(3000),
    ended_at: at(63_000),
    duration_ms: 60_000,
    call_cost: '1.5',
    ...ANALYSED,
    ...row,
  });
const history = (query = '', as = api.organization) => api.ask(`/api/call-history${query}`, { as });
const idsOf = (answer: { body: any }): string[] => answer.body.data.map((call: any) => call.call_id);

describe('an item of the call history', () => {
  test('returns exactly the fields of the interface', async () => {
    const callId = await answered();
    await say(api, callId, [
      ['agent', 'Namaste'],
      ['user', 'Hello'],
    ]);
    const item = (await history()).body.data.find((call: any) => call.call_id === callId);
    expect(item).toEqual({
      call_id: callId,
      call_type: 'Outbound',
      call_status: 'completed',
      direction: 'Outbound',
      agent_name: 'Collections',
      client_name: 'Asha Finance',
      agent_id: agentId,
      client_id: api.organization.id,
      from_number: '+918012345678',
      to_number: '+919876543210',
      Start_time: iso(0),
      End_time: iso(63_000),
      duration_ms: 60_000,
      call_cost: 1.5,
      call_summary: 'Will pay on Friday',
      call_entity: { day: 'Friday' },
      call_eval_tag: 'promise to pay',
      call_conversation_quality: { score: 8 },
      post_processing_status: 'completed',
      call_dialing_at: iso(1000),
      call_ringing_at: iso(2000),
      user_picked_up_at: iso(3000),
      recording_api: null,
      call_transcription: expect.stringContaining(
        `https://calls.example.test/api/transcript/${callId}?expires=`,
      ),
      call_metadata: {
        city: 'Pune',
        name: 'Asha',
        phone: '+919876543210',
        agent_name: 'Collections',
        agent_id: agentId,
        client_id: api.organization.id,
      },
      chat_history: [
        { role: 'agent', content: 'Namaste', start_ms: 0, end_ms: 900, interrupted: false },
        { role: 'user', content: 'Hello', start_ms: 1000, end_ms: 1900, interrupted: false },
      ],
      do_not_call: false,
      callback_requested: false,
      callback_id: null,
      callback_status: null,
      line_kept_until: null,
    });
  });

  test('returns null in the fields of steps that have not happened yet', async () => {
    const callId = await newCall(api, { agent_id: agentId });
    const item = (await history()).body.data.find((call: any) => call.call_id === callId);
    expect(item).toMatchObject({
      call_status: 'queued',
      from_number: null,
      End_time: null,
      duration_ms: 0,
      call_cost: 0,
      call_summary: null,
      call_entity: {},
      call_eval_tag: null,
      call_conversation_quality: {},
      post_processing_status: 'not_processed',
      call_dialing_at: null,
      call_ringing_at: null,
      user_picked_up_at: null,
      call_transcription: null,
      chat_history: [],
    });
  });

  test('returns no transcript URL during the call', async () => {
    const callId = await newCall(api, { agent_id: agentId, stage: 'placed' });
    await say(api, callId, [['agent', 'Namaste']]);
    const item = (await history()).body.data.find((call: any) => call.call_id === callId);
    expect(item.call_transcription).toBeNull();
  });
});

describe('GET /api/call-history', () => {
  test('returns the newest calls first, and the greater id first among equal times', async () => {
    const owner = await api.newOrganization();
    const row = { organization_id: owner.id, agent_id: agentId };
    const first = await newCall(api, { ...row, call_id: 'outbound-b', accepted_at: at(0) });
    const second = await newCall(api, { ...row, call_id: 'outbound-c', accepted_at: at(0) });
    const third = await newCall(api, { ...row, call_id: 'outbound-a', accepted_at: at(1) });
    const all = await history('', owner);
    expect(idsOf(all)).toEqual([third, second, first]);
    expect(all.body.pagination).toEqual({
      page: 1,
      page_size: 50,
      total_count: 3,
      total_pages: 1,
      has_next: false,
      has_previous: false,
    });
    const page = await history('?page=2&page_size=1', owner);
    expect([idsOf(page), page.body.pagination.has_next]).toEqual([[second], true]);
  });

  test('filters by agent, campaign, call, status and time', async () => {
    const owner = await api.newOrganization();
    const otherAgent = await newAgent(api, { as: owner, name: 'Other' });
    const campaign = await newCampaign(api, { as: owner });
    const row = { organization_id: owner.id, agent_id: agentId };
    await newCall(api, { ...row, call_id: 'f-1', accepted_at: at(0), call_status: 'busy' });
    await newCall(api, { ...row, call_id: 'f-2', accepted_at: at(1000), campaign_id: campaign });
    await newCall(api, { ...row, call_id: 'f-3', accepted_at: at(86_400_000), agent_id: otherAgent });
    const filtered = async (query: string) => idsOf(await history(query, owner));
    expect(await filtered('?status=busy')).toEqual(['f-1']);
    expect(await filtered(`?campaign_id=${campaign}`)).toEqual(['f-2']);
    expect(await filtered('?call_id=f-2')).toEqual(['f-2']);
    expect(await filtered('?call_id=f-2&status=busy')).toEqual([]);
    expect(idsOf(await history('?call_id=f-2'))).toEqual([]);
    expect(await filtered(`?agent_id=${otherAgent.toUpperCase()}`)).toEqual(['f-3']);
    expect(await filtered('?from=2026-11-03')).toEqual(['f-3']);
    expect(await filtered('?to=2026-11-03')).toEqual(['f-2', 'f-1']);
    expect(await filtered(`?from=${iso(0)}&to=${iso(1000)}`)).toEqual(['f-1']);
    expect(await filtered('?from=2026-11-02T10:30:01%2B05:30&to=2026-11-02T10:30:02+05:30')).toEqual(['f-2']);
  });

  test.each([
    ['page=x', 'page'],
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page_size=201', 'page_size'],
    ['page_size=', 'page_size'],
    ['agent_id=7', 'agent_id'],
    ['campaign_id=x', 'campaign_id'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    ['status=a&status=b', 'status'],
  ])('rejects ?%s', async (query, name) => {
    const { status, body } = await history(`?${query}`);
    expect(status).toBe(422);
    expect(body).toEqual({
      detail: [{ loc: ['query', name], msg: expect.any(String), type: expect.any(String) }],
    });
  });

  test('returns no calls of another organization', async () => {
    await answered();
    expect((await history('', api.stranger)).body.data).toEqual([]);
  });
});

describe('GET /api/call_details/{call_id}', () => {
  const details = (callId: string, as = api.organization) => api.ask(`/api/call_details/${callId}`, { as });

  test('returns the results of post-processing', async () => {
    const callId = await answered();
    await say(api, callId, [
      ['agent', 'Namaste'],
      ['user', 'Hello'],
    ]);
    const { status, body } = await details(callId);
    expect(status).toBe(200);
    expect(body).toEqual({
      transcription: 'AGENT: Namaste\nUSER: Hello',
      entity: { day: 'Friday' },
      conversation_eval: { goal_met: true },
      summary: 'Will pay on Friday',
      call_eval_tag: 'promise to pay',
      analysis_method: 'rules',
      usage: null,
    });
  });

  test.each(['not_processed', 'processing'])('returns a fixed text while the call is %s', async (status) => {
    const callId = await answered({ post_processing_status: status });
    const text = 'Transcript not available for further evaluation';
    expect((await details(callId)).body).toEqual({
      transcription: text,
      entity: text,
      conversation_eval: text,
      summary: text,
      call_eval_tag: null,
      analysis_method: null,
      usage: null,
    });
  });

  test.each(['/api/call_details', '/api/call_details/'])('returns 422 without an id: %s', async (path) => {
    const { status, body } = await api.ask(path);
    expect(status).toBe(422);
    expect(body).toEqual({
      detail: [{ loc: ['path', 'call_id'], msg: expect.any(String), type: 'any.required' }],
    });
  });

  test("returns the same 404 for another organization's, an unknown and a malformed id", async () => {
    const theirs = await details(await answered(), api.stranger);
    const unknown = await details('outbound-1-none');
    const impossible = await details('a%20b');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ detail: { code: 'CALL_NOT_FOUND', message: expect.any(String) } });
    expect([theirs.text, impossible.text]).toEqual([unknown.text, unknown.text]);
  });
});

describe('GET /api/transcript/{call_id}', () => {
  const spoken = async (): Promise<string> => {
    const callId = await answered();
    await say(api, callId, [
      ['agent', 'Namaste'],
      ['user', 'Hello'],
    ]);
    return callId;
  };

  test('returns JSON with the segments', async () => {
    const callId = await spoken();
    const { status, body } = await api.ask(`/api/transcript/${callId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      call_id: callId,
      transcript: 'AGENT: Namaste\nUSER: Hello',
      segments: [
        { speaker: 'agent', text: 'Namaste', start_ms: 0, end_ms: 900 },
        { speaker: 'user', text: 'Hello', start_ms: 1000, end_ms: 1900 },
      ],
    });
  });

  test.each([
    ['by header', '', { Accept: 'text/plain' }],
    ['by query', '?format=text', {}],
  ])('returns text when requested %s', async (_title, query, headers) => {
    const { text, headers: answer } = await api.ask(`/api/transcript/${await spoken()}${query}`, { headers });
    expect(text).toBe('AGENT: Namaste\nUSER: Hello');
    expect(answer.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test('prefers the format in the query to the header, and rejects unknown formats', async () => {
    const headers = { Accept: 'text/plain' };
    const callId = await spoken();
    expect((await api.ask(`/api/transcript/${callId}?format=json`, { headers })).body.call_id).toBe(callId);
    const refused = await api.ask(`/api/transcript/${callId}?format=html`);
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'format']]);
  });

  test('serves the transcript URL of the history without a key', async () => {
    const callId = await spoken();
    const item = (await history()).body.data.find((call: any) => call.call_id === callId);
    const address = (item.call_transcription as string).replace('https://calls.example.test', '');
    expect((await api.ask(address, { as: null })).body.call_id).toBe(callId);
    const forged = address.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const refused = await api.ask(forged, { as: null });
    expect([refused.status, refused.body.detail.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });

  test('returns 404 for a call in which nothing was said', async () => {
    const { status, body } = await api.ask(`/api/transcript/${await answered()}`);
    expect([status, body.detail.code]).toEqual([404, 'TRANSCRIPT_NOT_FOUND']);
  });

  test("returns 404 for another organization's call", async () => {
    const { status, body } = await api.ask(`/api/transcript/${await spoken()}`, { as: api.stranger });
    expect([status, body.detail.code]).toEqual([404, 'CALL_NOT_FOUND']);
  });
});
