import { TokenVerifier } from 'livekit-server-sdk';
import { describeWith } from '../servers/availability';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const LIVEKIT = { url: 'wss://rtc.example.test', apiKey: 'devkey', apiSecret: 'secret' };

describeWith('postgres', 'a dispatch to a browser, where a media server is configured', () => {
  let api: TestApi;
  let agentId: string;
  beforeAll(async () => {
    api = await openTestApi({ settings: { livekit: LIVEKIT } });
    agentId = await newAgent(api, { name: 'Clinic' });
  });
  afterAll(() => api.close());

  const open = (json: object = {}, headers: Record<string, string> = {}) =>
    api.ask('/api/trigger-call/', { json: { agent_id: agentId, medium: 'webrtc', ...json }, headers });

  test('answers exactly what a browser needs', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      room_name: expect.stringMatching(/^room_[0-9a-f]{32}$/),
      agent_name: 'Clinic',
      connection_url: 'wss://rtc.example.test',
      live_captions_url: expect.stringMatching(
        new RegExp(`^wss://calls\\.example\\.test/api/live-transcripts/ws/[\\w-]+/${body.room_name}$`),
      ),
    });
  });

  test("answers a token that the media server's own check takes, for that room alone", async () => {
    const { body } = await open();
    const claims = await new TokenVerifier(LIVEKIT.apiKey, LIVEKIT.apiSecret).verify(body.token);
    expect(claims.video).toEqual({
      roomJoin: true,
      room: body.room_name,
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
    });
    expect(claims.sub).toBe('web-user');
    await expect(new TokenVerifier('devkey', 'another secret').verify(body.token)).rejects.toThrow();
  });

  test('opens a room of its own each time', async () => {
    const rooms = await Promise.all([open(), open()]);
    expect(new Set(rooms.map(({ body }) => body.room_name)).size).toBe(2);
  });

  test('answers the same room to a request that is repeated under its idempotency key', async () => {
    const key = { 'Idempotency-Key': 'browser-1' };
    const [first, second] = [await open({}, key), await open({}, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('starts no phone call', async () => {
    await open();
    expect(api.temporal.calls).toEqual([]);
    expect(await api.db('calls').count('* as n')).toEqual([{ n: 0 }]);
  });
});
