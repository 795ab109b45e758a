import { randomUUID } from 'node:crypto';
import { TokenVerifier } from 'livekit-server-sdk';
import { describeWith } from '../servers/availability';
import { countOf, newAgent, say } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const LIVEKIT = {
  url: 'http://livekit.internal.test',
  publicUrl: 'wss://rtc.example.test',
  apiKey: 'devkey',
  apiSecret: 'secret',
};

describeWith('postgres', 'a dispatch to a browser', () => {
  let api: TestApi;
  let agentId: string;
  beforeAll(async () => {
    api = await openTestApi({ settings: { livekit: LIVEKIT } });
    agentId = await newAgent(api, { name: 'Clinic' });
  });
  afterAll(() => api.close());

  const open = (json: object = {}, headers: Record<string, string> = {}) =>
    api.ask('/api/trigger-call/', { json: { agent_id: agentId, medium: 'webrtc', ...json }, headers });

  test('returns exactly what a browser needs', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      room_name: expect.stringMatching(/^room_\d{10}-[0-9a-f]{32}$/),
      agent_name: 'Clinic',
      connection_url: 'wss://rtc.example.test',
      live_captions_url: expect.stringMatching(
        new RegExp(
          `^wss://calls\\.example\\.test/api/live-transcripts/ws/\\d{13}\\.[\\w-]{43}/${body.room_name}$`,
        ),
      ),
    });
  });

  test('returns a token that the media server accepts for that room only', async () => {
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

  test('opens a new room each time', async () => {
    const rooms = await Promise.all([open(), open()]);
    expect(new Set(rooms.map(({ body }) => body.room_name)).size).toBe(2);
  });

  test('creates one call for two concurrent requests with the same idempotency key', async () => {
    const before = await countOf(api, 'calls');
    const key = { 'Idempotency-Key': 'browser-2' };
    await open({}, key);
    await open({}, key);
    expect(await countOf(api, 'calls')).toBe(before + 1);
    expect((await open({ voice_speed: 1.4 }, key)).body.error).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('returns the same room when a request is repeated with its idempotency key', async () => {
    const key = { 'Idempotency-Key': 'browser-1' };
    const [first, second] = [await open({}, key), await open({}, key)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('issues a token that stays valid for the longest possible wait and call', async () => {
    const { body } = await open();
    const { exp, nbf } = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
    // A quarter of an hour in the queue, an hour of talk, and the time between them.
    expect(exp - nbf).toBe(900 + 3600 + 720);
  });

  describe('a browser session', () => {
    const stored = (callId: string) => api.db('calls').where({ call_id: callId }).first();
    const inHistory = async (callId: string, as = api.organization) =>
      (await api.ask('/api/call-history?page_size=200', { as })).body.data.find(
        (each: any) => each.call_id === callId,
      );
    const DEFAULTS = {
      voice_gender: 'female',
      primary_language: 'hi',
      secondary_language: 'en',
      welcome_interruptible: true,
      bg_noise_enabled: false,
      bg_noise_volume: 60,
      voice_speed: 1,
    };

    test('stores a session with all fields of the request before it starts the workflow', async () => {
      let stageAtStart: unknown;
      api.temporal.beforeAnswer = async () => {
        stageAtStart = await api.db('calls').orderBy('accepted_at', 'desc').first('stage');
      };
      const modify = { persona: { identity: { greeting_message: { agent_message: 'Namaste' } } } };
      const { body } = await open(
        {
          metadata: { due: 5 },
          modify_agent: modify,
          welcome_message: 'Hello you',
          voice_speed: 1.2,
          contact_number: '+919876543210',
        },
        { 'X-Agent-Id': 'crm-7' },
      );
      api.temporal.beforeAnswer = () => Promise.resolve();
      expect(stageAtStart).toEqual({ stage: 'claimed' });
      expect(await stored(body.room_name)).toMatchObject({
        organization_id: api.organization.id,
        agent_id: agentId,
        agent_version: 1,
        campaign_id: null,
        medium: 'webrtc',
        call_type: 'Inbound',
        direction: 'Incoming',
        from_number: 'web-user',
        to_number: null,
        name: null,
        metadata: { due: 5 },
        modify_agent: modify,
        x_agent_id: 'crm-7',
        session: { ...DEFAULTS, welcome_message: 'Hello you', voice_speed: 1.2 },
        stage: 'claimed',
        call_status: 'queued',
      });
    });

    test('stores the default of each omitted field', async () => {
      const { body } = await open();
      expect((await stored(body.room_name)).session).toEqual(DEFAULTS);
    });

    test("starts the session's workflow with the call's ids and wait limit, and records the action", async () => {
      const { body } = await open();
      expect(api.temporal.calls.at(-1)).toEqual({
        callId: body.room_name,
        organizationId: api.organization.id,
        agentId,
        waitLimitMs: 900_000,
      });
      expect(await api.db('audit_log').where({ subject_id: body.room_name })).toMatchObject([
        { action: 'call.dispatch', actor_kind: 'api_key' },
      ]);
    });

    test("lists a session as an incoming call in its own organization's history", async () => {
      const { body } = await open({ metadata: { due: 5 } });
      expect(await inHistory(body.room_name)).toMatchObject({
        call_type: 'Inbound',
        direction: 'Incoming',
        call_status: 'queued',
        agent_name: 'Clinic',
        from_number: 'web-user',
        to_number: null,
        End_time: null,
        duration_ms: 0,
        call_metadata: { due: 5, name: null, phone: null, agent_name: 'Clinic' },
      });
      expect(await inHistory(body.room_name, api.stranger)).toBeUndefined();
    });

    test('counts a session as waiting until it has a line', async () => {
      const organization = await api.newOrganization();
      const theirs = await newAgent(api, { as: organization });
      await api.ask('/api/trigger-call/', { as: organization, json: { agent_id: theirs, medium: 'webrtc' } });
      const { body } = await api.ask('/api/limits', { as: organization });
      expect(body).toMatchObject({ live_calls: 0, waiting_calls: 1 });
    });

    test('lets only its own organization hang up a session', async () => {
      const { body } = await open();
      const path = `/api/calls/${body.room_name}/hangup`;
      expect((await api.ask(path, { method: 'POST', as: api.stranger })).status).toBe(404);
      const { status, body: hungUp } = await api.ask(path, { method: 'POST' });
      expect([status, hungUp.call_status]).toEqual([200, 'cancelled']);
      expect(await inHistory(body.room_name)).toMatchObject({ call_status: 'cancelled', duration_ms: 0 });
    });

    test('returns details and a transcript once a session has ended', async () => {
      const { body } = await open();
      expect((await api.ask(`/api/transcript/${body.room_name}`)).status).toBe(404);
      await say(api, body.room_name, [
        ['agent', 'Hello'],
        ['user', 'Good morning'],
      ]);
      await api
        .db('calls')
        .where({ call_id: body.room_name })
        .update({
          stage: 'over',
          call_status: 'User disconnected',
          ended_at: new Date(api.clock.time),
          post_processing_status: 'completed',
          summary: 'They met.',
        });
      const transcript = await api.ask(`/api/transcript/${body.room_name}`);
      expect(transcript.body.transcript).toBe('AGENT: Hello\nUSER: Good morning');
      const details = await api.ask(`/api/call_details/${body.room_name}`);
      expect(details.body).toMatchObject({ summary: 'They met.' });
    });

    test('removes the session and records nothing when Temporal is unreachable', async () => {
      const before = await Promise.all(['calls', 'audit_log'].map((table) => countOf(api, table)));
      api.temporal.unreachable = true;
      const { status, body } = await open();
      api.temporal.unreachable = false;
      expect([status, body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(await Promise.all(['calls', 'audit_log'].map((table) => countOf(api, table)))).toEqual(before);
    });

    test("returns the session if its workflow started although Temporal's reply was lost", async () => {
      api.temporal.unreachable = true;
      api.temporal.beforeAnswer = async () => {
        await api.db('calls').where({ stage: 'claimed', medium: 'webrtc' }).update({ stage: 'waiting' });
      };
      const { status, body } = await open();
      api.temporal.unreachable = false;
      api.temporal.beforeAnswer = () => Promise.resolve();
      expect(status).toBe(200);
      expect((await stored(body.room_name)).stage).toBe('waiting');
    });

    test('creates no session for an unknown agent', async () => {
      const before = await countOf(api, 'calls');
      expect((await open({ agent_id: randomUUID() })).status).toBe(404);
      expect(await countOf(api, 'calls')).toBe(before);
    });
  });
});
