/** Recordings that agents upload and API clients listen to. */
import { ApiServer } from '../../api/http/server';
import { RECORDING_UPLOAD_MS } from '../../domain/recording';
import { agentOf } from './support/agent-access';
import { RawConnection } from './support/raw-connection';
import { newAgent, newCall } from './support/rows';
import { MONDAY, openTestApi, type Answer, type TestApi } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';
const AUDIO = 'RIFF....WAVE' + '0123456789'.repeat(100);

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: SECRET });
  agentId = await newAgent(api);
});
afterAll(() => api.close());

const finished = (row: object = {}) =>
  newCall(api, { agent_id: agentId, stage: 'over', call_status: 'completed', ...row });

const store = (callId: string, body = AUDIO, headers: Record<string, string> = {}): Promise<Answer> =>
  api.ask(`/api/carrier/calls/${callId}/recording`, {
    method: 'PUT',
    as: null,
    body,
    headers: { ...agentOf(api, callId), 'Content-Type': 'audio/wav', ...headers },
  });

async function recorded(): Promise<string> {
  const callId = await finished();
  expect((await store(callId)).status).toBe(204);
  return callId;
}

const listen = (callId: string, headers: Record<string, string> = {}, asked = {}): Promise<Answer> =>
  api.ask(`/api/stream/${callId}`, { headers, ...asked });

const historyItem = async (callId: string): Promise<any> =>
  (await api.ask('/api/call-history?page_size=200')).body.data.find((call: any) => call.call_id === callId);

describe('GET /api/stream/{call_id}', () => {
  test('returns the whole recording and accepts ranges', async () => {
    const { status, text, headers } = await listen(await recorded());
    expect([status, text]).toEqual([200, AUDIO]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(AUDIO.length),
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  test.each([
    ['bytes=0-3', 0, 3],
    ['bytes=100-', 100, AUDIO.length - 1],
    ['bytes=-10', AUDIO.length - 10, AUDIO.length - 1],
    [`bytes=5-${AUDIO.length + 1000}`, 5, AUDIO.length - 1],
    ['bytes=-99999', 0, AUDIO.length - 1],
  ])('returns the part that %s requests', async (range, first, last) => {
    const { status, text, headers } = await listen(await recorded(), { Range: range });
    expect([status, text]).toEqual([206, AUDIO.slice(first, last + 1)]);
    expect(headers.get('content-range')).toBe(`bytes ${first}-${last}/${AUDIO.length}`);
    expect(headers.get('content-length')).toBe(String(last - first + 1));
  });

  test.each([`bytes=${AUDIO.length}-`, 'bytes=999999-1000000', 'bytes=-0'])(
    'returns 416 with the length for %s, which begins past the end',
    async (range) => {
      const { status, body, headers } = await listen(await recorded(), { Range: range });
      expect([status, body.detail.code]).toEqual([416, 'RANGE_NOT_SATISFIABLE']);
      expect(headers.get('content-range')).toBe(`bytes */${AUDIO.length}`);
    },
  );

  test.each(['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'bytes=x', 'seconds=0-3', ''])(
    "returns the whole recording for %j, which isn't a single range",
    async (range) => {
      const { status, text } = await listen(await recorded(), { Range: range });
      expect([status, text]).toEqual([200, AUDIO]);
    },
  );

  test("returns the whole recording if If-Range has another recording's tag", async () => {
    const callId = await recorded();
    const etag = (await listen(callId)).headers.get('etag') ?? '';
    expect((await listen(callId, { Range: 'bytes=0-3', 'If-Range': etag })).status).toBe(206);
    expect((await listen(callId, { Range: 'bytes=0-3', 'If-Range': '"another"' })).status).toBe(200);
  });

  test('returns only headers for HEAD', async () => {
    const { status, text, headers } = await listen(
      await recorded(),
      { Range: 'bytes=0-3' },
      { method: 'HEAD' },
    );
    expect([status, text, headers.get('content-length')]).toEqual([206, '', '4']);
  });

  test("accepts the signed URL in the history, but not another organization's key", async () => {
    const callId = await recorded();
    const { recording_api } = await historyItem(callId);
    expect(recording_api).toMatch(
      /^https:\/\/calls\.example\.test\/api\/stream\/.+\?expires=\d+&signature=\w+$/,
    );
    const path = recording_api.replace('https://calls.example.test', '');
    expect((await api.ask(path, { as: null, headers: { Range: 'bytes=0-3' } })).text).toBe('RIFF');
    const stranger = await listen(callId, {}, { as: api.stranger });
    expect([stranger.status, stranger.body.detail.code]).toEqual([404, 'CALL_NOT_FOUND']);
  });

  test('returns 404 without a recording, and shows no URL in the history', async () => {
    const callId = await finished();
    const { status, body } = await listen(callId);
    expect([status, body.detail.code]).toEqual([404, 'RECORDING_NOT_FOUND']);
    expect((await historyItem(callId)).recording_api).toBeNull();
  });

  test('returns 404 if the storage has lost the recording', async () => {
    const callId = await recorded();
    await api.db('recordings').where({ call_id: callId }).update({ storage_key: 'recordings/gone.wav' });
    expect((await listen(callId)).body.detail.code).toBe('RECORDING_NOT_FOUND');
  });
});

describe('PUT of a recording', () => {
  test('replaces an earlier upload and leaves one file', async () => {
    const callId = await recorded();
    const before = (await listen(callId)).headers.get('etag');
    expect((await store(callId, 'RIFFsecond')).status).toBe(204);
    const { text, headers } = await listen(callId);
    expect(text).toBe('RIFFsecond');
    expect(headers.get('etag')).not.toBe(before);
    expect((await api.storedFiles()).filter((name) => name.includes(callId))).toEqual([
      `recordings/${callId}.wav`,
    ]);
  });

  test('stores one complete upload when two arrive concurrently', async () => {
    const callId = await finished();
    const answers = await Promise.all([
      store(callId, 'a'.repeat(500_000)),
      store(callId, 'b'.repeat(500_000)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await listen(callId)).text).toMatch(/^(a{500000}|b{500000})$/);
  });

  test('accepts Ogg', async () => {
    const callId = await finished();
    expect((await store(callId, 'OggS', { 'Content-Type': 'audio/ogg' })).status).toBe(204);
    expect((await listen(callId)).headers.get('content-type')).toBe('audio/ogg');
  });

  test.each([
    ['another type', 'audio', { 'Content-Type': 'audio/mpeg' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a wrong token', 'audio', { Authorization: 'Bearer wrong' }, 401, 'NOT_AUTHORISED'],
  ])('rejects %s', async (_what, body, headers, status, code) => {
    const callId = await finished();
    const answer = await store(callId, body, headers);
    expect([answer.status, answer.body.detail.code]).toEqual([status, code]);
    expect((await historyItem(callId)).recording_api).toBeNull();
  });

  test.each([
    ['the agent', { config: { experience: { settings: { recording: { enabled: false } } } } }, {}],
    ['the dispatch', {}, { modify_agent: { experience: { settings: { recording: { enabled: false } } } } }],
  ])('returns 409 and keeps no file if %s switched recording off', async (_who, agent, row) => {
    const agent_id = await newAgent(api, { name: 'Discreet', ...agent });
    const callId = await finished({ agent_id, ...row });
    const answer = await store(callId);
    expect([answer.status, answer.body.detail.code]).toEqual([409, 'RECORDING_OFF']);
    expect((await api.storedFiles()).filter((name) => name.includes(callId))).toEqual([]);
    expect((await historyItem(callId)).recording_api).toBeNull();
  });

  test("allows the upload to take as long as the agent's own time-out", () => {
    const { http } = new ApiServer(() => undefined);
    expect(http.requestTimeout).toBe(RECORDING_UPLOAD_MS);
  });

  test('rejects an empty body and an unknown call', async () => {
    const callId = await recorded();
    expect((await store(callId, '')).status).toBe(422);
    expect((await listen(callId)).text).toBe(AUDIO);
    expect((await store('outbound-1-nobodys')).body.detail.code).toBe('CALL_NOT_FOUND');
  });

  test('rejects an upload that is too large before it is sent', async () => {
    const callId = await finished();
    const connection = await upload(callId, `Content-Length: ${300 * 1024 * 1024}`);
    expect(await connection.answer()).toMatch(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/);
    connection.socket.destroy();
  });

  test('keeps the earlier recording when an upload is interrupted', async () => {
    const callId = await recorded();
    const connection = await upload(callId, 'Content-Length: 100000');
    const mine = async () => (await api.storedFiles()).filter((name) => name.includes(callId));
    connection.write('half of it');
    while ((await mine()).length === 1) await listen(callId);
    connection.socket.destroy();
    while ((await mine()).length > 1) await listen(callId);
    expect(await mine()).toEqual([`recordings/${callId}.wav`]);
    expect((await listen(callId)).text).toBe(AUDIO);
  });
});

async function upload(callId: string, length: string): Promise<RawConnection> {
  const connection = await RawConnection.open(Number(new URL(api.url).port));
  connection.write(
    [
      `PUT /api/carrier/calls/${callId}/recording HTTP/1.1`,
      'Host: x',
      `Authorization: ${agentOf(api, callId).Authorization}`,
      'Content-Type: audio/wav',
      length,
      '',
      '',
    ].join('\r\n'),
  );
  return connection;
}

test('rejects the recording of an erased person and keeps no file', async () => {
  const callId = await finished({ erased_at: new Date(api.clock.time) });
  expect((await store(callId)).status).toBe(404);
  expect(await api.storage.read(`recordings/${callId}.wav`)).toBeUndefined();
  expect((await listen(callId)).status).toBe(404);
});

describe("an upload that waited on the agent's disk", () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  afterEach(() => {
    api.clock.time = MONDAY;
  });

  test("accepts an upload for a week, even though the call's token no longer allows anything else", async () => {
    const callId = await finished();
    const headers = { ...agentOf(api, callId), 'Content-Type': 'audio/wav' };
    api.clock.time += 6 * DAY_MS;
    const path = `/api/carrier/calls/${callId}`;
    expect((await api.ask(path, { as: null, headers })).status).toBe(401);
    expect((await store(callId, AUDIO, headers)).status).toBe(204);
    expect((await listen(callId)).text).toBe(AUDIO);
    api.clock.time += 2 * DAY_MS;
    expect((await store(callId, AUDIO, headers)).status).toBe(401);
  });

  test("rejects an upload past the organization's retention, and keeps no file", async () => {
    const kept = await finished({ ended_at: new Date(MONDAY) });
    const headers = { ...agentOf(api, kept), 'Content-Type': 'audio/wav' };
    await api.db('organizations').where({ id: api.organization.id }).update({ recordings_days: 2 });
    api.clock.time += DAY_MS;
    expect((await store(kept, AUDIO, headers)).status).toBe(204);
    const late = await finished({ ended_at: new Date(MONDAY - 2 * DAY_MS) });
    expect((await store(late)).status).toBe(404);
    expect((await api.storedFiles()).filter((name) => name.includes(late))).toEqual([]);
    await api.db('organizations').where({ id: api.organization.id }).update({ recordings_days: null });
  });
});
