/**
 * Measures a cheap request of one organization, first alone and then while another organization creates as much load as its key allows.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../../db/kernel/connection';
import { createOrganization } from '../../../dev/demo/organization';
import { ApiClient } from '../../../dev/demo/api-client';
import { ClosingOrder } from '../../../dev/stack/closing';
import { startBareServers, type BareRun } from '../bare-servers';
import { figure, type Figure } from '../figure';
import { CONTACTS_CAMPAIGN, seedLists } from '../lists/seed';
import { percentile } from '../percentile';
import { createAgent } from '../platform-client';
import { unlessAborted } from '../unless-aborted';
import { HttpCaller, type Asked } from './http-caller';
import { largeCampaignForm, largeConfiguration, type LargeBody } from './large-bodies';
import { repeated } from './repeated';

const SIZES = {
  calls: 200_000,
  agents: 50,
  campaigns: 50,
  deliveries: 1_000,
  audit: 1_000,
  contacts: 200_000,
};
const ALONE_MS = 5_000;
const BESIDE_MS = 10_000;
/** Pause between the neighbour's requests. */
const PAUSE_MS = 5;
const GOAL_RATIO = 5;

export async function measureShares(run: BareRun): Promise<Figure[]> {
  const closing = new ClosingOrder();
  try {
    return await unlessAborted(measure(run, closing), run.signal);
  } finally {
    await closing.close();
  }
}

interface Load {
  name: string;
  atOnce: number;
  asked: Asked;
}

async function measure(run: BareRun, closing: ClosingOrder): Promise<Figure[]> {
  const servers = await startBareServers({
    ...run,
    closing,
    onUnexpectedEnd: (reason) => run.say(`The API ended: ${reason}`),
  });
  const databaseUrl = await servers.createDatabase('shares');
  const { secretsKey } = servers.secrets;
  const newOrganization = (name: string) => createOrganization({ databaseUrl, secretsKey, name, lines: 10 });
  const [worst, neighbour] = [await newOrganization('worst'), await newOrganization('neighbour')];
  const db = openDatabase({ url: databaseUrl, poolSize: 1, timeoutMs: 600_000, applicationName: 'bench' });
  closing.add('the connection', () => db.destroy());
  const [organization] = await db('organizations').where({ name: 'worst' }).select<{ id: string }[]>('id');
  await seedLists(db, organization?.id ?? '', SIZES);
  const api = await servers.startApi({ name: 'shares', databaseUrl });
  const agentId = await createAgent(new ApiClient({ baseUrl: api.url, key: worst.key, signal: run.signal }));
  return measureLoads(run, api.url, { loads: loadsOf(worst.key, agentId), key: neighbour.key });
}

function loadsOf(key: string, agentId: string): Load[] {
  const headers = { 'X-API-Key': key };
  const get = (name: string, atOnce: number, path: string): Load => ({
    name,
    atOnce,
    asked: { method: 'GET', path, headers },
  });
  const send = (name: string, atOnce: number, target: [string, string], large: LargeBody): Load => {
    const [method, path] = target;
    const { contentType, body } = large;
    return {
      name,
      atOnce,
      asked: { method, path, headers: { ...headers, 'Content-Type': contentType }, body },
    };
  };
  const form = largeCampaignForm(agentId);
  return [
    get('40 deep pages of calls at once', 40, '/api/call-history?page=49&page_size=200'),
    get('40 deep pages of contacts at once', 40, `/api/campaigns/${CONTACTS_CAMPAIGN}/contacts?page=49`),
    get('40 searches of names at once', 40, '/api/contacts?search=a'),
    get('8 reports at once', 8, `/api/campaigns/${CONTACTS_CAMPAIGN}/report`),
    send(
      '40 configurations of 700 KiB at once',
      40,
      ['PATCH', `/api/agent/${agentId}/training`],
      largeConfiguration(),
    ),
    send('32 dry runs of 10,000 contacts at once', 32, ['POST', '/api/campaigns/simulate'], form),
    send('32 files of 10 MiB at once', 32, ['POST', '/api/campaigns/contact-file/preview'], form),
  ];
}

async function measureLoads(
  { say }: BareRun,
  baseUrl: string,
  { loads, key }: { loads: Load[]; key: string },
): Promise<Figure[]> {
  const caller = new HttpCaller(baseUrl);
  await cheap(caller, key, ALONE_MS);
  const alone = await cheap(caller, key, ALONE_MS);
  const figures = waits('alone', alone.waits);
  for (const { name, atOnce, asked } of loads) {
    const end = repeated({ baseUrl, atOnce, asked });
    const beside = await cheap(caller, key, BESIDE_MS);
    const statuses = await end();
    say(`${name}: ${[...statuses].map(([status, count]) => `${count} times ${status}`).join(', ')}`);
    const ratio = percentile(beside.waits, 0.95) / percentile(alone.waits, 0.95);
    figures.push(
      ...waits(`beside ${name}`, beside.waits),
      figure(`p95 beside ${name} ÷ alone`, ratio, '', GOAL_RATIO),
      figure(`refused beside ${name}`, beside.refused, '', 0),
    );
  }
  caller.close();
  return figures;
}

const waits = (name: string, all: readonly number[]): Figure[] => [
  figure(`p50 ${name}`, percentile(all, 0.5), 'ms'),
  figure(`p95 ${name}`, percentile(all, 0.95), 'ms'),
];

/** Sends small requests one after another for the given time. */
async function cheap(
  caller: HttpCaller,
  key: string,
  forMs: number,
): Promise<{ waits: number[]; refused: number }> {
  const found: number[] = [];
  let refused = 0;
  for (const until = performance.now() + forMs; performance.now() < until;) {
    const asked = { method: 'GET', path: '/api/limits', headers: { 'X-API-Key': key } };
    const { status, tookMs } = await caller.ask(asked);
    found.push(tookMs);
    if (status !== 200) refused += 1;
    await delay(PAUSE_MS);
  }
  return { waits: found, refused };
}
