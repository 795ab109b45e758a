/** Registered numbers of an organization that another organization tries to use. */
import { registerNumbers } from '../../db/agents/numbers';
import { campaignForm, countOf, newAgent, withFile } from './support/rows';
import { openTestApi, type TestApi, type TestOrganization } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';
const NOT_YOURS = [422, 'NUMBER_NOT_YOURS'];

const outbound = (...numbers: string[]) => ({ phone: { call_type: { Outbound: numbers } } });
const inbound = (number: string) => ({ phone: { call_type: { Inbound: number } } });

describe.each([
  ['any number', false],
  ['registered numbers only', true],
])('with %s', (_setting, registeredOnly) => {
  let api: TestApi;
  let numbers = 0;
  let callers = 0;
  let mine: string;

  beforeAll(async () => {
    api = await openTestApi({ carrierSecret: SECRET, settings: { registeredOnly } });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    mine = nextNumber();
    await register(mine);
  });

  const nextNumber = () => `+9180600${String(++numbers).padStart(5, '0')}`;
  const register = (number: string, { id: organizationId } = api.organization) =>
    api.db.transaction((trx) => registerNumbers(trx, { organizationId, numbers: [number] }, api.clock.time));
  const create = (as: TestOrganization, deployment: object) =>
    api.ask('/api/create-agent', { as, json: { agent_display_name: 'A', config: { deployment } } });
  const patch = (as: TestOrganization, agentId: string, section: string, json: object) =>
    api.ask(`/api/agent/${agentId}/${section}`, { method: 'PATCH', as, json });
  const dispatch = async (as: TestOrganization, agent_id: string, change: object = {}) =>
    api.ask('/api/trigger-call/', {
      as,
      json: { agent_id, contact_number: '+919876543210', name: 'Asha', ...change },
    });
  const coded = ({ status, body }: { status: number; body: any }) => [status, body.detail.code];

  test('allows the owner to call from a registered number and to answer it', async () => {
    const { status, body } = await create(api.organization, {
      phone: { call_type: { Inbound: mine, Outbound: [mine] } },
    });
    expect(status).toBe(200);
    expect((await dispatch(api.organization, body.agent_id, { outbound_number: mine })).status).toBe(200);
    expect((await dispatch(api.organization, body.agent_id)).status).toBe(200);
  });

  test.each([
    ['to call from', (number: string) => outbound(number)],
    ['among others to call from', (number: string) => outbound('+918099999999', number)],
    ['to answer', inbound],
  ])(
    "returns 422 when another organization's new or changed agent uses a registered number %s",
    async (_use, deployment) => {
      const before = await countOf(api, 'agents');
      expect(coded(await create(api.stranger, deployment(mine)))).toEqual(NOT_YOURS);
      expect(await countOf(api, 'agents')).toBe(before);
      const theirs = await newAgent(api, { as: api.stranger });
      const change = { deployment: deployment(mine) };
      expect(coded(await patch(api.stranger, theirs, 'deployment', change))).toEqual(NOT_YOURS);
      expect((await api.ask(`/api/agent/${theirs}`, { as: api.stranger })).body.deployment_config).toEqual(
        {},
      );
    },
  );

  test('returns 422 when another organization dispatches from a registered number, in any spelling', async () => {
    const theirs = await newAgent(api, { as: api.stranger });
    const before = await countOf(api, 'calls');
    for (const outbound_number of [mine, mine.replace('+91', '+910')]) {
      const answer = await dispatch(api.stranger, theirs, { outbound_number });
      expect(coded(answer)).toEqual(NOT_YOURS);
      expect(answer.body).toMatchObject({ success: false, error: 'NUMBER_NOT_YOURS' });
    }
    expect(await countOf(api, 'calls')).toBe(before);
  });

  test('rejects numbers in modify_agent', async () => {
    const theirs = await newAgent(api, { as: api.stranger });
    const { status, body } = await dispatch(api.stranger, theirs, {
      modify_agent: { deployment: outbound(mine) },
    });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'modify_agent', 'deployment']]);
  });

  test('lists the number in /api/limits for its owner only', async () => {
    const listed = async (as: TestOrganization) => (await api.ask('/api/limits', { as })).body.numbers;
    expect(await listed(api.organization)).toContain(mine);
    expect(await listed(api.stranger)).toEqual([]);
  });

  test('answers a number for its new owner only, even if an agent of its earlier owner still uses it', async () => {
    const rings = async (number: string) => {
      const json = { event_id: 'e', at: '2026-11-02T05:00:00.000Z', type: 'inbound', from: '+919876543210' };
      const headers = { Authorization: `Bearer ${SECRET}` };
      const carrier_id = `carrier-${++callers}`;
      return (
        await api.ask('/api/carrier/events', { json: { ...json, carrier_id, to: number }, as: null, headers })
      ).body;
    };
    const number = nextNumber();
    await register(number, api.stranger);
    await create(api.stranger, inbound(number));
    expect(await rings(number)).toMatchObject({ accept: true });
    await api.db('registered_numbers').where({ number }).update({ organization_id: api.organization.id });
    expect(await rings(number)).toMatchObject({ accept: false });
    const { status, body } = await create(api.organization, inbound(number));
    expect(status).toBe(200);
    const { reference } = await rings(number);
    expect(await api.db('calls').where({ call_id: reference }).first()).toMatchObject({
      agent_id: body.agent_id,
    });
  });

  test(`${registeredOnly ? 'rejects' : 'accepts'} an unregistered number`, async () => {
    const expected = registeredOnly ? 422 : 200;
    const agentId = await newAgent(api);
    expect((await create(api.organization, outbound(nextNumber()))).status).toBe(expected);
    expect((await create(api.organization, inbound(nextNumber()))).status).toBe(expected);
    expect((await dispatch(api.organization, agentId, { outbound_number: nextNumber() })).status).toBe(
      expected,
    );
    // The carrier would choose the number, which may belong to another organization.
    expect((await dispatch(api.organization, agentId)).status).toBe(expected);
  });

  describe('a campaign whose agent has no caller ID', () => {
    const asked = (agentId: string, path = 'create') =>
      api.ask(`/api/campaigns/${path}`, { body: withFile(campaignForm(agentId)) });
    const lose = (number: string) =>
      api.db('registered_numbers').where({ number }).update({ organization_id: api.stranger.id });

    test('rejects creating or simulating a campaign until its agent has a number', async () => {
      const { body } = await create(api.organization, outbound(mine));
      expect((await asked(body.agent_id)).status).toBe(201);
      await lose(mine);
      const before = await countOf(api, 'campaigns');
      for (const path of ['create', 'simulate']) {
        const answer = await asked(body.agent_id, path);
        expect([answer.status, answer.body.code]).toEqual(NOT_YOURS);
      }
      expect(await countOf(api, 'campaigns')).toBe(before);
    });

    test('rejects resuming a campaign until its agent has a number again', async () => {
      const { body: agent } = await create(api.organization, outbound(mine));
      const { body } = await asked(agent.agent_id);
      const path = `/api/campaigns/${body.id}`;
      const ask = (verb: string) => api.ask(`${path}/${verb}`, { method: 'POST' });
      const status = async () => (await api.ask(path)).body.campaign_status;
      await ask('pause');
      await lose(mine);
      expect(coded(await ask('resume'))).toEqual(NOT_YOURS);
      expect(await status()).toBe('paused');
      await api
        .db('registered_numbers')
        .where({ number: mine })
        .update({ organization_id: api.organization.id });
      expect((await ask('resume')).status).toBe(200);
      await lose(mine);
      expect(coded(await ask('resume'))).toEqual([409, 'CAMPAIGN_NOT_PAUSED']);
    });

    test('leaves a campaign paused and counts it in resume-all until its agent has a number again', async () => {
      const organization = await api.newOrganization();
      const number = nextNumber();
      await register(number, organization);
      const { body: agent } = await create(organization, outbound(number));
      await api.ask('/api/campaigns/create', {
        as: organization,
        body: withFile(campaignForm(agent.agent_id)),
      });
      const all = async (verb: string) =>
        (await api.ask(`/api/campaigns/${verb}`, { method: 'POST', as: organization })).body;
      expect(await all('pause-all')).toEqual({ paused: 1 });
      await lose(number);
      expect(await all('resume-all')).toEqual({ resumed: 0, left_paused: 1 });
      await api.db('registered_numbers').where({ number }).update({ organization_id: organization.id });
      expect(await all('resume-all')).toEqual({ resumed: 1, left_paused: 0 });
    });

    test(`${registeredOnly ? 'rejects' : 'accepts'} a campaign when the carrier would choose the number`, async () => {
      expect((await asked(await newAgent(api))).status).toBe(registeredOnly ? 422 : 201);
    });
  });

  test("doesn't check the agent's stored numbers when a change contains none", async () => {
    const number = nextNumber();
    await register(number);
    const { body } = await create(api.organization, outbound(number));
    await api.db('registered_numbers').where({ number }).update({ organization_id: api.stranger.id });
    expect((await patch(api.organization, body.agent_id, 'persona', { metadata: { a: 1 } })).status).toBe(
      200,
    );
  });
});
