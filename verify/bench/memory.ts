/** What a live call keeps in the worker's memory, and in the servers'. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_CONFIG } from '../../dev/demo/agent';
import { waitUntil } from '../../dev/stack/wait-until';
import type { BenchStack } from './bench-stack';
import { figure, type Figure } from './figure';
import { liveCalls } from './live-calls';
import type { MemoryReport } from './memory-probe';
import { askForMemory } from './memory-report';
import { onStack, type BenchRun } from './on-stack';
import { createAgent, createCampaign } from './platform-client';
import { residentBytes } from './resident-memory';
import { number } from './table';

const LIVE_CALLS = [100, 500, 1000];
/** Longer than it takes to make the last call. */
const TALK_MS = 1_500_000;
const TALKATIVE = {
  ...AGENT_CONFIG,
  experience: { settings: { call_settings: { max_call_duration: 60, max_duration_enabled: true } } },
};
const MADE_WITHIN_MS = 400_000;
/** For the signals and history of the last calls to settle. */
const SETTLED_MS = 3000;
const MIB = 2 ** 20;

export interface MemoryAt {
  live: number;
  report: MemoryReport;
  temporalRssBytes: number;
}

/** About two minutes; the calls are never ended. */
export async function measureMemory(run: BenchRun): Promise<MemoryAt[]> {
  const file = join(tmpdir(), `voice-agent-platform-memory-${randomBytes(6).toString('hex')}.json`);
  const most = LIVE_CALLS.at(-1) ?? 0;
  const workerEnvironment = {
    NODE_OPTIONS: `--require ${join(__dirname, 'memory-probe.js')}`,
    BENCH_MEMORY_FILE: file,
  };
  const settings = { ringMs: 300, talkMs: TALK_MS, lines: most, workerEnvironment };
  try {
    return await onStack(run, settings, async (bench) => {
      run.say(`Memory of the worker with up to ${most} live calls.`);
      const agentId = await createAgent(bench.client.api, TALKATIVE);
      const measured = [await measureAt(bench, file, 0)];
      for (const live of LIVE_CALLS) {
        await startLiveCalls(bench, agentId, live - (measured.at(-1)?.live ?? 0), live);
        measured.push(await measureAt(bench, file, live));
      }
      return measured;
    });
  } finally {
    await rm(file, { force: true });
  }
}

async function startLiveCalls(bench: BenchStack, agentId: string, more: number, live: number): Promise<void> {
  const { stack, receiver, client } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  await createCampaign(client.api, { agentId, webhookUrl, contacts: more, lines: more });
  const check = async () => (await liveCalls(stack.carrierUrl)) >= live;
  await waitUntil({ what: `the last of ${live} live calls`, check, timeoutMs: MADE_WITHIN_MS });
  await delay(SETTLED_MS);
}

async function measureAt({ stack, say }: BenchStack, file: string, live: number): Promise<MemoryAt> {
  const report = await askForMemory('the worker', stack.worker.pid, file);
  const temporalRssBytes = stack.temporal === null ? NaN : await residentBytes(stack.temporal.process.pid);
  say(`  ${live} live: ${number(report.rssBytes / MIB)} MiB`);
  return { live, report, temporalRssBytes };
}

export function memoryFigures(measured: readonly MemoryAt[]): Figure[] {
  const [first, last] = [measured.find(({ live }) => live > 0), measured.at(-1)];
  if (first === undefined || last === undefined) return [];
  const each = (value: (at: MemoryAt) => number) =>
    (value(last) - value(first)) / (last.live - first.live) / 1024;
  const heap = ({ report }: MemoryAt) => report.mainHeapBytes + report.threadHeapBytes;
  return [
    ...measured.flatMap((at) => [
      figure(`worker with ${at.live} live calls: resident`, at.report.rssBytes / MIB, 'MiB'),
      figure(`worker with ${at.live} live calls: JavaScript heaps`, heap(at) / MIB, 'MiB'),
      figure(`Temporal with ${at.live} live calls: resident`, at.temporalRssBytes / MIB, 'MiB'),
    ]),
    figure(
      'worker, resident, each further live call',
      each(({ report }) => report.rssBytes),
      'KiB',
    ),
    figure('worker, JavaScript heaps, each further live call', each(heap), 'KiB'),
    figure(
      'Temporal, resident, each further live call',
      each((at) => at.temporalRssBytes),
      'KiB',
    ),
  ];
}
