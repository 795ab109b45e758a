/** Callers whose agent failed. The call ends, because no other agent can take it over and the caller would hear only silence. */
import { randomBytes } from 'node:crypto';
import { RoomEvents } from '../../api/carriers/livekit/handle-event';
import { livekitEventRoutes } from '../../api/carriers/livekit/routes';
import type { Presence } from '../../runtime/livekit/presence';
import { AGENT, KEY, left, signature } from './support/livekit-webhooks';
import { FakeMedia } from './support/conversation';
import { newAgent } from './support/rows';
import { AGENT_SECRET, openTestApi, type Answer, type TestApi } from './support/test-api';

const NUMBER = '+918012345678';
const AT = '2026-11-02T05:00:00.000Z';

let api: TestApi;
let media: FakeMedia;
let events: RoomEvents;
let present: Presence;
let deleted: string[];

beforeAll(async () => {
  media = await FakeMedia.open();
  api = await openTestApi({
    settings: { livekit: media.settings },
    carrierSecret: 'a-secret-of-the-carrier',
    moreEventRoutes: (deps) => {
      const rooms = {
        whoIsIn: () => Promise.resolve(present),
        delete: (room: string) => Promise.resolve(void deleted.push(room)),
      };
      events = new RoomEvents({ ...deps, rooms }, () => Promise.resolve());
      return [livekitEventRoutes({ events, clock: deps.clock }, KEY)];
    },
  });
  await newAgent(api, { config: { deployment: { phone: { call_type: { Inbound: NUMBER } } } } });
});
afterAll(async () => {
  await api.close();
  await media.close();
});
beforeEach(() => {
  deleted = [];
});

const asJson = (secret: string) => ({ as: null, headers: { Authorization: `Bearer ${secret}` } });

/** Reports the caller from an agent process that has just started. */
function reported(room: string): Promise<Answer> {
  media.addCaller(room, { to: NUMBER, from: '' });
  const claim = randomBytes(32).toString('base64url');
  const event = { type: 'inbound', carrier_id: room, to: NUMBER, from: null, at: AT, claim };
  return api.ask('/api/carrier/callers', { ...asJson(AGENT_SECRET), json: event });
}

async function agentLeft(room: string, reason: string): Promise<void> {
  const body = left(room, reason, AGENT);
  const headers = { 'Content-Type': 'application/webhook+json', Authorization: await signature(body) };
  expect((await api.ask('/api/livekit/webhook', { as: null, body, headers })).status).toBe(200);
  await events.close();
}

const callOf = (callId: string) => api.db('calls').where({ call_id: callId }).first();

test.each([
  ['rings', 'carrier_failure', 'failed'],
  ['talks', 'dropped', 'error'],
])(
  'removes a caller who %s and ends the call once the replacement agent has left too',
  async (what, end_reason, call_status) => {
    const room = `inbound-_1_${what}`;
    const { reference, token } = (await reported(room)).body;
    if (what === 'talks') {
      const answered = { type: 'answered', carrier_id: room, reference, at: AT, answered_by: 'human' };
      const path = `/api/carrier/calls/${reference}/events`;
      expect((await api.ask(path, { ...asJson(token), json: answered })).status).toBe(200);
    }

    // LiveKit sends another agent before the API checks the room.
    present = { person: { kind: 'there', isAnswered: null }, agent: true };
    await agentLeft(room, 'CONNECTION_TIMEOUT');
    expect((await reported(room)).body.detail.code).toBe('CALL_TAKEN');
    expect(await callOf(reference)).toMatchObject({ stage: 'placed' });
    expect(deleted).toEqual([]);

    present = { person: { kind: 'there', isAnswered: null }, agent: false };
    await agentLeft(room, 'CLIENT_INITIATED');
    expect(await callOf(reference)).toMatchObject({ stage: 'over', end_reason, call_status });
    expect(deleted).toEqual([room]);
  },
);

test('keeps an inbound call with its agent when a second agent joins and leaves', async () => {
  const room = 'inbound-_2_x';
  const { reference } = (await reported(room)).body;
  present = { person: { kind: 'there', isAnswered: null }, agent: true };
  expect((await reported(room)).status).toBe(409);
  await agentLeft(room, 'CLIENT_INITIATED');
  expect(await callOf(reference)).toMatchObject({ stage: 'placed' });
  expect(deleted).toEqual([]);
});
