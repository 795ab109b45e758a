/** Callers of an agent's number: what the carrier receives, and what the organization sees. */
import { newAgent } from './support/rows';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';
const CALLER = '+919876543210';
const NOW = '2026-11-02T05:00:00.000Z';

let api: TestApi;
let numbers = 0;
let callers = 0;

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: SECRET });
});
afterAll(() => api.close());
afterEach(() => {
  api.temporal.unreachable = false;
  api.temporal.beforeAnswer = () => Promise.resolve();
});

const nextNumber = (): string => `+9180400${String(++numbers).padStart(5, '0')}`;
const answering = (number: string) => ({ deployment: { phone: { call_type: { Inbound: number } } } });

/** Creates an organization with an agent that answers a number. */
async function answeringAgent(
  maxConcurrency = 10,
): Promise<{ as: TestOrganization; agentId: string; number: string }> {
  const [as, number] = [await api.newOrganization(maxConcurrency), nextNumber()];
  return { as, number, agentId: await newAgent(api, { as, config: answering(number) }) };
}

const send = (event: object): Promise<Answer> =>
  api.ask('/api/carrier/events', {
    json: { event_id: 'e', at: NOW, ...event },
    as: null,
    headers: { Authorization: `Bearer ${SECRET}` },
  });
const rings = (to: string, carrier_id = `carrier-${++callers}`): Promise<Answer> =>
  send({ type: 'inbound', carrier_id, to, from: CALLER });
const routeOf = (number: string) => api.db('inbound_routes').where({ number }).first();
const patch = (path: string, as: TestOrganization, json: object): Promise<Answer> =>
  api.ask(path, { method: 'PATCH', as, json });

describe('a caller', () => {
  test('accepts a caller and adds the call to the history', async () => {
    const { as, agentId, number } = await answeringAgent();
    const { status, body } = await rings(number, 'carrier-in');
    const callId = body.reference as string;
    expect([status, body]).toEqual([200, { accept: true, reference: callId }]);
    expect(callId).toMatch(/^inbound-\d+-[0-9a-f]{32}$/);
    expect(api.temporal.calls.at(-1)).toEqual({
      callId,
      organizationId: as.id,
      agentId,
      placed: { deadlineMs: 670_000 },
    });
    expect(await api.db('calls').where({ call_id: callId }).first()).toMatchObject({ to_start_since: null });

    await send({ type: 'answered', carrier_id: 'carrier-in', reference: callId, answered_by: 'human' });
    const [shown] = (await api.ask('/api/call-history', { as })).body.data;
    expect(shown).toMatchObject({
      call_id: callId,
      call_type: 'Inbound',
      direction: 'Incoming',
      call_status: 'in progress',
      from_number: CALLER,
      to_number: number,
      agent_id: agentId,
      call_dialing_at: null,
      call_ringing_at: NOW,
      user_picked_up_at: NOW,
      call_metadata: { phone: CALLER, name: null },
    });
    expect((await api.ask('/api/limits', { as })).body).toMatchObject({ live_calls: 1, waiting_calls: 0 });
    expect((await api.ask(`/api/call_details/${callId}`, { as })).status).toBe(200);
    expect((await api.ask(`/api/call_details/${callId}`)).status).toBe(404);
  });

  test('hangs up a caller on request, and frees the line when the call has ended', async () => {
    const { as, number } = await answeringAgent(1);
    const { reference } = (await rings(number, 'carrier-hung-up')).body;
    const hungUp = await api.ask(`/api/calls/${reference}/hangup`, { as, method: 'POST' });
    expect(hungUp.body).toEqual({ success: true, call_id: reference, call_status: 'ringing' });
    expect(api.temporal.workflowSignals.at(-1)).toMatchObject({ toHangUp: reference });
    await send({ type: 'ended', carrier_id: 'carrier-hung-up', reference, end_reason: 'platform' });
    expect((await api.ask('/api/limits', { as })).body).toMatchObject({ live_calls: 0 });
  });

  test('rejects a caller with a message when all lines are busy, and records the call as busy without a workflow', async () => {
    const { as, number } = await answeringAgent(1);
    await rings(number);
    const started = api.temporal.calls.length;
    const refused = await rings(number);
    expect(refused.body).toEqual({
      accept: false,
      say: 'All our lines are busy. Please call again later.',
    });
    expect(api.temporal.calls).toHaveLength(started);
    const { data } = (await api.ask('/api/call-history?status=busy', { as })).body;
    expect(data).toMatchObject([{ call_status: 'busy', from_number: CALLER, duration_ms: 0, call_cost: 0 }]);
  });

  test('rejects a caller with a message when the number has no agent', async () => {
    const { body } = await rings('+918040099999');
    expect(body).toEqual({ accept: false, say: 'This number does not take calls.' });
  });

  test('returns the same response and starts no second workflow when a caller is reported twice', async () => {
    const { number } = await answeringAgent();
    const first = await rings(number, 'carrier-twice');
    const started = api.temporal.calls.length;
    const second = await rings(number, 'carrier-twice');
    expect(second.text).toBe(first.text);
    expect(api.temporal.calls).toHaveLength(started);
  });

  test('accepts a caller while Temporal is unreachable, and starts the workflow when they are reported again', async () => {
    const { number } = await answeringAgent();
    api.temporal.unreachable = true;
    const { body } = await rings(number, 'carrier-away');
    expect(body.accept).toBe(true);
    const row = () => api.db('calls').where({ call_id: body.reference }).first();
    expect(await row()).toMatchObject({ stage: 'placed', to_start_since: new Date(api.clock.time) });
    api.temporal.unreachable = false;
    expect((await rings(number, 'carrier-away')).body).toEqual(body);
    expect(api.temporal.calls.at(-1)?.callId).toBe(body.reference);
    expect(await row()).toMatchObject({ to_start_since: null });
  });

  test("accepts a caller even if Temporal doesn't respond", async () => {
    const { number } = await answeringAgent();
    let answer: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (answer = resolve));
    api.temporal.beforeAnswer = () => silence;
    expect((await rings(number)).body.accept).toBe(true);
    answer();
  });

  test('logs no phone numbers', async () => {
    const { number } = await answeringAgent(1);
    api.temporal.unreachable = true;
    await rings(number);
    await rings(number);
    const log = api.logLines().join('');
    for (const phone of [CALLER, number]) expect(log).not.toContain(phone.slice(1));
  });
});

describe("an agent's inbound number", () => {
  test('registers the number with the carrier when it is set, changed or removed, and when the agent is archived', async () => {
    const { as, agentId, number } = await answeringAgent();
    const { id: first } = await routeOf(number);
    expect(api.temporal.routes.splice(0).at(-1)).toEqual({ routeId: first, revision: 1 });
    const next = nextNumber();
    await patch(`/api/agent/${agentId}/deployment`, as, answering(next));
    const { id: second } = await routeOf(next);
    const signalled = api.temporal.routes.splice(0);
    expect(signalled).toEqual(
      expect.arrayContaining([
        { routeId: first, revision: 2 },
        { routeId: second, revision: 1 },
      ]),
    );
    await patch(`/api/agent/${agentId}/deployment`, as, answering(''));
    expect(api.temporal.routes.splice(0)).toEqual([{ routeId: second, revision: 2 }]);
    await patch(`/api/agent/${agentId}/deployment`, as, answering(next));
    await api.ask(`/api/agent/${agentId}`, { method: 'DELETE', as });
    expect(api.temporal.routes.splice(0).map(({ revision }) => revision)).toEqual([3, 4]);
  });

  test("registers the number again after a change of the greeting, but not after changes that callers don't hear", async () => {
    const { as, agentId } = await answeringAgent();
    api.temporal.routes.splice(0);
    const greeting = { identity: { greeting_message: { agent_message: 'Welcome.' } } };
    await patch(`/api/agent/${agentId}/persona`, as, greeting);
    expect(api.temporal.routes.splice(0).map(({ revision }) => revision)).toEqual([2]);
    await patch(`/api/agent/${agentId}/persona`, as, greeting);
    await patch(`/api/agent/${agentId}/training`, as, { know_how: { faq: { a: 'b' } } });
    expect(api.temporal.routes).toEqual([]);
  });

  test('changes the number while Temporal is unreachable, and registers it with the carrier later', async () => {
    const { as, agentId, number } = await answeringAgent();
    api.temporal.unreachable = true;
    const next = nextNumber();
    expect((await patch(`/api/agent/${agentId}/deployment`, as, answering(next))).status).toBe(200);
    expect(await routeOf(next)).toMatchObject({ state: 'wanted' });
    expect(await routeOf(number)).toMatchObject({ state: 'to be removed' });
    expect((await rings(next)).body.accept).toBe(true);
    expect((await rings(number)).body.accept).toBe(false);
  });
});
