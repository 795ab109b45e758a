import { TokenVerifier } from 'livekit-server-sdk';
import { issueApiKey } from '../../db/organizations/api-keys';
import { agentIn, personIn } from '../../domain/room-participants';
import { KEY, TwirpFault } from '../activities/support/fake-livekit';
import { describeWith } from '../servers/availability';
import { FakeMedia } from './support/conversation';
import { newAgent, newCall } from './support/rows';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

describeWith('postgres', 'POST /api/calls/{call_id}/listen', () => {
  let media: FakeMedia;
  let api: TestApi;
  let agentId: string;
  beforeAll(async () => {
    media = await FakeMedia.open();
    api = await openTestApi({ settings: { livekit: media.settings } });
    agentId = await newAgent(api, { name: 'Clinic' });
  });
  afterAll(async () => {
    await api.close();
    await media.close();
  });
  afterEach(() => media.server.faults.clear());

  const conversation = (row: object = {}) => media.newConversation(api, { agent_id: agentId, ...row });
  const listen = (callId: string, as: TestOrganization = api.organization): Promise<Answer> =>
    api.ask(`/api/calls/${callId}/listen`, { method: 'POST', as });
  const audited = (callId: string) => api.db('audit_log').where({ subject_id: callId });
  const refusal = ({ status, body }: Answer) => [status, body.detail.code];

  test("returns a one-minute token for a hidden listener who can't publish", async () => {
    const callId = await conversation();
    const { status, body } = await listen(callId);
    expect([status, body]).toEqual([
      200,
      { token: expect.any(String), room_name: callId, connection_url: 'wss://rtc.example.test' },
    ]);
    const claims: any = await new TokenVerifier(KEY.apiKey, KEY.apiSecret).verify(body.token);
    expect(claims.video).toEqual({
      roomJoin: true,
      room: callId,
      hidden: true,
      canSubscribe: true,
      canPublish: false,
      canPublishData: false,
      canUpdateOwnMetadata: false,
    });
    expect(claims.exp - claims.nbf).toBe(60);
    expect(claims.kind).toBe('egress');
  });

  test('gives each listener a different name', async () => {
    const callId = await conversation();
    const names = await Promise.all(
      [1, 2].map(async () => {
        const { token } = (await listen(callId)).body;
        return (await new TokenVerifier(KEY.apiKey, KEY.apiSecret).verify(token)).sub;
      }),
    );
    expect(new Set(names).size).toBe(2);
  });

  test('counts a listener neither as a person nor as an agent in decisions about the call', () => {
    // LiveKit's number for the kind `egress`.
    const listener = { kind: 2, state: 2, attributes: {} };
    expect([personIn([listener]), agentIn([listener])]).toEqual([undefined, undefined]);
  });

  test("uses LiveKit's room name for a caller", async () => {
    const callId = await conversation({ direction: 'Incoming', carrier_id: 'inbound-_1_x' });
    expect((await listen(callId)).body.room_name).toBe('inbound-_1_x');
  });

  test('records the key that listens, and changes nothing in the call', async () => {
    const callId = await conversation();
    const row = () => api.db('calls').where({ call_id: callId }).first();
    const before = await row();
    await listen(callId);
    expect(await audited(callId)).toEqual([
      expect.objectContaining({
        action: 'call.listen',
        actor_kind: 'api_key',
        organization_id: api.organization.id,
      }),
    ]);
    expect(await row()).toEqual(before);
    const asked = media.server.asked.filter(({ body }) => body.room === callId);
    expect(asked.map(({ method }) => method)).toEqual(['ListParticipants']);
    expect(api.temporal.workflowSignals).toEqual([]);
  });

  const refused: [string, () => Promise<string>][] = [
    ['rings', () => newCall(api, { agent_id: agentId, stage: 'placed', call_status: 'ringing' })],
    ['is over', () => conversation({ stage: 'over', ended_at: new Date(api.clock.time) })],
    [
      'is carried by another carrier than LiveKit',
      () => newCall(api, { agent_id: agentId, stage: 'placed', answered_at: new Date(api.clock.time) }),
    ],
  ];
  test.each(refused)('returns 409 and records nothing for a call that %s', async (_title, made) => {
    const callId = await made();
    expect(refusal(await listen(callId))).toEqual([409, 'CALL_NOT_AUDIBLE']);
    expect(await audited(callId)).toEqual([]);
  });

  test("returns 404 for another organization's call, and 403 for a key with only the scope read", async () => {
    const callId = await conversation();
    expect(refusal(await listen(callId, api.stranger))).toEqual([404, 'CALL_NOT_FOUND']);
    const { key } = await issueApiKey(api.db, api.organization.id, { scopes: ['read'] });
    expect(refusal(await listen(callId, { ...api.organization, key }))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await audited(callId)).toEqual([]);
  });

  test("returns 503 without naming the room when the media server doesn't respond", async () => {
    const callId = await conversation();
    media.server.faults.set('ListParticipants', new TwirpFault('internal', callId));
    const answer = await listen(callId);
    expect(refusal(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.text).not.toContain(callId);
  });
});
