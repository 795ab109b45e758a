/** How long clients wait for their 503 while Postgres or Temporal is away. */
import { randomUUID } from 'node:crypto';
import { ApiClient } from '../../dev/demo/api-client';
import { createOrganisation } from '../../dev/demo/organisation';
import type { CutKind } from '../faults/plan/faults';
import { Link } from '../faults/network/link';
import { ClosingOrder } from '../../dev/stack/closing';
import { AGENT_CONFIG, AGENT_NAME } from '../../dev/demo/agent';
import { startBareServers, type BareRun } from './bare-servers';
import { HttpCaller, type Answered, type Asked } from './bodies/neighbour';
import { figure, type Figure } from './figure';
import { createAgent } from './platform-client';
import { unlessAborted } from './unless-aborted';

/** What clients are promised (docs/decisions.md). */
const GOAL_MS = 3_000;
const AT_ONCE = 20;
/** Waves of requests: the later ones meet a pool whose connections the earlier ones wait for. */
const ROUNDS = 5;

/** About a minute. */
export async function measureAway(run: BareRun): Promise<Figure[]> {
  const closing = new ClosingOrder();
  try {
    return await unlessAborted(measure(run, closing), run.signal);
  } finally {
    await closing.close();
  }
}

async function measure(run: BareRun, closing: ClosingOrder): Promise<Figure[]> {
  const servers = await startBareServers({
    ...run,
    closing,
    onUnexpectedEnd: (reason) => run.say(`The API ended: ${reason}`),
  });
  const databaseUrl = new URL(await servers.createDatabase('away'));
  const { secretsKey } = servers.secrets;
  const { key } = await createOrganisation({
    databaseUrl: databaseUrl.href,
    secretsKey,
    name: 'away',
    lines: 10,
  });
  const [postgres, temporal] = [await Link.open(Number(databaseUrl.port)), await Link.open()];
  closing.add('the links', () => Promise.all([postgres.close(), temporal.close()]).then(() => undefined));
  databaseUrl.port = String(postgres.port);
  const api = await servers.startApi({
    name: 'away',
    databaseUrl: databaseUrl.href,
    environment: { TEMPORAL_ADDRESS: temporal.host },
  });
  const agentId = await createAgent(new ApiClient({ baseUrl: api.url, key, signal: run.signal }));
  const caller = new HttpCaller(api.url);
  closing.add('the caller', () => Promise.resolve(caller.close()));
  const away = async (link: Link, how: CutKind, asked: readonly Asked[]): Promise<number> => {
    await link.cut(how);
    try {
      return await longestMs(caller, asked);
    } finally {
      await link.heal();
    }
  };
  const requests = requestsOf(key, agentId);
  const dispatches = requests.filter(({ path }) => path === DISPATCH);
  const silentTemporal = await away(temporal, 'silence', dispatches);
  const refusingTemporal = await away(temporal, 'refuse', dispatches);
  const refusingPostgres = await away(postgres, 'refuse', requests);
  const silentPostgres = await away(postgres, 'silence', requests);
  return [
    figure('longest until a 503: Postgres refuses connections', refusingPostgres, 'ms', GOAL_MS),
    figure('longest until a 503: Postgres says nothing', silentPostgres, 'ms', GOAL_MS),
    figure('longest until a 503: Temporal refuses connections', refusingTemporal, 'ms', GOAL_MS),
    figure('longest until a 503: Temporal says nothing', silentTemporal, 'ms', GOAL_MS),
  ];
}

const DISPATCH = '/api/trigger-call/';

/** What clients ask most: lists, one of each, an agent, a change of it, a call. */
function requestsOf(key: string, agentId: string): Asked[] {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const reading = [
    '/api/agents',
    '/api/call-history',
    '/api/campaigns/',
    '/api/limits',
    `/api/campaigns/${randomUUID()}`,
  ];
  const sent = (method: string, path: string, body: unknown): Asked => ({
    method,
    path,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  });
  return [
    ...reading.map((path) => ({ method: 'GET', path, headers })),
    sent('POST', '/api/create-agent', { agent_display_name: AGENT_NAME, config: AGENT_CONFIG }),
    sent('POST', DISPATCH, { agent_id: agentId, contact_number: '+919876543210', name: 'A contact' }),
  ];
}

async function longestMs(caller: HttpCaller, asked: readonly Asked[]): Promise<number> {
  const answers: Answered[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const wave = Array.from({ length: AT_ONCE }, (_each, n) => asked[n % asked.length] as Asked);
    answers.push(...(await Promise.all(wave.map((each) => caller.ask(each)))));
  }
  const others = [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 503);
  if (others.length > 0) throw new Error(`answered with ${others.join(', ')} instead of 503`);
  return Math.max(...answers.map(({ tookMs }) => tookMs));
}
