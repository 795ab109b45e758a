/** Measures how many calls this machine begins per second, and how long lines are idle after one of two workers is killed. */
import { readdir, readFile } from 'node:fs/promises';
import { readSimulatorLog } from '../../dev/simulator/log';
import { waitUntil, withinTime } from '../../dev/stack/wait-until';
import { workflowId } from '../../workflows/contract';
import { type BenchRun, type BenchStack, onStack } from './bench-stack';
import { figure, type Figure, median, percentile } from './figure';
import { assertComplete, type CampaignCourse, courseOf, idleLineMs, runCampaign } from './measure-campaign';
import { type LoadedCall, onPaper } from './on-paper';
import { createCampaign } from './platform-client';
import { startSecondWorker } from './process-beside';
import { measureUsage, readStat } from './usage';

/** Calls of half a second on 100 lines could begin 200 per second, so neither lines nor carrier are the limit. */
const SHORT_CALLS = { ringMs: 100, talkMs: 400 };
const BUSY = { contacts: 600, lines: 100, timeoutMs: 180_000 };
const BUSY_WARM_UP = { ...BUSY, contacts: 150 };
/** The first and last tenth of the dials don't show what the machine can do. */
const [FROM, TO] = [0.1, 0.9];

const TIMES = { ringMs: 300, talkMs: 2000 };
const CAMPAIGN = { contacts: 80, lines: 10, timeoutMs: 180_000 };
const KILLS = 3;
/** By then, each line has had a call. */
const DIALS_BEFORE_KILL = 15;
const AFTER_KILL_MS = 10_000;
const GOALS = { longestMs: 1_100, p50Ms: 100 } as const;

export async function measurePace(run: BenchRun): Promise<{ figures: Figure[]; onPaper: string }> {
  const begun = await measureBegun(run);
  return { figures: [...begun.figures, ...(await measureKilledWorker(run))], onPaper: onPaper(begun.call) };
}

function measureBegun(run: BenchRun): Promise<{ figures: Figure[]; call: LoadedCall }> {
  return onStack(run, { ...SHORT_CALLS, lines: BUSY.lines }, async (bench) => {
    const { worker, api } = bench.stack;
    run.say(`Warm-up: ${BUSY_WARM_UP.contacts} calls.`);
    await runCampaign(bench, BUSY_WARM_UP);
    run.say(`${BUSY.contacts} calls of half a second on ${BUSY.lines} lines.`);
    const before = [await threadCpuMs(worker.pid), await threadCpuMs(api.pid)] as const;
    const { usage, result } = await measureUsage(bench, () => runCampaign(bench, BUSY));
    const threadMs = async (pid: number, earlier: ThreadCpuMs) =>
      busiestMs(earlier, await threadCpuMs(pid)) / BUSY.contacts;
    const { requestedAtMs } = await courseOfCampaign(bench, result, BUSY.contacts);
    const { cpuMs } = usage;
    const inTemporal = cpuMs.temporalInPostgres ?? 0;
    const call: LoadedCall = {
      begunPerSecond: begunPerSecond(requestedAtMs),
      workerMs: cpuMs.worker / BUSY.contacts,
      workerThreadMs: await threadMs(worker.pid, before[0]),
      apiMs: cpuMs.api / BUSY.contacts,
      apiThreadMs: await threadMs(api.pid, before[1]),
      temporalMs: cpuMs.temporal / BUSY.contacts,
      temporalPostgresMs: inTemporal / BUSY.contacts,
      postgresMs: (cpuMs.postgres - inTemporal) / BUSY.contacts,
    };
    return { call, figures: begunFigures(call, usage.othersCores) };
  });
}

function begunFigures(call: LoadedCall, othersCores: number): Figure[] {
  const ms = (name: string, value: number) => figure(`CPU per call under load, ${name}`, value, 'ms');
  return [
    figure('calls begun per second', call.begunPerSecond, '1/s'),
    ms('worker', call.workerMs),
    ms("worker's busiest thread", call.workerThreadMs),
    ms('API', call.apiMs),
    ms("API's busiest thread", call.apiThreadMs),
    ms('Temporal', call.temporalMs),
    ms("Temporal's Postgres", call.temporalPostgresMs),
    ms('our Postgres', call.postgresMs),
    figure('cores that other programs kept busy', othersCores, ''),
  ];
}

/** Returns the rate between the two shares of the ascending times. */
function begunPerSecond(requestedAtMs: readonly number[]): number {
  const [from, to] = [FROM, TO].map((share) => Math.round(share * (requestedAtMs.length - 1)));
  if (from === undefined || to === undefined) return NaN;
  return ((to - from) * 1000) / ((requestedAtMs[to] ?? NaN) - (requestedAtMs[from] ?? NaN));
}

type ThreadCpuMs = ReadonlyMap<number, number>;

/** Returns the CPU time of each thread so far. */
async function threadCpuMs(pid: number): Promise<ThreadCpuMs> {
  const folder = `/proc/${pid}/task`;
  const stats = await Promise.all(
    (await readdir(folder)).map((id) => readFile(`${folder}/${id}/stat`, 'utf8').catch(() => null)),
  );
  return new Map(
    stats.flatMap((stat) => (stat === null ? [] : [readStat(stat)])).map((each) => [each.pid, each.cpuMs]),
  );
}

const busiestMs = (before: ThreadCpuMs, after: ThreadCpuMs): number =>
  Math.max(...[...after].map(([id, ms]) => ms - (before.get(id) ?? 0)));

async function courseOfCampaign(
  { stack, statements }: BenchStack,
  campaignId: string,
  contacts: number,
): Promise<CampaignCourse> {
  const callIds = new Set(await statements.callIds(campaignId));
  const course = courseOf(readSimulatorLog(stack.simulatorLog), (reference) => callIds.has(reference));
  assertComplete(course, contacts);
  return course;
}

function measureKilledWorker(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: CAMPAIGN.lines }, async (bench, closing) => {
    run.say(`One of two workers is killed in a campaign, ${KILLS} times.`);
    const second = await startSecondWorker(bench, run.environment, closing);
    await runCampaign(bench, CAMPAIGN);
    const rounds: number[][] = [];
    for (let round = 0; round < KILLS; round += 1) {
      if (!second.running) await second.start();
      rounds.push(await idleAfterKill(bench, () => second.kill()));
    }
    const longest = rounds.map((idleMs) => Math.max(...idleMs));
    return [
      figure('one of two workers killed: longest idle line, median', median(longest), 'ms'),
      figure('  most', Math.max(...longest), 'ms', GOALS.longestMs),
      figure(
        '  idle line in the ten seconds after the kill, p50, most',
        Math.max(...rounds.map((idleMs) => percentile(idleMs, 0.5))),
        'ms',
        GOALS.p50Ms,
      ),
    ];
  });
}

/** Returns the idle times of the lines that were dialled on in the ten seconds after the kill. */
async function idleAfterKill(bench: BenchStack, kill: () => Promise<void>): Promise<number[]> {
  const { client, receiver, stack, temporal } = bench;
  const webhookUrl = `${receiver.url}/calls`;
  const before = readSimulatorLog(stack.simulatorLog).length;
  const placed = () =>
    readSimulatorLog(stack.simulatorLog)
      .slice(before)
      .filter(({ kind }) => kind === 'placed').length;
  const campaignId = await createCampaign(client.api, { ...CAMPAIGN, agentId: client.agentId, webhookUrl });
  await waitUntil({
    what: 'the first calls',
    check: () => Promise.resolve(placed() >= DIALS_BEFORE_KILL),
    timeoutMs: 60_000,
  });
  const killedAtMs = Date.now();
  await kill();
  const end = temporal.workflow.getHandle(workflowId.campaign(campaignId)).result();
  await withinTime(end, CAMPAIGN.timeoutMs);
  const course = await courseOfCampaign(bench, campaignId, CAMPAIGN.contacts);
  return idleLineMs(course, CAMPAIGN.lines).filter((_idle, nth) => {
    const sinceKillMs = (course.requestedAtMs[nth + CAMPAIGN.lines] ?? NaN) - killedAtMs;
    return sinceKillMs > 0 && sinceKillMs <= AFTER_KILL_MS;
  });
}
