/** Measures how many calls per second this machine can begin when neither lines nor the carrier limit it. */
import { readSimulatorLog } from '../../dev/simulator/log';
import type { BenchStack } from './bench-stack';
import { courseOf } from './campaign-course';
import { figure, type Figure } from './figure';
import { assertComplete, runCampaign } from './measure-campaign';
import { onStack, type BenchRun } from './on-stack';
import { busiestFirst, threadCpuMs } from './thread-time';
import { measureUsage, type Usage } from './usage';

/** With half-second calls, a hundred lines could start two hundred calls per second. */
const TIMES = { ringMs: 100, talkMs: 400 };
const CAMPAIGN = { contacts: 600, lines: 100, timeoutMs: 180_000 };
const WARM_UP = { ...CAMPAIGN, contacts: 150 };
/** Range of requests that is measured. The first page and the last calls don't show the machine's limit. */
const [FROM, TO] = [0.1, 0.9];

export function measureBegun(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: CAMPAIGN.lines }, async (bench) => {
    run.say(`Warm-up: ${WARM_UP.contacts} calls.`);
    await runCampaign(bench, WARM_UP);
    run.say(`${CAMPAIGN.contacts} calls of half a second on ${CAMPAIGN.lines} lines.`);
    const threadsBefore = await threadCpuMs(bench.stack.worker.pid);
    const { usage, result: campaignId } = await measureUsage(bench, () => runCampaign(bench, CAMPAIGN));
    const threads = busiestFirst(threadsBefore, await threadCpuMs(bench.stack.worker.pid));
    return [
      figure('calls begun a second', begunASecond(await requestsOf(bench, campaignId)), '1/s'),
      ...coreFigures(usage),
      ...threads.slice(0, 2).map((ms, nth) => figure(THREADS[nth] ?? '', ms / usage.elapsedMs, 'cores')),
    ];
  });
}

/** The main thread runs activities, and another one runs workflows. The rest belong to V8 and the SDK. */
const THREADS = ['  its busiest thread', '  its second busiest thread'];

async function requestsOf({ stack, statements }: BenchStack, campaignId: string): Promise<number[]> {
  const callIds = new Set(await statements.callIds(campaignId));
  const course = courseOf(readSimulatorLog(stack.simulatorLog), (reference) => callIds.has(reference));
  assertComplete(course, CAMPAIGN.contacts);
  return course.requestedAtMs;
}

/** Returns calls per second in this range of the sorted times. */
function begunASecond(requestedAtMs: readonly number[]): number {
  const [from, to] = [FROM, TO].map((share) => Math.round(share * (requestedAtMs.length - 1)));
  if (from === undefined || to === undefined) return NaN;
  return ((to - from) * 1000) / ((requestedAtMs[to] ?? NaN) - (requestedAtMs[from] ?? NaN));
}

/** Returns the busy cores over the whole campaign. If CPU is the limit, they add up to the machine's cores. */
function coreFigures({ cpuMs, restCpuMs, othersCores, elapsedMs }: Usage): Figure[] {
  const cores = (name: string, ms: number): Figure => figure(name, ms / elapsedMs, 'cores');
  return [
    cores('Temporal', cpuMs.temporal),
    cores('API', cpuMs.api),
    cores('Postgres', cpuMs.postgres),
    ...(cpuMs.temporalInPostgres === null
      ? []
      : [cores("  of it in Temporal's databases", cpuMs.temporalInPostgres)]),
    cores('carrier, receiver and the bench itself', restCpuMs),
    figure('other programs', othersCores, 'cores'),
    cores('worker', cpuMs.worker),
  ];
}
