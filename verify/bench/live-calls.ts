/** Measures how much memory and CPU each process uses for a live call over LiveKit. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AGENT_CONFIG } from '../../dev/demo/agent';
import { CALLS } from '../../dev/demo/api-client';
import type { Media } from '../../dev/stack/stack';
import { waitUntil } from '../../dev/stack/wait-until';
import { valueAt } from '../../domain/json';
import { type BenchRun, type BenchStack, onStack } from './bench-stack';
import { figure, type Figure } from './figure';
import { answeredNumber, createAgent, dispatch } from './platform-client';
import { allProcesses, cpuTimes, difference, type ProcessTimes } from './usage';

const MEASURED_MS = 20_000;
/** Long enough for the last call to finish starting. */
const BEFORE_MEASURING_MS = 5_000;
const MIB = 2 ** 20;

interface MemoryUse {
  /** Includes shared memory in full for each process. */
  residentBytes: number;
  /** Divides shared memory among the processes that use it, so that values add up. */
  proportionalBytes: number;
}

interface ProcessUse extends MemoryUse {
  name: string;
  /** Fraction of one core. */
  cpuShare: number;
}

function mediaOf({ stack }: BenchStack): Media {
  if (stack.media === null) throw new Error('the stack has no media servers');
  return stack.media;
}

/** Measures CPU time over 20 s, and memory at the end. */
async function measureProcesses(bench: BenchStack): Promise<ProcessUse[]> {
  await delay(BEFORE_MEASURING_MS);
  const { api, worker } = bench.stack;
  const media = mediaOf(bench);
  const pids = { api: api.pid, worker: worker.pid, agent: media.agent.pid, LiveKit: media.livekit.pid };
  const before = await cpuTimes(pids);
  const startedAtMs = performance.now();
  await delay(MEASURED_MS);
  const cpuMs = difference(await cpuTimes(pids), before);
  const elapsedMs = performance.now() - startedAtMs;
  const names = ['api', 'worker', 'agent', 'LiveKit'] as const;
  return Promise.all(
    names.map(async (name) => ({
      name,
      ...(await treeMemory(pids[name])),
      cpuShare: cpuMs[name] / elapsedMs,
    })),
  );
}

/** Returns what each of `count` calls adds to each process. */
function eachMore(
  used: readonly ProcessUse[],
  idle: readonly ProcessUse[],
  count: number,
  one: string,
): Figure[] {
  const more = (now: number, without: number | undefined): number => (now - (without ?? NaN)) / count;
  return used.flatMap(({ name, residentBytes, proportionalBytes, cpuShare }, nth) => {
    const without = idle[nth];
    const each = `${name}, each ${one}`;
    return [
      figure(`${each}: resident`, more(residentBytes, without?.residentBytes) / MIB, 'MiB'),
      figure(`${each}: proportional`, more(proportionalBytes, without?.proportionalBytes) / MIB, 'MiB'),
      figure(`${each}: CPU`, more(cpuShare, without?.cpuShare) * 100, '% of a core'),
    ];
  });
}

/** Returns the memory of a process and all its descendants. Linux only. A process that has ended in the meantime is ignored. */
async function treeMemory(root: number): Promise<MemoryUse> {
  const pids = treeOf(await allProcesses(), root);
  const each = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const used = each.map(readSmaps);
  return {
    residentBytes: used.reduce((sum, one) => sum + one.residentBytes, 0),
    proportionalBytes: used.reduce((sum, one) => sum + one.proportionalBytes, 0),
  };
}

function readSmaps(smaps: string): MemoryUse {
  const bytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(smaps)?.[1] ?? 0) * 1024;
  return { residentBytes: bytes('Rss'), proportionalBytes: bytes('Pss') };
}

function treeOf(processes: readonly ProcessTimes[], root: number): number[] {
  const children = processes.filter(({ parent }) => parent === root);
  return [root, ...children.flatMap(({ pid }) => treeOf(processes, pid))];
}

const WARM_UP_CALLS = 2;
/** Each call runs in an agent process of several hundred megabytes. */
const LIVE_CALLS = 6;
/** Ends in 73, so the call lasts until its time limit. */
const ENDLESS_NUMBER = 9_820_000_073;
const CALL_WITHIN_MS = 60_000;

const TALKATIVE = {
  ...AGENT_CONFIG,
  experience: { settings: { call_settings: { max_call_duration: 10, max_duration_enabled: true } } },
};

/** Everything runs on this machine: the media server, the SIP stand-in and the agent. */
export async function measureLiveCalls(run: BenchRun): Promise<Figure[]> {
  const settings = {
    ringMs: 300,
    talkMs: 1_000,
    lines: LIVE_CALLS,
    telephony: 'livekit',
    agentEnvironment: { AGENT_SILENCE_MS: '1000' },
  } as const;
  return onStack(run, settings, async (bench) => {
    run.say(`${LIVE_CALLS} live calls over LiveKit, after ${WARM_UP_CALLS} short ones.`);
    for (let nth = 0; nth < WARM_UP_CALLS; nth++)
      await untilEnded(bench, await dispatch(bench.client, `0${answeredNumber(nth)}`));
    const agentId = await createAgent(bench.client.api, TALKATIVE);
    const idle = await measureProcesses(bench);
    for (let nth = 0; nth < LIVE_CALLS; nth++)
      await dispatch({ ...bench.client, agentId }, `0${ENDLESS_NUMBER + nth * 100}`);
    const check = async () => (await liveCalls(mediaOf(bench).url)) >= LIVE_CALLS;
    await waitUntil({ what: `the last of ${LIVE_CALLS} live calls`, check, timeoutMs: CALL_WITHIN_MS });
    return eachMore(await measureProcesses(bench), idle, LIVE_CALLS, 'live call over LiveKit');
  });
}

async function untilEnded({ client }: BenchStack, callId: string): Promise<void> {
  await waitUntil({
    what: 'the end of a call',
    check: async () => {
      const { data } = await client.api.get('/api/call-history?page_size=5', CALLS);
      return data.some((call) => call.call_id === callId && call.End_time !== null);
    },
    timeoutMs: CALL_WITHIN_MS,
  });
}

/** Returns the carrier's current number of live calls. */
async function liveCalls(carrierUrl: string): Promise<number> {
  const stats: unknown = await (await fetch(`${carrierUrl}/stats`)).json();
  const live = valueAt(stats, 'live');
  if (typeof live !== 'number') throw new Error('the carrier does not report its live calls');
  return live;
}
