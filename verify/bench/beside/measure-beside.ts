/** Compares the platform with three other programs: the cost of a call, the idle line, and the effect of `kill -9`. */
import { setTimeout as delay } from 'node:timers/promises';
import { tallyOf } from '../../../dev/demo/tally';
import { markdownTable } from '../../../dev/pages/tables';
import { readSimulatorLog } from '../../../dev/simulator/log';
import { waitUntil } from '../../../dev/stack/wait-until';
import { type BenchRun, type BenchStack, onStack } from '../bench-stack';
import { figure, type Figure, number, percentile } from '../figure';
import { assertComplete, courseOf, idleLineMs } from '../measure-campaign';
import { answeredNumber } from '../platform-client';
import { withoutReconciliation } from '../textbook/measure-textbook';
import { measureUsageOf, NO_PROCESS, type Usage } from '../usage';
import { type CarrierProxy, startCarrierProxy } from './carrier-proxy';
import {
  LINES,
  platformProgram,
  type Program,
  startGraphileWorker,
  startPgBoss,
  startTextbookProgram,
} from './programs';

const TIMES = { ringMs: 300, talkMs: 2000 };
const CAMPAIGN = { contacts: 120, lines: LINES, timeoutMs: 180_000 };
const WARM_UP = { ...CAMPAIGN, contacts: 30 };
const KILLED_CAMPAIGN = { ...CAMPAIGN, contacts: 60 };
/** After each of these numbers of dials, the worker is killed once the carrier has accepted another call and before its response arrives. */
const DIALS_BEFORE_KILL = [15, 30, 45];
/** Time for the last restarted worker to finish the campaign. Temporal repeats an interrupted activity after 15 s. */
const AFTER_LAST_KILL_MS = 40_000;
/** The same for a job queue, which needs two more rounds of calls. */
const QUEUE_AFTER_LAST_KILL_MS = 15_000;
const AFTER_RELEASE_MS = 60_000;
/** Time to record that the last webhook was accepted. */
const LAST_RECORDS_MS = 500;

interface Result {
  name: string;
  cpuMs: number;
  idleMs: readonly number[];
  kills: Kills;
  othersCores: number;
}

interface Kills {
  /** Longest time from a kill to the next dial. */
  pauseMs: number;
  /** Calls without a webhook when the last restarted worker has done all that it can. */
  stuck: number;
  /** Contacts without a webhook after the queue released the locked jobs. */
  lost: number;
  /** Contacts that were dialled more than once. */
  doubled: number;
  peakLive: number;
  /** When the queue would have released the locked jobs. */
  expireAfter: string | null;
}

/** Runs one program at a time and stops servers that the next ones don't need, so that they cost them nothing. */
export async function measureBeside(run: BenchRun): Promise<{ figures: Figure[]; table: string }> {
  const proxy = await startCarrierProxy();
  const workerEnvironment = { CARRIER_URL: proxy.url };
  try {
    return await onStack(run, { ...TIMES, lines: LINES, workerEnvironment }, async (bench, closing) => {
      const { stack, temporal } = bench;
      proxy.forwardTo(stack.carrierUrl);
      const env = { ...run.environment, ...workerEnvironment };
      const measure = (program: Program) => measureProgram(bench, program, proxy);
      const results = [await measure(platformProgram(bench))];
      await withoutReconciliation(temporal, async () => {
        await stack.worker.stop();
        await stack.api.stop();
        const textbook = await startTextbookProgram(bench, env, closing);
        results.push(await measure(textbook));
        await textbook.worker.stop();
        await textbook.api?.stop();
      });
      await stack.temporal?.process.stop();
      for (const start of [startGraphileWorker, startPgBoss]) {
        const program = await start(bench, env, closing);
        results.push(await measure(program));
        await program.worker.stop();
      }
      return { figures: results.flatMap(figuresOf), table: markdownOf(results) };
    });
  } finally {
    await proxy.close();
  }
}

async function measureProgram(bench: BenchStack, program: Program, proxy: CarrierProxy): Promise<Result> {
  const { name, worker, api } = program;
  bench.say(`${name}: ${WARM_UP.contacts} calls as a warm-up, then ${CAMPAIGN.contacts}.`);
  await finished(bench, program, WARM_UP);
  const pids = { worker: worker.pid, api: api?.pid ?? NO_PROCESS };
  const { usage, result } = await measureUsageOf(bench, pids, () => finished(bench, program, CAMPAIGN));
  const course = courseOf(result.calls(), () => true);
  assertComplete(course, CAMPAIGN.contacts);
  bench.say(
    `${name}: ${KILLED_CAMPAIGN.contacts} calls, in which its worker is killed ${DIALS_BEFORE_KILL.length} times.`,
  );
  const kills = await measureKills(bench, program, proxy);
  return {
    name,
    cpuMs: totalCpuMs(usage) / CAMPAIGN.contacts,
    idleMs: idleLineMs(course, LINES),
    kills,
    othersCores: usage.othersCores,
  };
}

/** Temporal's share of Postgres is already part of `postgres`. */
const totalCpuMs = ({ cpuMs }: Usage): number => cpuMs.worker + cpuMs.api + cpuMs.temporal + cpuMs.postgres;

/** Reads what the carrier and the receiver have logged from now on. */
function observe({ stack, receiver }: BenchStack) {
  const [entriesBefore, webhooksBefore] = [
    readSimulatorLog(stack.simulatorLog).length,
    receiver.entries.length,
  ];
  const calls = () => readSimulatorLog(stack.simulatorLog).slice(entriesBefore);
  return {
    calls,
    delivered: () => new Set(receiver.entries.slice(webhooksBefore).map((entry) => entry.call_id)).size,
    tally: (contacts: number) =>
      tallyOf({
        simulator: calls(),
        receiver: [],
        numbers: new Set(Array.from({ length: contacts }, (_none, nth) => `+91${answeredNumber(nth)}`)),
        campaignId: '',
        lines: LINES,
      }),
  };
}

async function finished(bench: BenchStack, program: Program, size: typeof CAMPAIGN) {
  const observed = observe(bench);
  await program.start(size);
  await waitUntil({
    what: 'the webhook of the last call',
    check: () => Promise.resolve(observed.delivered() === size.contacts),
    timeoutMs: size.timeoutMs,
  });
  await delay(LAST_RECORDS_MS);
  return observed;
}

async function measureKills(
  bench: BenchStack,
  { worker, start, locks }: Program,
  proxy: CarrierProxy,
): Promise<Kills> {
  const { contacts } = KILLED_CAMPAIGN;
  const observed = observe(bench);
  const tally = () => observed.tally(contacts);
  const isOver = () =>
    observed.delivered() >= contacts && tally().calls.every(({ endedAtMs }) => endedAtMs !== null);
  await start(KILLED_CAMPAIGN);
  const killedAtMs: number[] = [];
  for (const dials of DIALS_BEFORE_KILL) {
    await waitUntil({
      what: `dial ${dials}`,
      check: () => Promise.resolve(tally().calls.length >= dials),
      timeoutMs: KILLED_CAMPAIGN.timeoutMs,
    });
    await proxy.nextDial();
    killedAtMs.push(Date.now());
    await worker.kill();
    await worker.start();
  }
  await timeFor(locks === null ? AFTER_LAST_KILL_MS : QUEUE_AFTER_LAST_KILL_MS, isOver);
  const stuck = contacts - observed.delivered();
  if (stuck > 0 && locks !== null) {
    await locks.release();
    await timeFor(AFTER_RELEASE_MS, isOver);
  }
  const { calls, peakLive } = tally();
  const dialled = calls.map(({ to }) => to);
  const repeated = dialled.filter((to, nth) => dialled.indexOf(to) < nth);
  const pauses = killedAtMs.map((atMs) => {
    const next = calls.find(({ placedAtMs }) => placedAtMs > atMs);
    return (next?.placedAtMs ?? NaN) - atMs;
  });
  return {
    pauseMs: Math.max(...pauses),
    stuck,
    lost: contacts - observed.delivered(),
    doubled: new Set(repeated).size,
    peakLive,
    expireAfter: stuck > 0 ? (locks?.expireAfter ?? null) : null,
  };
}

async function timeFor(ms: number, isOver: () => boolean): Promise<void> {
  const deadline = Date.now() + ms;
  while (Date.now() < deadline && !isOver()) await delay(100);
}

function figuresOf({ name, cpuMs, idleMs, kills, othersCores }: Result): Figure[] {
  const of = (what: string, value: number, unit: string) => figure(`${name}: ${what}`, value, unit);
  return [
    of('CPU per call, all processes', cpuMs, 'ms'),
    of('idle line, p50', percentile(idleMs, 0.5), 'ms'),
    of('idle line, p99', percentile(idleMs, 0.99), 'ms'),
    of('killed: longest time to the next dial', kills.pauseMs, 'ms'),
    of('killed: calls whose webhook waits for a lock to expire', kills.stuck, ''),
    of('killed: contacts lost', kills.lost, ''),
    of('killed: contacts dialled twice', kills.doubled, ''),
    of(`killed: most live calls at once on ${LINES} lines`, kills.peakLive, ''),
    of('cores that other programs kept busy', othersCores, ''),
  ];
}

/** Returns the table of README. */
function markdownOf(results: readonly Result[]): string {
  const killed = `${DIALS_BEFORE_KILL.length} × \`kill -9\` of the worker`;
  const row = (what: string, value: (result: Result) => string) => [what, ...results.map(value)];
  const ms = (value: number) => `${Math.round(value)} ms`;
  const head = row('', ({ name }) => name);
  return markdownTable(head, [
    row('CPU per call, all processes', ({ cpuMs }) => ms(cpuMs)),
    row(
      'idle line between two calls, p50 / p99',
      ({ idleMs }) => `${ms(percentile(idleMs, 0.5))} / ${ms(percentile(idleMs, 0.99))}`,
    ),
    row(`${killed}: contacts lost`, ({ kills }) => String(kills.lost)),
    row('contacts dialled twice', ({ kills }) => String(kills.doubled)),
    row('calls whose webhook waits until a lock expires', ({ kills }) =>
      kills.expireAfter === null ? String(kills.stuck) : `${kills.stuck}, for ${kills.expireAfter}`,
    ),
    row(`most live calls at once (limit: ${LINES})`, ({ kills }) => String(kills.peakLive)),
    row('longest time until the next dial', ({ kills }) => `${number(kills.pauseMs / 1000)} s`),
  ]);
}
