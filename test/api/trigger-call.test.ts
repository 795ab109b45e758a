import { randomUUID } from 'node:crypto';
import { setImmediate as aMoment } from 'node:timers/promises';
import { countOf, newAgent } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());
beforeEach(() => {
  api.temporal.unreachable = false;
});

const BODY = { contact_number: '+919876543210', name: 'Asha' };
const dispatch = (json: object, headers = {}) =>
  api.ask('/api/trigger-call/', { json: { agent_id: agentId, ...BODY, ...json }, headers });
const stored = (callId: string) => api.db('calls').where({ call_id: callId }).first();

async function untilInsertWaits(): Promise<void> {
  const waiting = `select 1 from pg_locks where relation = 'calls'::regclass and not granted`;
  while ((await api.db.raw<{ rows: unknown[] }>(waiting)).rows.length === 0) await aMoment();
}

describe('an accepted dispatch', () => {
  test("returns the call's id and the URL of its captions", async () => {
    const { status, body } = await dispatch({});
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      output: {
        agent_name: 'Collections',
        call_id: expect.stringMatching(new RegExp(`^outbound-${MONDAY / 1000}-[0-9a-f]{32}$`)),
        live_captions_url: expect.stringMatching(
          /^wss:\/\/calls\.example\.test\/api\/live-transcripts\/ws\/\d{13}\.[\w-]{43}\/outbound-/,
        ),
      },
      error: null,
    });
    expect(body.output.live_captions_url.endsWith(`/${body.output.call_id}`)).toBe(true);
  });

  test('writes the row of a call before it starts the workflow', async () => {
    let rowAtStart: unknown;
    api.temporal.beforeAnswer = async () => {
      rowAtStart = await api.db('calls').orderBy('call_id').first('stage');
    };
    await dispatch({});
    api.temporal.beforeAnswer = () => Promise.resolve();
    expect(rowAtStart).toEqual({ stage: 'claimed' });
  });

  test("uses the agent's current version if the one it read is pruned in the meantime", async () => {
    const changed = await newAgent(api);
    const lock = await api.db.transaction();
    await lock.raw('lock table calls in share mode');
    const answer = dispatch({ agent_id: changed });
    await untilInsertWaits();
    await api.db.raw(
      `select store_version(:changed, jsonb_build_object('persona', jsonb_build_object('mark', n)), 'running', now())
       from generate_series(1, 60) n`,
      { changed },
    );
    await lock.commit();
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(await stored(body.output.call_id)).toMatchObject({ agent_id: changed, agent_version: 61 });
    expect(await api.db('audit_log').where({ subject_id: body.output.call_id })).toHaveLength(1);
  });

  test('stores everything that the dial needs', async () => {
    const modify = { persona: { identity: { greeting_message: { agent_message: 'Namaste' } } } };
    const { body } = await dispatch(
      {
        contact_number: '09876543210',
        metadata: { due: 5 },
        modify_agent: modify,
        outbound_number: '+918012345678',
      },
      { 'X-Agent-Id': 'crm-7' },
    );
    expect(await stored(body.output.call_id)).toMatchObject({
      organization_id: api.organization.id,
      agent_id: agentId,
      agent_version: 1,
      campaign_id: null,
      medium: 'telephony',
      call_type: 'Outbound',
      direction: 'Outbound',
      name: 'Asha',
      to_number: '+919876543210',
      from_number: '+918012345678',
      metadata: { due: 5 },
      modify_agent: modify,
      x_agent_id: 'crm-7',
      stage: 'claimed',
      call_status: 'queued',
      accepted_at: new Date(MONDAY),
    });
  });

  test("starts the workflow with the call's ids and wait limit", async () => {
    const { body } = await dispatch({});
    const callId = body.output.call_id as string;
    expect(api.temporal.calls.at(-1)).toEqual({
      callId,
      organizationId: api.organization.id,
      agentId,
      waitLimitMs: 900_000,
    });
  });

  test("accepts the agent's name, and a path without a trailing slash", async () => {
    const { status } = await api.ask('/api/trigger-call', { json: { ...BODY, agent_id: 'collections' } });
    expect(status).toBe(200);
  });

  test('ignores fields of the other medium and unknown ones', async () => {
    expect((await dispatch({ bg_noise_volume: 'loud', voice_speed: 99, colour: 'blue' })).status).toBe(200);
  });

  test.each([{ modify_agent: null }, { outbound_number: null }, { voice: '' }, { dnd_check_skipped: true }])(
    'accepts %j',
    async (fields) => {
      expect((await dispatch(fields)).status).toBe(200);
    },
  );
});

describe('a rejected dispatch', () => {
  test.each([
    [{ agent_id: undefined }, ['body', 'agent_id']],
    [{ agent_id: '' }, ['body', 'agent_id']],
    [{ agent_id: 7 }, ['body', 'agent_id']],
    [{ medium: 'fax' }, ['body', 'medium']],
    [{ name: undefined }, ['body', 'name']],
    [{ name: ' ' }, ['body', 'name']],
    [{ contact_number: undefined }, ['body', 'contact_number']],
    [{ contact_number: '' }, ['body', 'contact_number']],
    [{ contact_number: 919876543210 }, ['body', 'contact_number']],
    [{ contact_number: '12' }, ['body', 'contact_number']],
    [{ contact_number: '+14155550123' }, ['body', 'contact_number']],
    [{ metadata: [] }, ['body', 'metadata']],
    [{ metadata: 'x' }, ['body', 'metadata']],
    [{ voice: 1 }, ['body', 'voice']],
    [{ dnd_check_skipped: 'true' }, ['body', 'dnd_check_skipped']],
    [{ outbound_number: 5 }, ['body', 'outbound_number']],
    [{ modify_agent: 'x' }, ['body', 'modify_agent']],
    [{ modify_agent: { deployment: {} } }, ['body', 'modify_agent', 'deployment']],
    [
      { modify_agent: { experience: { settings: { call_settings: { max_call_duration: 61 } } } } },
      ['body', 'modify_agent', 'experience', 'settings', 'call_settings', 'max_call_duration'],
    ],
    [{ metadata: { a: 'x\0y' } }, ['body', 'metadata', 'a']],
  ])('names the invalid fields of %j', async (change, loc) => {
    const before = await countOf(api, 'calls');
    const { status, body } = await dispatch(change);
    expect(status).toBe(422);
    expect(body).toEqual({
      success: false,
      message: expect.any(String),
      output: null,
      error: 'VALIDATION_ERROR',
      detail: [{ loc, msg: expect.any(String), type: expect.any(String) }],
    });
    expect(await countOf(api, 'calls')).toBe(before);
  });

  test('names an X-Agent-Id header that is too long', async () => {
    const { status, body } = await dispatch({}, { 'X-Agent-Id': 'x'.repeat(256) });
    expect([status, body.detail[0].loc]).toEqual([422, ['header', 'X-Agent-Id']]);
  });
});

describe('outbound_number', () => {
  test.each(['98', '+0123', 'sales', '-9876543210', ''])(
    'rejects the number %j, whether or not the agent has numbers',
    async (outbound_number) => {
      const config = { deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } } };
      const owner = await newAgent(api, { name: 'Owner', config });
      for (const agent of [{}, { agent_id: owner }]) {
        const { status, body } = await dispatch({ ...agent, outbound_number });
        expect([status, body.error]).toEqual([422, 'VALIDATION_ERROR']);
        expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', 'outbound_number'] })]);
      }
    },
  );

  test("accepts only the agent's own numbers if it has any", async () => {
    const config = { deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } } };
    const owner = await newAgent(api, { name: 'Owner', config });
    expect((await dispatch({ agent_id: owner, outbound_number: '+918012345678' })).status).toBe(200);
    const { status, body } = await dispatch({ agent_id: owner, outbound_number: '+918012345679' });
    expect(status).toBe(422);
    expect(body).toEqual({
      success: false,
      message: expect.any(String),
      output: null,
      error: 'OUTBOUND_NUMBER_NOT_ALLOWED',
      detail: { code: 'OUTBOUND_NUMBER_NOT_ALLOWED', message: expect.any(String) },
    });
  });
});

describe('a dispatch with an unusable agent', () => {
  test.each([
    ['an unknown id', () => ({ agent_id: randomUUID() }), undefined],
    ['an unknown name', () => ({ agent_id: 'nobody' }), undefined],
    ["another organization's agent", () => ({ agent_id: agentId }), () => api.stranger],
  ])('returns 404 for %s', async (_title, change, as) => {
    const { status, body } = await api.ask('/api/trigger-call/', {
      json: { ...BODY, ...change() },
      as: as?.() ?? api.organization,
    });
    expect([status, body.error, body.detail.code]).toEqual([404, 'AGENT_NOT_FOUND', 'AGENT_NOT_FOUND']);
  });

  test('returns 404 for an archived agent', async () => {
    const archived = await newAgent(api, { name: 'Gone' });
    await api.db('agents').where({ id: archived }).update({ archived: true });
    expect((await dispatch({ agent_id: archived })).status).toBe(404);
  });
});

describe('a dispatch to a browser', () => {
  const webrtc = (json: object) =>
    api.ask('/api/trigger-call/', { json: { agent_id: agentId, medium: 'webrtc', ...json } });

  test('returns 503 without a media server', async () => {
    const { status, body } = await webrtc({ contact_number: 5 });
    expect([status, body.error, body.detail.code]).toEqual([
      503,
      'REALTIME_NOT_CONFIGURED',
      'REALTIME_NOT_CONFIGURED',
    ]);
  });

  test.each([
    { voice_gender: 'other' },
    { bg_noise_volume: 101 },
    { bg_noise_volume: 1.5 },
    { voice_speed: 0.5 },
    { voice_speed: 1.5 },
    { bg_noise_enabled: 'yes' },
    { welcome_interruptible: 1 },
  ])('returns 422 for %j even without a media server', async (fields) => {
    const { status, body } = await webrtc(fields);
    expect([status, body.detail[0].loc]).toEqual([422, ['body', Object.keys(fields)[0]]]);
  });
});

describe('a dispatch while Temporal is unreachable', () => {
  test('returns 503 and leaves no row', async () => {
    api.temporal.unreachable = true;
    const before = await countOf(api, 'calls');
    const recorded = await countOf(api, 'audit_log');
    const { status, body } = await dispatch({});
    expect([status, body.success, body.error, body.detail.code]).toEqual([
      503,
      false,
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
    expect(await countOf(api, 'calls')).toBe(before);
    expect(await countOf(api, 'audit_log')).toBe(recorded);
  });

  test("succeeds if the workflow started although Temporal's reply was lost", async () => {
    api.temporal.unreachable = true;
    api.temporal.beforeAnswer = async () => {
      await api.db('calls').where({ stage: 'claimed' }).update({ stage: 'waiting' });
    };
    const { status, body } = await dispatch({});
    api.temporal.beforeAnswer = () => Promise.resolve();
    expect(status).toBe(200);
    expect(await stored(body.output.call_id)).toBeDefined();
  });
});

test('records a dispatch with the id of its request', async () => {
  const { body, headers } = await dispatch({});
  const entries = await api.db('audit_log').where({ subject_id: body.output.call_id });
  expect(entries).toMatchObject([
    {
      action: 'call.dispatch',
      organization_id: api.organization.id,
      actor_kind: 'api_key',
      request_id: headers.get('X-Request-Id'),
      fields: [],
    },
  ]);
});
