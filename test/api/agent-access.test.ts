/**
 * The credentials of an agent's machine give access to its own call only, even to an attacker with its key who reads every job at LiveKit.
 */
import { createHash, randomBytes } from 'node:crypto';
import { callToken, jobTicket } from '../../db/calls/agent-access';
import { TwirpFault } from '../activities/support/fake-livekit';
import { FakeMedia } from './support/conversation';
import { newAgent, newCall } from './support/rows';
import { AGENT_SECRET, openTestApi, type Answer, type TestApi } from './support/test-api';

const CARRIER_SECRET = 'a-secret-of-the-carrier';
const NUMBER = '+918012345679';
const CALLER = '+919811111111';
const MINUTE_MS = 60_000;

let api: TestApi;
let media: FakeMedia;
let agentId: string;

beforeAll(async () => {
  media = await FakeMedia.open();
  api = await openTestApi({ carrierSecret: CARRIER_SECRET, settings: { livekit: media.settings } });
  agentId = await newAgent(api, { config: { deployment: { phone: { call_type: { Inbound: NUMBER } } } } });
});
afterAll(async () => {
  await api.close();
  await media.close();
});
afterEach(() => media.server.faults.clear());

const dialled = () => newCall(api, { agent_id: agentId, stage: 'requested', agent_ticket: null });
const ticketOf = (callId: string) => jobTicket(api.secretsKeys, callId, api.clock.now());
const newClaim = () => randomBytes(32).toString('base64url');

const shown = (secret: string) => ({ as: null, headers: { Authorization: `Bearer ${secret}` } });
const claimed = (callId: string, json: object, secret = AGENT_SECRET): Promise<Answer> =>
  api.ask(`/api/carrier/calls/${callId}/claim`, { ...shown(secret), json });
const reported = (room: string, claim: string): Promise<Answer> => {
  const event = { type: 'inbound', carrier_id: room, to: NUMBER, from: CALLER, at: AT, claim };
  return api.ask('/api/carrier/callers', { ...shown(AGENT_SECRET), json: event });
};
const AT = '2026-11-02T05:00:00.000Z';
const ringing = (callId: string) => ({ type: 'ringing', carrier_id: callId, reference: callId, at: AT });

/** Sends every kind of request about a call, and returns the statuses. */
async function uses(callId: string, headers: Record<string, string>): Promise<number[]> {
  const path = `/api/carrier/calls/${callId}`;
  const audio = { ...headers, 'Content-Type': 'audio/wav' };
  const answers = [
    await api.ask(path, { as: null, headers }),
    await api.ask(`${path}/events`, { as: null, headers, json: ringing(callId) }),
    await api.ask(`${path}/recording`, { as: null, method: 'PUT', body: 'RIFF', headers: audio }),
  ];
  return answers.map(({ status }) => status);
}

const rowOf = (callId: string) => api.db('calls').where({ call_id: callId }).first();

test("lets the process of a job open its call with the job's ticket and its own claim", async () => {
  const callId = await dialled();
  const { status, body } = await claimed(callId, { ticket: ticketOf(callId), claim: newClaim() });
  expect(status).toBe(200);
  expect(await uses(callId, shown(body.token).headers)).toEqual([200, 200, 204]);
});

test("returns the deployment's agent name to agents with the agent secret", async () => {
  const path = '/api/carrier/agent-name';
  const { id } = await api.db('deployment').first();
  const { status, body } = await api.ask(path, shown(AGENT_SECRET));
  expect([status, body]).toEqual([200, { agent_name: `voice-agent-${id.slice(0, 8)}` }]);
  for (const secret of [CARRIER_SECRET, 'wrong'])
    expect((await api.ask(path, shown(secret))).status).toBe(401);
});

test("opens no other call with an agent's secret, ticket or token, or with the carrier secret", async () => {
  const [own, other] = [await dialled(), await dialled()];
  const ticket = ticketOf(own);
  const { token } = (await claimed(own, { ticket, claim: newClaim() })).body;
  const before = await rowOf(other);
  for (const secret of [AGENT_SECRET, CARRIER_SECRET, ticket, token]) {
    expect(await uses(other, shown(secret).headers)).toEqual([401, 401, 401]);
  }
  expect((await claimed(other, { ticket, claim: newClaim() })).status).toBe(401);
  const itsOwn = { ticket: ticketOf(other), claim: newClaim() };
  for (const secret of [CARRIER_SECRET, token, itsOwn.ticket]) {
    expect((await claimed(other, itsOwn, secret)).status).toBe(401);
  }
  expect(await rowOf(other)).toEqual(before);
});

test('rejects a ticket that was copied from LiveKit after its job began, without disturbing the job', async () => {
  const callId = await dialled();
  const [ticket, claim] = [ticketOf(callId), newClaim()];
  await claimed(callId, { ticket, claim });
  const stolen = await claimed(callId, { ticket, claim: newClaim() });
  expect([stolen.status, stolen.body.detail.code]).toEqual([409, 'CALL_TAKEN']);
  const again = await claimed(callId, { ticket, claim });
  expect(again.status).toBe(200);
  expect(await uses(callId, shown(again.body.token).headers)).toEqual([200, 200, 204]);
});

test('gives the call to exactly one of many processes with the same ticket', async () => {
  const callId = await dialled();
  const ticket = ticketOf(callId);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => claimed(callId, { ticket, claim: newClaim() })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
});

test('gives the call to a newer job, and then rejects the older ticket', async () => {
  const callId = await dialled();
  const older = ticketOf(callId);
  await claimed(callId, { ticket: older, claim: newClaim() });
  api.clock.time += 1;
  expect((await claimed(callId, { ticket: ticketOf(callId), claim: newClaim() })).status).toBe(200);
  expect((await claimed(callId, { ticket: older, claim: newClaim() })).status).toBe(409);
});

test('rejects every request of an agent whose call a newer job has claimed', async () => {
  const callId = await dialled();
  const path = `/api/carrier/calls/${callId}`;
  const ticket = ticketOf(callId);
  const old = shown((await claimed(callId, { ticket, claim: newClaim() })).body.token);
  expect(await uses(callId, old.headers)).toEqual([200, 200, 204]);
  api.clock.time += 1;
  const { token } = (await claimed(callId, { ticket: ticketOf(callId), claim: newClaim() })).body;
  const before = await rowOf(callId);
  const ended = { ...ringing(callId), type: 'ended', end_reason: 'agent' };
  expect(await uses(callId, old.headers)).toEqual([409, 409, 409]);
  for (const [what, json] of [
    ['/events', ended],
    ['/transfer', { to: NUMBER }],
  ] as const) {
    const { status, body } = await api.ask(`${path}${what}`, { ...old, json });
    expect([what, status, body.detail.code]).toEqual([what, 409, 'CALL_TAKEN']);
  }
  expect(await rowOf(callId)).toEqual(before);
  expect(await uses(callId, shown(token).headers)).toEqual([200, 200, 204]);
});

test("rejects a token that was changed to another job's ticket", async () => {
  const callId = await dialled();
  const old = (await claimed(callId, { ticket: ticketOf(callId), claim: newClaim() })).body.token;
  api.clock.time += 1;
  const newer = (await claimed(callId, { ticket: ticketOf(callId), claim: newClaim() })).body.token;
  const forged = [newer.split('.')[0], ...old.split('.').slice(1)].join('.');
  expect(await uses(callId, shown(forged).headers)).toEqual([401, 401, 401]);
});

test('expires tickets after 15 minutes and tokens after three hours, or a week for a recording', async () => {
  const callId = await dialled();
  const [ticket, claim] = [ticketOf(callId), newClaim()];
  const { headers } = shown((await claimed(callId, { ticket, claim })).body.token);
  api.clock.time += 15 * MINUTE_MS;
  expect((await claimed(callId, { ticket, claim })).status).toBe(401);
  expect((await uses(callId, headers))[0]).toBe(200);
  api.clock.time += 166 * MINUTE_MS;
  expect(await uses(callId, headers)).toEqual([401, 401, 204]);
  api.clock.time += 7 * 24 * 60 * MINUTE_MS;
  expect(await uses(callId, headers)).toEqual([401, 401, 401]);
});

test("rejects a job's claim of a call that is over or unknown", async () => {
  const callId = await newCall(api, { agent_id: agentId, stage: 'over', call_status: 'completed' });
  const proof = (id: string) => ({ ticket: ticketOf(id), claim: newClaim() });
  expect((await claimed(callId, proof(callId))).body.detail.code).toBe('CALL_OVER');
  expect((await claimed('outbound-1-nobodys', proof('outbound-1-nobodys'))).body.detail.code).toBe(
    'CALL_NOT_FOUND',
  );
});

test.each([{}, { claim: 'short' }, { claim: 7 }, { claim: `${'x'.repeat(40)}\0` }])(
  'rejects a guessable claim: %j',
  async (proof) => {
    const callId = await dialled();
    expect((await claimed(callId, { ticket: ticketOf(callId), ...proof })).status).toBe(422);
  },
);

test("accepts events only for the token's own call, and rejects reports of callers", async () => {
  const [own, other] = [await dialled(), await dialled()];
  const { token } = (await claimed(own, { ticket: ticketOf(own), claim: newClaim() })).body;
  const path = `/api/carrier/calls/${own}/events`;
  const ended = { type: 'ended', end_reason: 'agent', carrier_id: 'c', reference: other, at: AT };
  const caller = { type: 'inbound', carrier_id: 'c', to: NUMBER, from: null, at: AT };
  for (const json of [ended, caller])
    expect((await api.ask(path, { ...shown(token), json })).status).toBe(401);
  expect((await rowOf(other)).stage).toBe('requested');
});

test('assigns a caller to the process that reported them first', async () => {
  const [room, claim] = ['inbound-_919811111111_x', newClaim()];
  media.addCaller(room, { to: NUMBER, from: CALLER });
  const { status, body } = await reported(room, claim);
  expect([status, body]).toEqual([200, { accept: true, reference: body.reference, token: body.token }]);
  expect(await uses(body.reference, shown(body.token).headers)).toEqual([200, 200, 204]);
  expect((await reported(room, newClaim())).body.detail.code).toBe('CALL_TAKEN');
  expect((await reported(room, claim)).body.reference).toBe(body.reference);
});

test('accepts the report of a caller only with the agent secret, and creates no call otherwise', async () => {
  const json = { type: 'inbound', carrier_id: 'r', to: NUMBER, from: null, at: AT, claim: newClaim() };
  const token = callToken(api.secretsKeys, { callId: 'inbound-1-a', ticket: 0 }, api.clock.now());
  for (const secret of [CARRIER_SECRET, 'wrong', token])
    expect((await api.ask('/api/carrier/callers', { ...shown(secret), json })).status).toBe(401);
  const other = { ...json, type: 'ringing', reference: 'outbound-1-a' };
  expect((await api.ask('/api/carrier/callers', { ...shown(AGENT_SECRET), json: other })).status).toBe(401);
  expect(await api.db('calls').where({ carrier_id: 'r' })).toEqual([]);
});

test('keeps tickets, tokens and claims out of the row and the log', async () => {
  const callId = await dialled();
  const [ticket, claim] = [ticketOf(callId), newClaim()];
  const { token } = (await claimed(callId, { ticket, claim })).body;
  const row = await rowOf(callId);
  expect(row.agent_claim).toEqual(createHash('sha256').update(claim).digest());
  const text = JSON.stringify(row) + api.logLines().join('');
  for (const secret of [ticket, claim, token]) expect(text).not.toContain(secret);
});

describe('a caller reported by an agent', () => {
  const row = async (room: string) => await api.db('calls').where({ carrier_id: room }).first();
  const phone = (attributes: Record<string, string>) => ({
    identity: 'phone',
    kind: 'phone' as const,
    attributes: { 'sip.trunkPhoneNumber': NUMBER, 'sip.phoneNumber': CALLER, ...attributes },
  });

  test('returns 404 for a room in which LiveKit confirms no caller, and creates no call', async () => {
    media.server.addRoom('room-without-anyone');
    media.server.addRoom('room-of-a-browser', [{ ...phone({ 'sip.ruleID': 'SDR_1' }), kind: 'browser' }]);
    media.server.addRoom('room-of-a-dialled-phone', [phone({})]);
    const rooms = ['made-up-room', 'room-without-anyone', 'room-of-a-browser', 'room-of-a-dialled-phone'];
    for (const room of rooms) {
      const { status, body } = await reported(room, newClaim());
      expect([room, status, body.detail.code, body.token]).toEqual([room, 404, 'CALL_NOT_FOUND', undefined]);
      expect(await row(room)).toBeUndefined();
    }
  });

  test('takes the numbers from LiveKit, not from the agent', async () => {
    media.server.addRoom('room-of-another', [
      phone({ 'sip.ruleID': 'SDR_1', 'sip.phoneNumber': '+919822222222' }),
    ]);
    expect((await reported('room-of-another', newClaim())).status).toBe(200);
    expect(await row('room-of-another')).toMatchObject({ from_number: '+919822222222', to_number: NUMBER });
    media.addCaller('room-of-no-number-of-ours', { to: '+918012345600', from: CALLER });
    const { body } = await reported('room-of-no-number-of-ours', newClaim());
    expect([body.accept, body.token]).toEqual([false, undefined]);
  });

  test("returns 503 with Retry-After while LiveKit doesn't respond", async () => {
    // Use a different number, because a number can have only one live call.
    media.addCaller('room-in-an-outage', { to: NUMBER, from: '+919811111112' });
    media.server.faults.set('ListParticipants', new TwirpFault('internal', 'room-in-an-outage'));
    const claim = newClaim();
    const { status, headers, text } = await reported('room-in-an-outage', claim);
    expect([status, headers.get('retry-after') !== null, text.includes('outage')]).toEqual([
      503,
      true,
      false,
    ]);
    expect(await row('room-in-an-outage')).toBeUndefined();
    media.server.faults.clear();
    expect((await reported('room-in-an-outage', claim)).body.token).toEqual(expect.any(String));
  });
});
