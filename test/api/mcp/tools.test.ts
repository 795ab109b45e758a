/**
 * The MCP server over HTTP against the real app. The SDK's client checks each result against the tool's
 * schema.
 */
import { issueApiKey, type Scope } from '../../../db/organizations/api-keys';
import { newEstate, type Estate } from '../support/estate';
import { countOf } from '../support/rows';
import { tableHashes } from '../support/table-hashes';
import { openTestApi, type TestApi } from '../support/test-api';
import { openMcp, type McpConnection, type McpRig } from './connected';

const TERMS = {
  name: 'December reminders',
  concurrency: 2,
  from_date: '2026-11-02',
  to_date: '2099-12-31',
  start_time: '04:00',
  end_time: '10:30',
  days_of_week: ['monday', 'tuesday'],
};
const ROWS = [
  { name: 'Asha "A" Rao', phone_number: '+919812345670', city: 'Pune' },
  { name: 'Dev', phone_number: '09812345671', amount: 12 },
];

let api: TestApi;
let estate: Estate;
let mcp: McpRig;
let client: McpConnection;

beforeAll(async () => {
  api = await openTestApi();
  estate = await newEstate(api, await api.newOrganization(), { name: 'Zubeida', firstNumber: '9876543200' });
  mcp = await openMcp(api.url, { modelConfirms: true });
  client = await mcp.connect(estate.owner.key);
  await client.tools();
});
afterAll(async () => {
  await mcp.close();
  await api.close();
});

const withScopes = async (...scopes: Scope[]): Promise<McpConnection> =>
  mcp.connect((await issueApiKey(api.db, estate.owner.id, { scopes })).key);

/** Makes a change in two steps, using the confirmation token of the first. */
async function confirmed(name: string, args: object, by = client) {
  const { answer: proposed, error } = await by.call(name, args);
  if (error !== null) throw new Error(error);
  const { confirmation_token } = proposed;
  return { proposed, done: await by.call(name, { ...args, confirmation_token }), confirmation_token };
}

describe('the list of tools', () => {
  const READING = [
    ...['list_campaigns', 'explain_campaign', 'find_contacts', 'find_calls', 'read_call'],
    ...['list_agents', 'show_agent', 'may_call'],
  ];
  const OPERATING = [
    ...['create_campaign', 'pause_campaign', 'resume_campaign', 'cancel_campaign', 'dispatch_call'],
    ...['pause_all_campaigns', 'resume_all_campaigns'],
  ];

  test.each<[Scope[], string[]]>([
    [['read'], READING],
    [
      ['read', 'operate'],
      [...READING, ...OPERATING],
    ],
    [
      ['read', 'configure'],
      [...READING, 'change_agent'],
    ],
  ])('lists for a key with %j only the tools that these scopes allow', async (scopes, expected) => {
    const connection = await withScopes(...scopes);
    expect((await connection.tools()).map(({ name }) => name).sort()).toEqual([...expected].sort());
    const { error } = await connection.call(
      scopes.includes('operate') ? 'change_agent' : 'cancel_campaign',
      {},
    );
    expect(error).toMatch(/not found|unknown tool/i);
  });

  test('declares for each tool whether it changes anything and what it returns', async () => {
    const tools = await client.tools();
    expect(tools).toHaveLength(READING.length + OPERATING.length + 1);
    for (const { name, annotations, outputSchema, description } of tools) {
      const reads = READING.includes(name);
      expect([name, annotations?.readOnlyHint, annotations?.destructiveHint]).toEqual([
        name,
        reads,
        reads ? undefined : !/^pause_/.test(name),
      ]);
      expect([name, outputSchema?.type, (description ?? '').length > 20]).toEqual([name, 'object', true]);
    }
  });
});

describe('a reading tool', () => {
  test('checks whether numbers may be called', async () => {
    const question = { to_number: '+14155550132', at: '2026-11-30T17:00:00Z' };
    const { answer } = await client.call('may_call', { profile: 'us-tcpa', questions: [question] });
    expect(answer.answers).toEqual([
      {
        allowed: false,
        refused_by: ['consent'],
        timezones: ['America/Los_Angeles'],
        zone_source: 'number',
        next_allowed_at: '2026-11-30T17:00:00.000Z',
      },
    ]);
  });

  test('lists campaigns by status', async () => {
    const { answer } = await client.call('list_campaigns', { status: 'active' });
    expect(answer.campaigns.map((one: any) => one.campaign_id)).toEqual([estate.campaigns.active]);
    expect(answer).toMatchObject({ page: 1, pages: 1, total: 1 });
  });

  test('explains a campaign with its totals, the reason of its status and its lines', async () => {
    const { answer } = await client.call('explain_campaign', { campaign_id: estate.campaigns.cancelled });
    expect(answer).toMatchObject({
      campaign: { status: 'cancelled', contacts: { total: 3, reached: 0, pending: 3, not_reached: 0 } },
      lines: { max: 10 },
    });
  });

  test('explains why a person was not called, given the last digits of their number', async () => {
    const asked = { campaign_id: estate.campaigns.cancelled, phone_number: '98765 43202' };
    const { answer } = await client.call('find_contacts', asked);
    expect(answer).toMatchObject({ searched: 3, searched_all: true });
    expect(answer.contacts).toEqual([
      expect.objectContaining({
        phone_number: '+919876543202',
        why: 'The campaign is cancelled',
        next: expect.objectContaining({ action: 'none', sentence: 'It ends without being called' }),
      }),
    ]);
  });

  test('finds calls by number, status and date', async () => {
    const all = await client.call('find_calls', { phone_number: '+919876543200' });
    expect(all.answer.calls.map((one: any) => one.call_id).sort()).toEqual(
      [estate.calls.ofCampaign, estate.calls.live, estate.calls.dispatched, estate.calls.browser].sort(),
    );
    expect((await client.call('find_calls', { phone_number: '+919876543299' })).answer.calls).toEqual([]);
    const { answer } = await client.call('find_calls', {
      ...{ phone_number: '43200', status: 'completed', from: '2026-11-02', to: '2026-11-03' },
    });
    expect(answer.calls).toEqual([
      expect.objectContaining({
        call_id: estate.calls.ofCampaign,
        summary: 'Zubeida pays on Friday',
        findings: { who: 'Zubeida' },
        name: 'Zubeida',
      }),
    ]);
  });

  test('returns the transcript and the analysis of a call', async () => {
    const { answer } = await client.call('read_call', { call_id: estate.calls.ofCampaign });
    expect(answer).toMatchObject({
      transcript: 'AGENT: Is this Zubeida?\nUSER: Zubeida speaking',
      findings: { who: 'Zubeida' },
      evaluation: { goal_met: true },
      evaluation_tag: 'promise',
    });
    expect((await client.call('read_call', { call_id: estate.calls.live })).error).toBeNull();
  });

  test('lists agents and shows one, found by its slug, with its configuration', async () => {
    const { answer } = await client.call('list_agents', { search: 'Zubeida' });
    expect(answer.agents.map((one: any) => one.agent_id).sort()).toEqual(
      [estate.agents.running, estate.agents.other].sort(),
    );
    const shown = await client.call('show_agent', { agent_id: estate.slugs.running });
    expect(shown.answer).toMatchObject({
      agent: { agent_id: estate.agents.running },
      config: { persona: { identity: { system_prompt: 'You speak for Zubeida.' } }, training: {} },
    });
  });

  test.each([
    ['an unknown call', 'read_call', { call_id: 'outbound-0-nobody' }, /^CALL_NOT_FOUND: .*\(request /],
    ['an unknown agent', 'show_agent', { agent_id: 'nobody' }, /No agent has the id or slug nobody/],
    ['a malformed id', 'explain_campaign', { campaign_id: '7' }, /campaign_id/],
    ['a missing argument', 'find_contacts', {}, /campaign_id/],
    ['an unknown argument', 'list_agents', { seach: 'x' }, /seach/],
    ['a malformed number', 'find_calls', { phone_number: 'Asha' }, /at least its last four digits/],
    ['an unknown status', 'find_calls', { status: 'gone' }, /voicemail[^]* at status/],
  ])('rejects %s with a message that names the cause', async (_what, tool, args, message) => {
    expect((await client.call(tool, args)).error).toMatch(message);
  });
});

describe('a changing tool', () => {
  test('creates a campaign from rows: first a dry run that stores nothing, then exactly one campaign', async () => {
    const rules = { window_timezone: 'Asia/Kolkata', rule_profile: estate.profiles.own };
    const times = { start_time: '09:00', end_time: '18:00' };
    const args = { ...TERMS, ...rules, ...times, agent_id: estate.slugs.running, rows: ROWS };
    const before = await tableHashes(api.db);
    const { answer: proposed } = await client.call('create_campaign', args);
    expect(await tableHashes(api.db)).toEqual(before);
    expect(proposed).toMatchObject({
      status: 'to_be_confirmed',
      would: { dry_run: { status: 'completed', contacts: { total: 2 }, assumed_answer_rate: 0.6 } },
    });
    const campaigns = await countOf(api, 'campaigns');
    const confirmation = { ...args, confirmation_token: proposed.confirmation_token };
    const { answer } = await client.call('create_campaign', confirmation);
    expect(answer).toMatchObject({ status: 'done', result: { status: 'active' } });
    expect((await client.call('create_campaign', confirmation)).error).toMatch(/already used/);
    expect(await countOf(api, 'campaigns')).toBe(campaigns + 1);
    const { campaign_id } = answer.result;
    const { answer: explained } = await client.call('explain_campaign', { campaign_id });
    expect(explained.campaign).toMatchObject(rules);
    const { answer: stored } = await client.call('find_contacts', { campaign_id });
    expect(stored.contacts.map(({ name, phone_number }: any) => [name, phone_number])).toEqual([
      ['Asha "A" Rao', '+919812345670'],
      ['Dev', '+919812345671'],
    ]);
  });

  test('accepts the text of a contact file, and reports the faults in its rows', async () => {
    const args = { ...TERMS, agent_id: estate.agents.running, file_text: 'name,phone_number\nAsha,12\n' };
    expect((await client.call('create_campaign', args)).error).toMatch(/^INVALID_CONTACT_FILE: [^]*row/);
    const neither = { ...TERMS, agent_id: estate.agents.running };
    expect((await client.call('create_campaign', neither)).error).toMatch(/either as rows or as file_text/);
  });

  test('accepts a confirmation only with the same arguments and the same key', async () => {
    const args = { agent_id: estate.slugs.running, contact_number: '+919812345672', name: 'Asha' };
    const { answer: proposed } = await client.call('dispatch_call', args);
    const { confirmation_token } = proposed;
    const calls = await countOf(api, 'calls');
    const other = { ...args, contact_number: '+919812345673', confirmation_token };
    expect((await client.call('dispatch_call', other)).error).toMatch(/other arguments/);
    const stranger = await withScopes('read', 'operate');
    expect((await stranger.call('dispatch_call', { ...args, confirmation_token })).error).toMatch(/unknown/);
    expect(await countOf(api, 'calls')).toBe(calls);
    const { answer } = await client.call('dispatch_call', { ...args, confirmation_token });
    expect(answer.result.call_id).toMatch(/^outbound-/);
    expect(await countOf(api, 'calls')).toBe(calls + 1);
  });

  test('pauses all campaigns, and resumes only those', async () => {
    const statuses = () =>
      api.db('campaigns').where({ organization_id: estate.owner.id }).orderBy('id').pluck('status');
    const before: string[] = await statuses();
    const dialling = before.filter((status) => status === 'active').length;
    const { proposed, done } = await confirmed('pause_all_campaigns', {});
    expect(proposed.would).toEqual({ campaigns: dialling });
    expect(done.answer.result).toEqual({ paused: dialling });
    expect(dialling).toBeGreaterThan(0);
    expect(await statuses()).not.toContain('active');
    const resumed = await confirmed('resume_all_campaigns', {});
    expect(resumed.done.answer.result).toEqual({ resumed: dialling, left_paused: 0 });
    expect(await statuses()).toEqual(before);
  });

  test('pauses, resumes and cancels a campaign', async () => {
    const args = { campaign_id: estate.campaigns.active };
    const statuses: string[] = [];
    for (const action of ['pause', 'resume', 'cancel']) {
      const { proposed, done } = await confirmed(`${action}_campaign`, args);
      expect(proposed.would.meaning).toMatch(/3 pending contacts|2 pending contacts/);
      statuses.push(done.answer.result.status);
    }
    expect(statuses).toEqual(['paused', 'active', 'cancelled']);
    expect((await client.call('resume_campaign', args)).error).toBe(
      'The campaign has already ended: its status is cancelled.',
    );
  });

  test.each([
    ['persona', { identity: { system_prompt: 'You speak for nobody.' } }],
    ['deployment', { phone: { call_type: { Outbound: ['+918012345678'] } } }],
  ])(
    "shows a change of an agent's section %s field by field, and then merges it",
    async (section, changes) => {
      const args = { agent_id: estate.slugs.running, section, changes };
      const { proposed, done } = await confirmed('change_agent', args);
      expect(proposed.would.changed).toEqual([expect.objectContaining({ path: expect.any(String) })]);
      expect(done.error).toBeNull();
      const { answer } = await client.call('show_agent', { agent_id: estate.agents.running });
      expect(answer.config[section]).toMatchObject(changes);
      expect(answer.config.persona.identity.greeting_message).toBeDefined();
    },
  );

  test("reports the API's rejection of a change and names the field", async () => {
    const args = {
      agent_id: estate.agents.other,
      section: 'persona',
      changes: { identity: { system_prompt: 7 } },
    };
    expect((await confirmed('change_agent', args)).done.error).toMatch(/system_prompt/);
  });
});

test("logs a tool's name, outcome and duration, and no number, name or key", async () => {
  await client.call('find_calls', { phone_number: '+919876543200' });
  await client.call('read_call', { call_id: 'outbound-0-nobody' });
  const lines = mcp.lines.map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ tool: 'find_calls', outcome: 'read', duration_ms: expect.any(Number) }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ tool: 'read_call', outcome: 'failed', code: 'CALL_NOT_FOUND' }),
  );
  for (const secret of ['98765', '98123', 'Zubeida', estate.owner.key])
    expect(mcp.lines.join('')).not.toContain(secret);
});
