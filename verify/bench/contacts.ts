/** Measures imports into a contact list, appends to a campaign that dials, and claims from a campaign with a million contacts. */
import { readFile, writeFile } from 'node:fs/promises';
import Joi from 'joi';
import { claimPage } from '../../db/calls/engine';
import { openDatabase, type Db } from '../../db/kernel/connection';
import { campaignForm } from '../../dev/demo/campaign';
import { CAMPAIGN_CREATED } from '../../dev/demo/api-client';
import { readSimulatorLog } from '../../dev/simulator/log';
import { type BenchRun, type BenchStack, onStack } from './bench-stack';
import { figure, type Figure, median } from './figure';
import { answeredNumber, createCampaign } from './platform-client';

const LARGE = 1_000_000;
const SMALL = 10_000;
const LINES = 10;
const TIMES = { ringMs: 300, talkMs: 2_000 };
/** Longer than the slowest request takes. */
const REQUEST = { timeoutMs: 600_000 };

const APPENDS = 20;
const CONTACTS_PER_APPEND = 1_000;
/** Enough for a campaign that dials during all appends. */
const DIALLED = 600;

const CLAIMS = 60;
const PAGE = 100;

const GOALS = { importS: 60, importMib: 200, appendMs: 1_000, claimRatio: 1.2 } as const;

export function measureContacts(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: LINES }, async (bench) => {
    run.say(`Imports of ${SMALL} and of ${LARGE} contacts from CSV.`);
    const small = await importContacts(bench, SMALL);
    const large = await importContacts(bench, LARGE);
    run.say('Campaigns from both lists, whose first day is tomorrow.');
    const campaigns = [await scheduled(bench, small.listId), await scheduled(bench, large.listId)] as const;
    const claims = await measureClaims(bench, campaigns);
    run.say(
      `${APPENDS} appends of ${CONTACTS_PER_APPEND} contacts to a campaign that dials on ${LINES} lines.`,
    );
    return [
      figure(`import of ${LARGE} contacts from CSV`, large.seconds, 's', GOALS.importS),
      figure('  growth of the API process', large.growthMib, 'MiB', GOALS.importMib),
      ...claims,
      ...(await measureAppends(bench)),
    ];
  });
}

const LIST_CREATED = Joi.object<{ id: string }>({ id: Joi.string().required() });
const ADDED = Joi.object<{ added: number }>({ added: Joi.number().required() });

interface Import {
  listId: string;
  seconds: number;
  /** Peak resident memory during the import, above the resident memory before it. */
  growthMib: number;
}

async function importContacts({ client: { api }, stack }: BenchStack, contacts: number): Promise<Import> {
  const { id: listId } = await api.post('/api/contact-lists', { name: `${contacts}` }, LIST_CREATED);
  const form = new FormData();
  form.set('csv_file', new Blob([csvOf(contacts)], { type: 'text/csv' }), 'contacts.csv');
  const { pid } = stack.api;
  // Resets the peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await memoryMib(pid, 'VmRSS');
  const startedAtMs = performance.now();
  const { added } = await api.post(`/api/contact-lists/${listId}/contacts`, form, ADDED, REQUEST);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  if (added !== contacts) throw new Error(`the import added ${added} of ${contacts} contacts`);
  return { listId, seconds, growthMib: (await memoryMib(pid, 'VmHWM')) - before };
}

function csvOf(contacts: number): string {
  const rows = Array.from(
    { length: contacts },
    (_, nth) => `Contact ${nth},${answeredNumber(nth)},crm-${nth},Pune`,
  );
  return ['name,phone_number,external_id,city', ...rows, ''].join('\n');
}

async function memoryMib(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
}

/** Creates a campaign that doesn't dial yet, and returns its id. */
async function scheduled({ client: { api, agentId } }: BenchStack, listId: string): Promise<string> {
  const tomorrow = Date.now() + 86_400_000;
  const form = campaignForm(
    { csv: '', nowMs: tomorrow },
    { campaign_name: 'Benchmark', agent_id: agentId, concurrency: LINES, contact_list_id: listId },
  );
  form.delete('csv_file');
  return (await api.post('/api/campaigns/create', form, CAMPAIGN_CREATED, REQUEST)).id;
}

/** Alternates between the campaigns, so that other load affects both. Undoes each claim. */
async function measureClaims(
  { stack }: BenchStack,
  [small, large]: readonly [string, string],
): Promise<Figure[]> {
  const db = openDatabase({ url: stack.databaseUrl, poolSize: 1, applicationName: 'bench' });
  const times: Record<'small' | 'large', number[]> = { small: [], large: [] };
  try {
    for (let nth = 0; nth < CLAIMS; nth += 1) {
      times.small.push(await claimMs(db, small));
      times.large.push(await claimMs(db, large));
    }
  } finally {
    await db.destroy();
  }
  const ratio = median(times.large) / median(times.small);
  return [
    figure(`claim of a page from ${SMALL} contacts, p50`, median(times.small), 'ms'),
    figure(`  from ${LARGE} contacts`, median(times.large), 'ms'),
    figure('  ratio', ratio, '', GOALS.claimRatio),
  ];
}

class Undone extends Error {}

async function claimMs(db: Db, campaignId: string): Promise<number> {
  const startedAtMs = performance.now();
  let ms = NaN;
  const now = Date.now();
  const claim = db.transaction(async (trx) => {
    const { claimed } = await claimPage(trx, campaignId, { now, dialUntil: now + 60_000, limit: PAGE });
    if (claimed.length === 0) throw new Error('the claim found no contact');
    ms = performance.now() - startedAtMs;
    throw new Undone();
  });
  await claim.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return ms;
}

async function measureAppends({ client, receiver, stack }: BenchStack): Promise<Figure[]> {
  const { api, agentId } = client;
  const webhookUrl = `${receiver.url}/calls`;
  const id = await createCampaign(api, { agentId, contacts: DIALLED, lines: LINES, webhookUrl });
  const placed = () => readSimulatorLog(stack.simulatorLog).filter(({ kind }) => kind === 'placed').length;
  const before = placed();
  const startedAtMs = performance.now();
  for (let nth = 0; nth < APPENDS; nth += 1) {
    const contacts = Array.from({ length: CONTACTS_PER_APPEND }, (_, index) => {
      const number = DIALLED + nth * CONTACTS_PER_APPEND + index;
      return {
        external_id: `${number}`,
        name: `Contact ${number}`,
        phone_number: `+91${answeredNumber(number)}`,
      };
    });
    const { added } = await api.post(`/api/campaigns/${id}/contacts`, { contacts }, ADDED, REQUEST);
    if (added !== CONTACTS_PER_APPEND) throw new Error(`an append added ${added} contacts`);
  }
  const elapsedMs = performance.now() - startedAtMs;
  return [
    figure(
      `append of ${CONTACTS_PER_APPEND} contacts while the campaign dials`,
      elapsedMs / APPENDS,
      'ms',
      GOALS.appendMs,
    ),
    figure('  calls begun per second meanwhile', ((placed() - before) * 1_000) / elapsedMs, '1/s'),
  ];
}
