/** Measures the requests of the console's pages, sent as a browser does: all requests of a page at once. */
import { percentile } from '../percentile';
import { ask } from './ask';
import type { Place } from './list-servers';
import { CONTACTS_CAMPAIGN, SEEDED_AGENT, SEEDED_CAMPAIGN } from './seed';

export interface PageLoad {
  name: string;
  p95Ms: number;
}

const ROUNDS = 40;
const WARM_UP_ROUNDS = 3;

const AGENTS = '/api/agents?page=1&page_size=100';
const CALLS = '/api/call-history?page=1&page_size=25';
const CAMPAIGNS = '/api/campaigns/?page=1&page_size=25';
const CONTACTS = `/api/campaigns/${CONTACTS_CAMPAIGN}/contacts?page=1&page_size=25`;
const AUDIT = '/api/audit?page=1&page_size=50';
const KEYS = '/api/keys?page_size=200';
const calls = (filter = ''): string[] => [CALLS + filter, AGENTS, CAMPAIGNS];

/** `callId` is a call with a transcript. The filters are those of the pages' forms. */
const pagesOf = (callId: string): Readonly<Record<string, readonly string[]>> => ({
  campaigns: [CAMPAIGNS, AGENTS],
  'campaigns of a status': [`${CAMPAIGNS}&status=cancelled`, AGENTS],
  'one campaign': [`/api/campaigns/${CONTACTS_CAMPAIGN}`, CONTACTS, AGENTS],
  'the forecast of a campaign': [`/api/campaigns/${CONTACTS_CAMPAIGN}/forecast`],
  'contacts of a state': [`${CONTACTS}&state=failed`],
  calls: calls(),
  'calls of a status': calls('&status=completed'),
  'calls of a rare status': calls('&status=error'),
  'calls of an agent': calls(`&agent_id=${SEEDED_AGENT}`),
  'calls of a campaign': calls(`&campaign_id=${SEEDED_CAMPAIGN}`),
  'calls of a month': calls(`&from=${daysAgo(30)}&to=${daysAgo(0)}`),
  'calls in which a word was said': calls('&search=people'),
  'one call': [
    `/api/call-history?call_id=${callId}`,
    `/api/call_details/${callId}`,
    `/api/webhook-deliveries?page_size=25&call_id=${callId}`,
  ],
  agents: [AGENTS],
  'one agent': [`/api/agent/${SEEDED_AGENT}`, `/api/agent/${SEEDED_AGENT}/versions?page=1&page_size=20`],
  operations: [
    '/api/webhook-deliveries?page_size=25&status=failed',
    '/api/do-not-disturb?page=1&page_size=25',
    '/api/limits',
  ],
  audit: [AUDIT, KEYS],
  'audit of a rare change': [`${AUDIT}&action=campaign.update`, KEYS],
  'audit of the operator': [`${AUDIT}&actor_kind=operator`, KEYS],
  keys: ['/api/keys?page=1&page_size=25', '/api/webhook-secrets'],
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Returns the duration of each page for a single reader, which is the duration of its slowest request. */
export async function measurePages(place: Place, signal: AbortSignal): Promise<PageLoad[]> {
  const { data } = (await ask(place, `${CALLS}&status=completed`)) as { data: { call_id: string }[] };
  const callId = data[0]?.call_id;
  if (callId === undefined) throw new Error('the database has no completed call');
  const loads: PageLoad[] = [];
  for (const [name, paths] of Object.entries(pagesOf(callId))) {
    const timesMs: number[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await Promise.all(paths.map((path) => ask(place, path)));
      if (round >= 0) timesMs.push(performance.now() - startedAt);
    }
    loads.push({ name, p95Ms: percentile(timesMs, 0.95) });
  }
  return loads;
}
