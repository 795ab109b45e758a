import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { ApiClient, UnexpectedAnswer } from '../../../dev/demo/api-client';
import { CAMPAIGN } from '../../../dev/demo/answers';
import type { Progress } from '../../../dev/demo/progress';
import { PLAIN_STYLE } from '../../../dev/demo/style';
import { progressView } from '../../../dev/demo/view';
import { watchCampaign } from '../../../dev/demo/watch';

const PATH = '/api/campaigns/c1';
const STATS = { total_calls: 60, completed: 1, pending: 58, in_progress: 1, failed: 0 };
const CONTACT = {
  row: 2,
  name: 'A',
  phone_number: '+916100000001',
  state: 'pending',
  next: { action: 'callback', at: '2099-01-01T00:00:00Z', sentence: 'ignored' },
};
const attempt = (callId: string) => ({ call_id: callId, call_status: 'no answer' });

let answers: Record<string, { status: number; body: string }>;
const requests: (string | undefined)[] = [];
const server = http.createServer((request, response) => {
  requests.push(request.headers['x-api-key']?.toString());
  const answer = answers[request.url ?? ''] ?? { status: 404, body: '{}' };
  response.writeHead(answer.status).end(answer.body);
});
const answer = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });
const api = () => {
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  return new ApiClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'vap_x', signal });
};

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  answers = {
    [PATH]: answer({
      id: 'c1',
      campaign_status: 'completed',
      status_reason: null,
      stats: STATS,
      more: 'ignored',
    }),
    [`${PATH}/contacts?page_size=200`]: answer({
      data: [
        { ...CONTACT, attempts: [attempt('a'), attempt('b'), attempt('c')] },
        { ...CONTACT, attempts: [attempt('d')] },
        { ...CONTACT, attempts: [] },
      ],
    }),
  };
});

test("shows the campaign's figures from the API, the simulator’s log and the receiver", async () => {
  const shown: Progress[] = [];
  const view = { show: (progress: Progress) => shown.push(progress), end: (p: Progress) => shown.push(p) };
  const delivery = {
    at: '',
    path: '/',
    event: 'call.completed',
    attempt: 1,
    fault: null,
    status: 200,
    timestamp: null,
    signature: null,
  };
  const accepted = { ...delivery, event_id: 'e1', call_id: 'a', campaign_id: 'c1', valid: true };
  const entries = [
    accepted,
    { ...accepted, attempt: 2 },
    { ...accepted, event_id: 'e2', valid: false },
    { ...accepted, event_id: 'e3', call_id: null },
  ];
  const { signal } = new AbortController();
  await watchCampaign({
    api: api(),
    calls: { count: () => 1 },
    receiver: { entries },
    campaignId: 'c1',
    view,
    signal,
  });
  expect(shown).toEqual([
    expect.objectContaining({
      dialled: 4,
      retried: 2,
      live: 1,
      done: 1,
      failed: 0,
      linesBusy: 1,
      webhooks: 1,
      waiting: expect.objectContaining({ rests: null, live: 1, ready: 0 }),
    }),
  ]);
  expect(shown[0]?.waiting.callbacksInMs).toHaveLength(3);
  expect(new Set(requests)).toEqual(new Set(['vap_x']));
});

test('shows the reason that the API reports for a paused campaign', async () => {
  const paused = { id: 'c1', campaign_status: 'paused', status_reason: 'too many failures', stats: STATS };
  answers[PATH] = answer(paused);
  const stopping = new AbortController();
  const shown: Progress[] = [];
  const show = (progress: Progress) => {
    shown.push(progress);
    stopping.abort(new Error('seen'));
  };
  const watch = { api: api(), calls: { count: () => 0 }, receiver: { entries: [] }, campaignId: 'c1' };
  const watching = watchCampaign({ ...watch, view: { show, end: show }, signal: stopping.signal });
  await expect(watching).rejects.toThrow();
  expect(shown[0]?.waiting.rests).toBe('the campaign is paused: too many failures');
});

describe('an undocumented response', () => {
  test('reports an API error with its status and body', async () => {
    answers[PATH] = answer({ detail: { code: 'CAMPAIGN_NOT_FOUND' } }, 404);
    await expect(api().get(PATH, CAMPAIGN)).rejects.toThrow(
      'GET /api/campaigns/c1 returned 404: {"detail":{"code":"CAMPAIGN_NOT_FOUND"}}',
    );
  });

  test.each([
    [
      'lacks a field',
      JSON.stringify({ id: 'c1', campaign_status: 'active', status_reason: null }),
      /"stats" is required/,
    ],
    ['is not JSON', 'oops', /did not return JSON/],
  ])('rejects a response that %s', async (_what, body, message) => {
    answers[PATH] = { status: 200, body };
    const asked = api().get(PATH, CAMPAIGN);
    await expect(asked).rejects.toThrow(UnexpectedAnswer);
    await expect(asked).rejects.toThrow(message);
  });
});

describe('the view', () => {
  const PROGRESS = {
    contacts: 60,
    dialled: 0,
    live: 0,
    done: 0,
    retried: 0,
    failed: 0,
    linesBusy: 0,
    lines: 10,
    webhooks: 0,
    waiting: { rests: null, live: 0, unreported: 0, ready: 60, redialsInMs: [], callbacksInMs: [] },
  };
  const written = (terminal: { isTTY: boolean; columns: number }, times: number[], endMs: number): string => {
    const stream = new PassThrough();
    const out = Object.assign(stream, terminal) as unknown as NodeJS.WriteStream;
    const view = progressView(out, PLAIN_STYLE);
    for (const elapsedMs of times) view.show({ ...PROGRESS, elapsedMs });
    view.end({ ...PROGRESS, elapsedMs: endMs });
    return String(stream.read());
  };

  test('writes a line every two seconds without a terminal, and always the final one', () => {
    const text = written({ isTTY: false, columns: 0 }, [0, 500, 1000, 1999, 2000, 2500], 2900);
    expect(text.split('\n').map((line) => line.slice(0, 5))).toEqual(['  0 s', '  2 s', '  3 s', '']);
  });
});
