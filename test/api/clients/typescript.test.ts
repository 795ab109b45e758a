/** The TypeScript client against the real app: every operation of the document, and the client's helpers. */
import { WebSocket } from 'ws';
import {
  ApiError,
  CampaignRefused,
  captions,
  InputError,
  VoiceAgentClient,
  type CaptionFrame,
} from '../../../sdk/typescript';
import { CaptionsRig } from '../support/captions-rig';
import { FakeMedia } from '../support/conversation';
import { newEstate } from '../support/estate';
import { asyncApiDocument } from '../../../dev/pages/clients/asyncapi';
import { answerChecker, schemaChecker, type CheckAnswer } from '../support/openapi-answers';
import { newAgent } from '../support/rows';
import { openTestApi, type TestApi } from '../support/test-api';
import { isDownload, requestsOf, type ClientRequest } from './requests';

const CONTACTS = 'name,phone_number,city\nAsha Rao,+919876543210,Pune\nDev Shah,09876543211,Nashik\n';
const campaignOf = (agentId: string, csv: string) => ({
  csv_file: new Blob([csv], { type: 'text/csv' }),
  campaign_name: 'November reminders',
  agent_id: agentId,
  concurrency: 2,
  from_date: '2026-11-02',
  to_date: '2099-12-31',
  start_time: '04:00',
  end_time: '10:30',
  days_of_week: 'monday,tuesday',
});

let media: FakeMedia;
let api: TestApi;
let agentId: string;
let client: VoiceAgentClient;

beforeAll(async () => {
  media = await FakeMedia.open();
  api = await openTestApi({ settings: { livekit: media.settings } });
  agentId = await newAgent(api);
  client = new VoiceAgentClient({ baseUrl: api.url, apiKey: api.organization.key });
});
afterAll(async () => {
  await api.close();
  await media.close();
});

describe('every operation of the document', () => {
  let requests: ClientRequest[];
  let check: CheckAnswer;
  let ofEstate: VoiceAgentClient;
  const succeeded: [path: string, answer: Response][] = [];

  beforeAll(async () => {
    const { body: document } = await api.ask('/api/openapi.json');
    check = answerChecker(document);
    const owner = await api.newOrganization();
    const estate = await newEstate(api, owner, { name: 'Zubeida', firstNumber: '9876543200' });
    const talking = { agent_id: estate.agents.running, organization_id: owner.id };
    requests = requestsOf(document, estate, await media.newConversation(api, talking));
    ofEstate = new VoiceAgentClient({
      baseUrl: api.url,
      apiKey: owner.key,
      retries: { attempts: 1 },
      fetch: async (...request) => {
        const answer = await fetch(...request);
        succeeded.push([new URL(request[0]).pathname, answer.clone()]);
        return answer;
      },
    });
  });

  test('performs every operation through the client and gets the documented response', async () => {
    expect(requests.length).toBeGreaterThan(25);
    for (const request of requests) {
      const { method, template, path, query, body } = request;
      const { csv_file: file } = body ?? {};
      const asked = {
        path,
        query,
        ...(body !== undefined && {
          body: { ...body, ...(file !== undefined && { csv_file: new Blob([file as string]) }) },
        }),
      };
      // Calls the method by its name, because the operations are known only when the test runs.
      const answer = await (ofEstate as any)[isDownload(request) ? 'download' : method](template, asked);
      const [at = '', response] = succeeded.at(-1) ?? [];
      const text = (await response?.text()) ?? '';
      const type = response?.headers.get('content-type') ?? null;
      const isJson = type?.startsWith('application/json') === true;
      const where = `${method} ${template}: ${response?.status} ${text.slice(0, 300)}`;
      const faults = check(method, at, response?.status ?? 0, type, isJson ? JSON.parse(text) : text);
      expect([where, faults]).toEqual([where, []]);
      expect([where, isJson && !isDownload(request) ? answer : await answer.text()]).toEqual([
        where,
        isJson && !isDownload(request) ? JSON.parse(text) : text,
      ]);
    }
    expect(succeeded).toHaveLength(requests.length);
  });
});

test('creates a campaign from a file once per idempotency key, and lists it', async () => {
  const asked = { body: campaignOf(agentId, CONTACTS), idempotencyKey: 'one-campaign' };
  const created = await client.post('/api/campaigns/create', asked);
  expect(await client.post('/api/campaigns/create', asked)).toEqual(created);
  const { campaigns } = await client.get('/api/campaigns/', { query: { status: 'active' } });
  expect(campaigns.map(({ id }) => id)).toEqual([created.id]);
});

test('retries with the same key when a response is lost, and places one call', async () => {
  const before = await callCount();
  let requests = 0;
  const losing = new VoiceAgentClient({
    baseUrl: api.url,
    apiKey: api.organization.key,
    retries: { baseMs: 1 },
    fetch: async (...request) => {
      const answer = await fetch(...request);
      requests += 1;
      if (requests < 3) throw new TypeError('the connection was lost');
      return answer;
    },
  });
  const answer = await losing.post('/api/trigger-call/', {
    body: { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' },
  });
  expect([requests, answer]).toEqual([3, expect.objectContaining({ success: true })]);
  expect(await callCount()).toBe(before + 1);
});

async function callCount(): Promise<number> {
  const [{ count } = { count: 0 }] = await api.db('calls').count();
  return Number(count);
}

test('iterates over all items of a list, page by page, with its filters', async () => {
  for (const n of [1, 2, 3, 4, 5]) {
    api.clock.time += 1;
    await newAgent(api, { name: `Paged ${n}` });
  }
  const names: string[] = [];
  for await (const agent of client.each('/api/agents', { query: { page_size: 2, search: 'Paged' } })) {
    names.push(agent.display_name);
  }
  expect(names).toEqual(['Paged 5', 'Paged 4', 'Paged 3', 'Paged 2', 'Paged 1']);
  const campaigns: string[] = [];
  for await (const { campaign_name } of client.each('/api/campaigns/')) campaigns.push(campaign_name);
  expect(campaigns.length).toBeGreaterThan(0);
});

describe('a rejected request', () => {
  test('throws an error with the error code', async () => {
    const unknown = { path: { call_id: 'outbound-0-nobody' } };
    const error = await client.get('/api/call_details/{call_id}', unknown).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 404, code: 'CALL_NOT_FOUND', requestId: expect.any(String) });
  });

  test('throws an error with the faults of each field', async () => {
    const error = await client
      .post('/api/trigger-call/', { body: { agent_id: agentId, contact_number: 'none', name: 'Asha' } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
      faults: [{ loc: ['body', 'contact_number'] }],
    });
  });

  test("throws an error with the faults of a campaign's file", async () => {
    const csv = 'name,phone_number\nAsha,12\n';
    const error = await client
      .post('/api/campaigns/create', { body: campaignOf(agentId, csv) })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CampaignRefused);
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID_CONTACT_FILE',
      answer: { details: [expect.anything()], request_id: expect.any(String) },
    });
  });
});

describe('captions()', () => {
  let rig: CaptionsRig;
  beforeAll(async () => {
    rig = await CaptionsRig.open();
  });
  afterAll(() => rig.close());

  test('reconnects after a lost connection and yields each segment once until the call ends', async () => {
    const callId = await rig.live();
    await rig.say(callId, 0);
    const sockets: WebSocket[] = [];
    class Watched extends WebSocket {
      constructor(address: string) {
        super(address);
        sockets.push(this);
      }
    }
    const frames: CaptionFrame[] = [];
    for await (const frame of captions(rig.addressOf(callId), {
      webSocket: Watched,
      retries: { baseMs: 1 },
    })) {
      frames.push(frame);
      if (frame.type === 'history' && sockets.length === 1) {
        await rig.say(callId, 1_000);
        sockets[0]?.terminate();
      } else if (frame.type === 'history') await rig.end(callId);
    }
    const said = frames.flatMap((frame) =>
      frame.type === 'history' ? frame.segments : frame.type === 'transcript' ? [frame.segment] : [],
    );
    expect(said.map(({ text }) => text)).toEqual(['said at 0', 'said at 1000']);
    expect(sockets).toHaveLength(2);
    const faultsOf = schemaChecker(asyncApiDocument());
    expect(frames.flatMap((frame) => faultsOf(['components', 'schemas', 'CaptionFrame'], frame))).toEqual([]);
    expect(frames.at(-1)).toMatchObject({ type: 'call_ended', call_id: callId });
  });

  test('rejects captions when the API rejects their URL', async () => {
    const frames = captions(`${rig.addressOf(await rig.live())}-other`, {
      webSocket: WebSocket,
      retries: { attempts: 2, baseMs: 1 },
    });
    await expect(frames.next()).rejects.toThrow('the captions closed with 1006');
  });
});
