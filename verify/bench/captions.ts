/** What a listener to live captions costs an API process that sends it nothing, and what it costs to send to a thousand at once. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { onlyKey } from '../../db/kernel/secrets-keys';
import { captionsUrl } from '../../api/calls/captions-url';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { rows } from '../../db/kernel/query';
import { ApiClient } from '../../dev/demo/api-client';
import { createOrganisation } from '../../dev/demo/organisation';
import { ClosingOrder } from '../../dev/stack/closing';
import { valueAt } from '../../domain/json';
import { startBareServers, type BareRun } from './bare-servers';
import { figure, type Figure } from './figure';
import type { MemoryReport } from './memory-probe';
import { askForMemory } from './memory-report';
import { median, percentile } from './percentile';
import { createAgent } from './platform-client';
import { number } from './table';
import { unlessAborted } from './unless-aborted';

const LISTENERS = 1_000;
/** Memory that the process had before is used up by then: what each further listener costs is seen whole. */
const MOST_LISTENERS = 4_000;
const PER_CALL = 10;
const KIB = 1024;
const MIB = 2 ** 20;
const BUDGET_KIB = 30;
/** Each is written by itself and sent to all listeners of its call. */
const LINES = 40;

/** About a minute. */
export async function measureCaptions(run: BareRun): Promise<Figure[]> {
  const closing = new ClosingOrder();
  const file = join(tmpdir(), `voice-agent-platform-captions-${randomBytes(6).toString('hex')}.json`);
  closing.add('the report', () => rm(file, { force: true }));
  try {
    return await unlessAborted(measure(run, closing, file), run.signal);
  } finally {
    await closing.close();
  }
}

async function measure(run: BareRun, closing: ClosingOrder, file: string): Promise<Figure[]> {
  const servers = await startBareServers({
    ...run,
    closing,
    onUnexpectedEnd: (reason) => run.say(`The API ended: ${reason}`),
  });
  const databaseUrl = await servers.createDatabase('captions');
  const { secretsKey } = servers.secrets;
  const { key } = await createOrganisation({ databaseUrl, secretsKey, name: 'captions', lines: 10 });
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'bench' });
  closing.add('the connection', () => db.destroy());
  const environment = {
    NODE_OPTIONS: `--require ${join(__dirname, 'memory-probe.js')}`,
    BENCH_MEMORY_FILE: file,
  };
  const api = await servers.startApi({ name: 'captions', databaseUrl, environment });
  const agentId = await createAgent(new ApiClient({ baseUrl: api.url, key, signal: run.signal }));
  const callIds = await liveCalls(db, agentId, MOST_LISTENERS / PER_CALL);
  const at = { publicUrl: api.url, secretsKeys: onlyKey(Buffer.from(secretsKey, 'base64')) };
  const listeners: WebSocket[] = [];
  closing.add('the listeners', () => Promise.resolve(listeners.forEach((each) => each.terminate())));
  const memoryWith = async (count: number): Promise<MemoryReport> => {
    while (listeners.length < count) {
      const address = captionsUrl(at, callIds[listeners.length / PER_CALL] ?? '', Date.now());
      listeners.push(...(await Promise.all(Array.from({ length: PER_CALL }, () => listen(address)))));
    }
    const report = await askForMemory('the API', api.pid, file);
    run.say(`${count} listeners: ${number(report.rssBytes / MIB)} MiB.`);
    return report;
  };

  // What the process needs for the first of them it needs once.
  for (const callId of callIds.slice(0, PER_CALL))
    (await listen(captionsUrl(at, callId, Date.now()))).terminate();
  const none = await memoryWith(0);
  const some = await memoryWith(LISTENERS);
  const delaysMs = await sendToAll(db, listeners, callIds.slice(0, LISTENERS / PER_CALL));
  const most = await memoryWith(MOST_LISTENERS);
  return captionFigures({ none, some, most }, delaysMs);
}

async function liveCalls(db: Db, agentId: string, count: number): Promise<string[]> {
  const calls = await rows<{ callId: string }>(
    db,
    `insert into calls (call_id, client_id, agent_id, agent_version, call_type, direction, stage, call_status, accepted_at, answered_at)
     select 'outbound-1-' || gen_random_uuid(), client_id, id, version, 'Outbound', 'Outbound', 'placed', 'in progress', now(), now()
     from agents, generate_series(1, :count::integer) where id = :agentId
     returning call_id as "callId"`,
    { agentId, count },
  );
  return calls.map(({ callId }) => callId);
}

/** Once it has its history. */
function listen(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (data: Buffer) => {
      if (valueAt(JSON.parse(data.toString()), 'type') === 'history') resolve(socket);
    });
  });
}

/** Milliseconds from the statement that writes a line in every call until a listener has it, for each listener and line. */
async function sendToAll(
  db: Db,
  listeners: readonly WebSocket[],
  callIds: readonly string[],
): Promise<number[]> {
  const delays: number[] = [];
  for (let line = 0; line < LINES; line++) {
    const heard = listeners.map(
      (socket) => new Promise<number>((resolve) => socket.once('message', () => resolve(performance.now()))),
    );
    const writtenAt = performance.now();
    await rows(
      db,
      `insert into call_segments (call_id, start_ms, speaker, end_ms, text)
       select unnest(:callIds::text[]), :line, 'user', :line, repeat('What people say. ', 6)`,
      { callIds: [...callIds], line },
    );
    for (const receivedAt of await Promise.all(heard)) delays.push(receivedAt - writtenAt);
  }
  return delays;
}

interface Memory {
  none: MemoryReport;
  some: MemoryReport;
  most: MemoryReport;
}

function captionFigures({ none, some, most }: Memory, delaysMs: readonly number[]): Figure[] {
  const resident = (from: MemoryReport, to: MemoryReport, count: number) =>
    (to.rssBytes - from.rssBytes) / count / KIB;
  const sent = `line in ${LISTENERS / PER_CALL} calls to ${LISTENERS} listeners`;
  return [
    figure('API without a listener to captions: resident', none.rssBytes / MIB, 'MiB'),
    figure(`API with ${LISTENERS} idle listeners: resident`, some.rssBytes / MIB, 'MiB'),
    figure(`API with ${MOST_LISTENERS} idle listeners: resident`, most.rssBytes / MIB, 'MiB'),
    figure(
      `each of ${LISTENERS} idle listeners, resident`,
      resident(none, some, LISTENERS),
      'KiB',
      BUDGET_KIB,
    ),
    figure(
      `each further idle listener, to ${MOST_LISTENERS}, resident`,
      resident(some, most, MOST_LISTENERS - LISTENERS),
      'KiB',
      BUDGET_KIB,
    ),
    figure(
      `each of ${MOST_LISTENERS}, JavaScript heap`,
      (most.mainHeapBytes - none.mainHeapBytes) / MOST_LISTENERS / KIB,
      'KiB',
    ),
    figure(`${sent}, p50`, median(delaysMs), 'ms'),
    figure(`${sent}, p95`, percentile(delaysMs, 0.95), 'ms'),
  ];
}
