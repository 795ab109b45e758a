import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Evidence } from '../../../verify/faults/evidence';
import { answerOf } from '../../../verify/faults/receivers';
import { RecordingClient } from '../../../verify/faults/recording-client';

describe('RecordingClient', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-client-'));
  /** Responses of the API in order. Null drops the connection. */
  const answers: ({ status: number; body: unknown } | null)[] = [];
  const server = http.createServer((request, response) => {
    request.resume();
    const answer = answers.shift();
    if (answer == null) request.socket.destroy();
    else response.writeHead(answer.status).end(JSON.stringify(answer.body));
  });
  let client: RecordingClient;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new RecordingClient(url, 'key', new Evidence(folder));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const recorded = (): any[] =>
    readFileSync(join(folder, 'acknowledged.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('retries a request that gets no response or "try later", and records each attempt', async () => {
    answers.push(
      null,
      { status: 503, body: { detail: { code: 'SERVICE_UNAVAILABLE' } } },
      { status: 409, body: { code: 'IDEMPOTENCY_IN_PROGRESS' } },
      { status: 201, body: { id: 'x' } },
    );
    const fields = { concurrency: 2 };
    const answer = await client.insist({ method: 'POST', path: '/api/campaigns/create', fields });
    expect(answer).toEqual({ status: 201, body: { id: 'x' } });
    expect(recorded().map(({ status }) => status)).toEqual([null, 503, 409, 201]);
    expect(recorded()[3]).toEqual({
      sent_at: expect.any(String),
      answered_at: expect.any(String),
      method: 'POST',
      path: '/api/campaigns/create',
      status: 201,
      body: { id: 'x' },
      request: fields,
    });
  });

  test('returns a rejection without retrying the request', async () => {
    answers.push({ status: 409, body: { detail: { code: 'CAMPAIGN_NOT_PAUSED' } } });
    expect(await client.insist({ method: 'POST', path: '/x' })).toMatchObject({ status: 409 });
    expect(answers).toEqual([]);
  });
});

test('accepts all webhooks, rejects half of them once, or rejects all, depending on the path', () => {
  const entry = (path: string, eventId: string, attempt: number) =>
    answerOf({ path, event_id: eventId, attempt } as any);
  expect([entry('/ok', 'a1', 1), entry('/dead', 'a1', 3)]).toEqual([200, 500]);
  expect([entry('/flaky', 'a1', 1), entry('/flaky', 'a1', 2), entry('/flaky', 'a2', 1)]).toEqual([
    500, 200, 200,
  ]);
});
