/** How much longer another client waits while somebody sends the worst that the API takes in. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type Db } from '../../../db/kernel/connection';
import { rows } from '../../../db/kernel/query';
import { MAX_VARIABLES_BYTES } from '../../../api/http/input/variables';
import { ApiClient } from '../../../dev/demo/api-client';
import { createOrganisation } from '../../../dev/demo/organisation';
import { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { startBareServers, type BareRun } from '../bare-servers';
import { median } from '../percentile';
import { createAgent } from '../platform-client';
import { unlessAborted } from '../unless-aborted';
import type { BodyCase } from './body-case';
import { bodyCases } from './cases';
import { HttpCaller, Neighbour, type Answered, type Asked } from './neighbour';

export interface BodyMeasure {
  name: string;
  /** Of the answers to what was sent; a 503 is that of the Temporal server that is not there. */
  statuses: number[];
  bytes: number;
  /** The longest until the answer. */
  tookMs: number;
  /** The neighbour's longest wait, and its median wait while nobody else asks. */
  longestMs: number;
  usualMs: number;
  /** The longest for which the API's event loop did nothing else, as the process itself saw it. */
  stoodMs: number;
}

const ROUNDS = 3;
/** How long the neighbour is alone before a case, which is what it usually waits. */
const ALONE_MS = 400;
const WARM_UP_MS = 2_000;
const CALLS = 200;
const WRONG_KEYS = 2_000;
const AT_ONCE = 50;

/** About two minutes. */
export async function measureBodies(run: BareRun): Promise<BodyMeasure[]> {
  const closing = new ClosingOrder();
  try {
    return await unlessAborted(measure(run, closing), run.signal);
  } finally {
    await closing.close();
  }
}

interface Rig {
  caller: HttpCaller;
  neighbour: Neighbour;
  key: string;
  metricsUrl: string;
  say: (line: string) => void;
}

async function measure(run: BareRun, closing: ClosingOrder): Promise<BodyMeasure[]> {
  const servers = await startBareServers({
    ...run,
    closing,
    onUnexpectedEnd: (reason) => run.say(`The API ended: ${reason}`),
  });
  const databaseUrl = await servers.createDatabase('bodies');
  const { secretsKey } = servers.secrets;
  const organisation = (name: string) => createOrganisation({ databaseUrl, secretsKey, name, lines: 10 });
  const [{ key }, { key: neighboursKey }] = [await organisation('bodies'), await organisation('neighbour')];
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const api = await servers.startApi({
    name: 'bodies',
    databaseUrl,
    environment: { METRICS_HOST: '127.0.0.1', METRICS_PORT: String(port) },
  });
  const db = openDatabase({ url: databaseUrl, poolSize: 1, timeoutMs: 120_000, applicationName: 'bench' });
  closing.add('the connection', () => db.destroy());
  const agentId = await createAgent(new ApiClient({ baseUrl: api.url, key, signal: run.signal }));
  const rig = {
    caller: new HttpCaller(api.url),
    neighbour: new Neighbour(api.url, neighboursKey),
    key,
    metricsUrl: `http://127.0.0.1:${port}/metrics`,
    say: run.say,
  };
  closing.add('the callers', () =>
    Promise.resolve([rig.caller, rig.neighbour].forEach((each) => each.close())),
  );
  return measureAll(rig, db, agentId);
}

async function measureAll(rig: Rig, db: Db, agentId: string): Promise<BodyMeasure[]> {
  await rig.neighbour.during(() => delay(WARM_UP_MS));
  const measured: BodyMeasure[] = [];
  for (const each of bodyCases({ agentId, campaignId: randomUUID() })) {
    measured.push(await measureCase(rig, each.name, () => [askedBy(rig.key, each)]));
  }
  await seedCalls(db, agentId);
  const page: Asked = {
    method: 'GET',
    path: `/api/call-history?page_size=${CALLS}`,
    headers: { 'X-API-Key': rig.key },
  };
  measured.push(await measureCase(rig, `a page of ${CALLS} calls with all that they may hold`, () => [page]));
  measured.push(await measureCase(rig, `four such pages at once`, () => [page, page, page, page]));
  measured.push(await measureCase(rig, `${WRONG_KEYS} wrong keys, ${AT_ONCE} at once`, wrongKeys));
  return measured;
}

function askedBy(key: string, { method, path, contentType, body }: BodyCase): Asked {
  return { method, path, body: body(), headers: { 'X-API-Key': key, 'Content-Type': contentType } };
}

const wrongKeys = (): Asked[] =>
  Array.from({ length: WRONG_KEYS }, () => ({
    method: 'GET',
    path: '/api/limits',
    headers: { 'X-API-Key': `vap_${randomUUID()}` },
  }));

/** A first round is not counted: a path that was never run is not what is measured. */
async function measureCase(rig: Rig, name: string, requests: () => Asked[]): Promise<BodyMeasure> {
  const asked = requests();
  const usualMs = median(await rig.neighbour.during(() => delay(ALONE_MS)));
  await sendAll(rig, asked);
  const measure: BodyMeasure = { name, statuses: [], bytes: 0, tookMs: 0, longestMs: 0, usualMs, stoodMs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await stoodStillMs(rig.metricsUrl);
    let answers: Answered[] = [];
    const waits = await rig.neighbour.during(async () => {
      answers = await sendAll(rig, asked);
    });
    measure.statuses = [...new Set([...measure.statuses, ...answers.map(({ status }) => status)])];
    measure.bytes = Math.max(measure.bytes, ...answers.map(({ bytes }) => bytes));
    measure.tookMs = Math.max(measure.tookMs, ...answers.map(({ tookMs }) => tookMs));
    measure.longestMs = Math.max(measure.longestMs, ...waits);
    measure.stoodMs = Math.max(measure.stoodMs, await stoodStillMs(rig.metricsUrl));
  }
  rig.say(`${name}: ${measure.statuses.join(', ')}; the other waited ${Math.round(measure.longestMs)} ms.`);
  return measure;
}

async function sendAll({ caller }: Rig, asked: readonly Asked[]): Promise<Answered[]> {
  const waiting = [...asked];
  const answers: Answered[] = [];
  const send = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      answers.push(await caller.ask(next));
    }
  };
  await Promise.all(Array.from({ length: Math.min(asked.length, AT_ONCE) }, send));
  return answers;
}

/** Since it was asked last. */
async function stoodStillMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const seconds = /^voice_agent_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

async function seedCalls(db: Db, agentId: string): Promise<void> {
  await rows(
    db,
    `with made as (
       insert into calls (call_id, client_id, agent_id, agent_version, call_type, direction, stage, call_status, accepted_at, answered_at, metadata)
       select 'outbound-1-' || gen_random_uuid(), client_id, id, version, 'Outbound', 'Outbound', 'placed', 'in progress', now(), now(),
         jsonb_build_object('note', repeat('x', :bytes::integer))
       from agents, generate_series(1, :calls::integer) where id = :agentId
       returning call_id
     )
     insert into call_segments (call_id, start_ms, speaker, end_ms, text)
     select call_id, second * 1000, 'user', second * 1000 + 900, repeat('What people say. ', 6)
     from made, generate_series(1, 600) second`,
    { agentId, calls: CALLS, bytes: MAX_VARIABLES_BYTES - 20 },
  );
}
