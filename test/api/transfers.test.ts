/** Allowed transfer destinations, in configurations and in transfer requests of the agent. */
import { addDndNumbers } from '../../db/calls/do-not-disturb';
import { agentOf } from './support/agent-access';
import { countOf, newAgent, newCall } from './support/rows';
import { AGENT_SECRET, openTestApi, type TestApi } from './support/test-api';

const OFFICE = '+912250001234';
const ABROAD = '+14155552671';

let api: TestApi;
let agentId: string;

const action = (to: string) => ({ actions: { office: { type: 'transfer', to } } });
const rule = (transfer_to: string) => ({
  know_how: {
    guardrails: {
      custom_rules: [{ name: 'r', triggers: ['lawyer'], handlingType: 'transfer', transfer_to }],
    },
  },
});

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: 'a-secret-of-the-carrier' });
  agentId = await newAgent(api, {
    config: { persona: action(OFFICE), training: rule('sip:desk@pbx.example.com') },
  });
});
afterAll(() => api.close());

describe.each([
  ['of another country', ABROAD],
  ['of a country code without a country', 'tel:+882345678901'],
  ['of a SIP domain that is not allowed', 'sip:desk@evil.example'],
  ['that hides its target in a parameter', 'sip:desk@pbx.example.com;maddr=evil.example'],
])('a destination %s', (_what, to) => {
  test.each([
    ['persona', action(to), ['actions', 'office', 'to']],
    ['training', rule(to), ['know_how', 'guardrails', 'custom_rules', 0, 'transfer_to']],
  ])(
    'rejects the destination in %s in a new agent, a change and a dispatch',
    async (section, value, place) => {
      const before = await countOf(api, 'agents');
      const answers = [
        await api.ask('/api/create-agent', {
          json: { agent_display_name: 'A', config: { [section]: value } },
        }),
        await api.ask(`/api/agent/${agentId}/${section}`, { method: 'PATCH', json: value }),
        await api.ask('/api/trigger-call/', {
          json: {
            agent_id: agentId,
            contact_number: '+919876543210',
            name: 'A',
            modify_agent: { [section]: value },
          },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
      const faults = answers.map(({ body }) => body.detail);
      expect(faults.map(([fault]) => fault.loc)).toEqual([
        ['body', 'config', section, ...place],
        ['body', ...place],
        ['body', 'modify_agent', section, ...place],
      ]);
      expect(faults[0]).toEqual([
        { loc: expect.any(Array), msg: expect.any(String), type: 'transfer.destination' },
      ]);
      expect(await countOf(api, 'agents')).toBe(before);
    },
  );
});

test.each([OFFICE, '09876543210', ' tel:+91 (22) 5000-1234', 'sip:front-desk@pbx.example.com', ''])(
  'accepts the destination %j',
  async (to) => {
    const { status } = await api.ask('/api/create-agent', {
      json: { agent_display_name: 'A', config: { persona: action(to), training: rule(to) } },
    });
    expect(status).toBe(200);
  },
);

test('accepts a rule that names a transfer action', async () => {
  const { status } = await api.ask(`/api/agent/${agentId}/training`, {
    method: 'PATCH',
    json: rule('office'),
  });
  expect(status).toBe(200);
});

describe.each([
  ['1001', 'is an extension; use a SIP address with an allowed domain instead'],
  ['tel:100', 'is an extension; use a SIP address with an allowed domain instead'],
  ['+919876543210;ext=12', 'has parameters or extra digits, which a transfer cannot dial'],
  ['+919876543210,,12', 'has parameters or extra digits, which a transfer cannot dial'],
  ['reception', 'is neither a phone number nor a SIP address'],
  ['desk@pbx.example.com', 'must start with sip: if it is a SIP address'],
  ['+919876', 'is an extension; use a SIP address with an allowed domain instead'],
  ['+9118605001234', 'is a shared-cost number, which is not an allowed type'],
])('a transfer action to %j', (to, msg) => {
  const refused = { status: 422, body: { detail: [expect.objectContaining({ msg })] } };

  test('rejects the action when it is stored, with the reason', async () => {
    const patch = (json: unknown) => api.ask(`/api/agent/${agentId}/persona`, { method: 'PATCH', json });
    expect(await patch(action(to))).toMatchObject(refused);
    expect(
      await api.ask('/api/create-agent', {
        json: { agent_display_name: 'A', config: { persona: action(to) } },
      }),
    ).toMatchObject(refused);
  });

  test('rejects a change even if only the stored action is a transfer', async () => {
    const change = { actions: { office: { to } } };
    const { status, body } = await api.ask(`/api/agent/${agentId}/persona`, {
      method: 'PATCH',
      json: change,
    });
    expect([status, body.detail[0]]).toEqual([
      422,
      { loc: ['body', 'actions', 'office', 'to'], msg, type: 'transfer.destination' },
    ]);
  });
});

describe('a transfer requested by the agent', () => {
  const asks = (callId: string, json: unknown, headers: Record<string, string> = agentOf(api, callId)) =>
    api.ask(`/api/carrier/calls/${callId}/transfer`, {
      method: 'POST',
      as: null,
      json,
      headers,
    });
  const live = (columns: object = {}) => newCall(api, { agent_id: agentId, stage: 'placed', ...columns });

  test.each([
    [OFFICE, `tel:${OFFICE}`],
    ['sip:desk@pbx.example.com', 'sip:desk@pbx.example.com'],
  ])('returns the address to dial for a transfer to %s', async (to, address) => {
    const { status, body } = await asks(await live(), { to });
    expect([status, body]).toEqual([200, { transfer: true, to: address }]);
  });

  test('allows a transfer to a destination from modify_agent', async () => {
    const modify_agent = JSON.stringify({ persona: action('+912250009999') });
    expect((await asks(await live({ modify_agent }), { to: '+912250009999' })).body).toMatchObject({
      transfer: true,
    });
  });

  test.each([
    ['a number that its configuration does not name', '+919876543210', 'not_configured'],
    ['a number of another country', ABROAD, 'destination'],
    ['words', 'the boss', 'destination'],
  ])('rejects a transfer to %s and records it without the number', async (_what, to, reason) => {
    const callId = await live();
    expect((await asks(callId, { to })).body).toEqual({ transfer: false, reason });
    const [record]: any[] = await api.db('audit_log').where({ subject_id: callId });
    expect(record).toMatchObject({ action: 'call.transfer_refused', actor_kind: 'agent' });
    expect(record.fields.at(-1)).toBe(reason);
    expect(record.fields.join()).not.toContain(to);
  });

  test('rejects a transfer to a forbidden destination that an older release stored', async () => {
    const stored = await newAgent(api);
    await api
      .db('agent_configs')
      .where({ agent_id: stored })
      .update({ config: JSON.stringify({ persona: action(ABROAD) }) });
    const callId = await newCall(api, { agent_id: stored, stage: 'placed' });
    expect((await asks(callId, { to: ABROAD })).body).toEqual({ transfer: false, reason: 'destination' });
  });

  test('rejects a transfer to a number that was added to the do-not-disturb list later', async () => {
    const number = '+912250007777';
    const owner = await newAgent(api, { as: api.stranger, config: { persona: action(number) } });
    const organizationId = api.stranger.id;
    const of = (callId: string) => asks(callId, { to: number });
    const callId = await newCall(api, { agent_id: owner, organization_id: organizationId, stage: 'placed' });
    expect((await of(callId)).body).toMatchObject({ transfer: true });
    const now = api.clock.time;
    await api.db.transaction((trx) =>
      addDndNumbers(trx, { organizationId, numbers: [number], source: 'test', now }),
    );
    expect((await of(callId)).body).toEqual({ transfer: false, reason: 'dnd' });
  });

  test('requires the token of the call, and returns 404 for an unknown call', async () => {
    const shared = { Authorization: `Bearer ${AGENT_SECRET}` };
    for (const headers of [shared, agentOf(api, await live()), {}]) {
      expect((await asks(await live(), { to: OFFICE }, headers)).status).toBe(401);
    }
    expect((await asks('outbound-1-none', { to: OFFICE })).status).toBe(404);
    expect((await asks(await live(), { to: 5 })).status).toBe(422);
  });
});
