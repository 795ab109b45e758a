/** Runs campaigns on the platform, measures their cost, and combines several measurements. */
import { setTimeout as delay } from 'node:timers/promises';
import { isAccepted } from '../../dev/receiver/log';
import { type LogEntry, readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil, withinTime } from '../../dev/stack/wait-until';
import { workflowId } from '../../workflows/contract';
import type { BenchClient, BenchStack } from './bench-stack';
import { callRecords, campaignRuns, type RunRecord } from './histories';
import { createCampaign } from './platform-client';
import { measureUsage, pooledUsage, type Usage } from './usage';

export interface CampaignCourse {
  /** Time of each call request, ascending. */
  requestedAtMs: number[];
  /** Time of each call's end, ascending. */
  endedAtMs: number[];
  /** From the acceptance of each call to its end, in order of acceptance. */
  durationsMs: number[];
}

/** Reads the entries of calls with these references and ignores all others. */
export function courseOf(
  entries: readonly LogEntry[],
  isOurs: (reference: string) => boolean,
): CampaignCourse {
  const requestedAtMs: number[] = [];
  const endedAtMs: number[] = [];
  const placed = new Map<string, { atMs: number; durationMs: number }>();
  for (const entry of entries) {
    if (!('reference' in entry) || entry.reference == null || !isOurs(entry.reference)) continue;
    const atMs = Date.parse(entry.at);
    if (entry.kind === 'request' && entry.method === 'POST' && entry.path === '/calls') {
      requestedAtMs.push(atMs);
    } else if (entry.kind === 'placed') {
      placed.set(entry.carrier_id, { atMs, durationMs: NaN });
    } else if (entry.kind === 'state' && entry.state === 'ended') {
      endedAtMs.push(atMs);
      const call = placed.get(entry.carrier_id);
      if (call !== undefined) call.durationMs = atMs - call.atMs;
    }
  }
  const ascending = (a: number, b: number) => a - b;
  return {
    requestedAtMs: requestedAtMs.sort(ascending),
    endedAtMs: endedAtMs.sort(ascending),
    durationsMs: [...placed.values()].map(({ durationMs }) => durationMs),
  };
}

/**
 * Returns the idle time of each line between two calls. Each of the first requests fills a line. After that, the kth end frees the line
 * that the (lines + k)th request takes, and the last ends free lines that no contact needs.
 */
export function idleLineMs({ requestedAtMs, endedAtMs }: CampaignCourse, lines: number): number[] {
  return requestedAtMs.slice(lines).map((atMs, k) => atMs - (endedAtMs[k] ?? NaN));
}

export interface CampaignSize {
  contacts: number;
  lines: number;
  timeoutMs: number;
}

export interface CampaignMeasurement {
  contacts: number;
  lines: number;
  /** Usage from the API request to the last webhook. */
  usage: Usage;
  course: CampaignCourse;
  campaignRuns: RunRecord[];
  calls: RunRecord[];
}

/** Time to record that the last webhook was accepted. */
const LAST_RECORDS_MS = 500;

/** Runs a campaign of answered calls to its end, without API requests while it runs. */
export async function runCampaign(
  bench: BenchStack,
  size: CampaignSize,
  client: BenchClient = bench.client,
): Promise<string> {
  const { receiver, temporal } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  const campaignId = await createCampaign(client.api, { ...size, agentId: client.agentId, webhookUrl });
  const accepted = () =>
    receiver.entries.filter((entry) => entry.campaign_id === campaignId && isAccepted(entry)).length;
  const end = temporal.workflow.getHandle(workflowId.campaign(campaignId)).result();
  await whileReporting(bench.say, size.contacts, accepted, () => withinTime(end, size.timeoutMs));
  await waitUntil({
    what: 'the webhook of the last call',
    check: () => Promise.resolve(accepted() >= size.contacts),
    timeoutMs: 20_000,
  });
  await delay(LAST_RECORDS_MS);
  return campaignId;
}

/** Fails unless every contact was dialled exactly once and answered, because the figures are about answered calls. */
export async function measureCampaign(bench: BenchStack, size: CampaignSize): Promise<CampaignMeasurement> {
  const { temporal, stack } = bench;
  const { usage, result: campaignId } = await measureUsage(bench, () => runCampaign(bench, size));
  const runs = await campaignRuns(temporal.workflow, workflowId.campaign(campaignId));
  const callIds = await bench.statements.callIds(campaignId);
  const calls = await callRecords(temporal.workflow, callIds);
  const ours = new Set(callIds);
  const course = courseOf(readSimulatorLog(stack.simulatorLog), (reference) => ours.has(reference));
  assertComplete(course, size.contacts);
  return { ...size, usage, course, campaignRuns: runs, calls };
}

export function assertComplete(course: CampaignCourse, contacts: number): void {
  const { requestedAtMs, endedAtMs, durationsMs } = course;
  if ([requestedAtMs, endedAtMs, durationsMs].every(({ length }) => length === contacts)) return;
  throw new Error(
    `${contacts} contacts, but ${requestedAtMs.length} requests to the carrier, ${durationsMs.length} calls, ` +
      `${endedAtMs.length} ends`,
  );
}

const EVERY_MS = 15_000;

/** Prints the progress of long work every fifteen seconds, with the rate since the previous line. */
async function whileReporting<T>(
  say: (line: string) => void,
  total: number,
  done: () => number,
  work: () => Promise<T>,
): Promise<T> {
  let last = done();
  const timer = setInterval(() => {
    const now = done();
    const perSecond = ((now - last) / EVERY_MS) * 1000;
    say(`  ${now} of ${total} calls are over and delivered, ${perSecond.toFixed(1)} a second`);
    last = now;
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Returns the idle times of all lines between two calls. */
export const idleTimesMs = (runs: readonly { course: CampaignCourse; lines: number }[]): number[] =>
  runs.flatMap(({ course, lines }) => idleLineMs(course, lines));

export interface Cost {
  contacts: number;
  usage: Usage;
}

export function pooledCost(runs: readonly Cost[]): Cost {
  return {
    contacts: runs.reduce((sum, { contacts }) => sum + contacts, 0),
    usage: pooledUsage(runs.map(({ usage }) => usage)),
  };
}

export interface PooledCampaign extends Cost {
  idleMs: number[];
  campaignRuns: RunRecord[];
  calls: RunRecord[];
}

export function pooledCampaign(runs: readonly CampaignMeasurement[]): PooledCampaign {
  return {
    ...pooledCost(runs),
    idleMs: idleTimesMs(runs),
    campaignRuns: runs.flatMap(({ campaignRuns }) => campaignRuns),
    calls: runs.flatMap(({ calls }) => calls),
  };
}
