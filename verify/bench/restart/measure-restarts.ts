/** How soon a process that was killed is ready, and how soon calls are placed again. */
import { readSimulatorLog } from '../../../dev/simulator/log';
import type { RunningProcess } from '../../../dev/stack/processes';
import { waitUntil, withinTime } from '../../../dev/stack/wait-until';
import { workflowId } from '../../../workflows/contract';
import type { BenchStack } from '../bench-stack';
import { courseOf, idleLineMs, type CampaignCourse } from '../campaign-course';
import { cpuTimes } from '../cpu-time';
import { liveCalls } from '../live-calls';
import { onStack, type BenchRun } from '../on-stack';
import { createCampaign } from '../platform-client';
import { secondWorker } from './second-worker';

export interface Start {
  readyMs: number;
  /** Used by the process until it was ready. */
  cpuMs: number;
}

/** From the instants of one kill to the next request for a call at the carrier. */
export interface Recovery {
  fromKillMs: number;
  fromStartMs: number;
  fromReadyMs: number;
}

export interface Restarts {
  worker: Start[];
  api: Start[];
  /** The only worker is killed, and started once all lines are free and granted to calls that nobody dials. */
  onlyWorker: Recovery[];
  /** Worker, API, Temporal and Postgres are killed at one instant, and started one after the other at once. */
  everything: Recovery[];
  /** One of two workers is killed: each line that became free from then on, until the next request for a call took it. */
  idleLinesOfTwo: number[][];
}

const ROUNDS = 5;
const LINES = 10;
const TIMES = { ringMs: 300, talkMs: 2000 };
const CONTACTS = 60;
/** By then each line has had a call, and three in four are still to come. */
const DIALS_BEFORE_KILL = 15;
const CAMPAIGN_WITHIN_MS = 180_000;

export function measureRestarts(run: BenchRun): Promise<Restarts> {
  return onStack(run, { ...TIMES, lines: LINES }, async (bench, closing) => {
    const { worker, api } = bench.stack;
    const measured: Restarts = { worker: [], api: [], onlyWorker: [], everything: [], idleLinesOfTwo: [] };
    await duringCampaign(bench, () => Promise.resolve());
    run.say(`Worker and API are killed and started again, ${ROUNDS} times each.`);
    for (let round = 0; round < ROUNDS; round += 1) {
      measured.worker.push(await startAfterKill(worker));
      measured.api.push(await startAfterKill(api));
    }
    run.say(`The only worker is killed in a campaign, ${ROUNDS} times.`);
    for (let round = 0; round < ROUNDS; round += 1) measured.onlyWorker.push(await killOnlyWorker(bench));
    run.say(`Everything is killed in a campaign, ${ROUNDS} times.`);
    for (let round = 0; round < ROUNDS; round += 1) measured.everything.push(await killEverything(bench));
    run.say(`One of two workers is killed in a campaign, ${ROUNDS} times.`);
    const second = await secondWorker(bench, run.environment, closing);
    for (let round = 0; round < ROUNDS; round += 1) {
      measured.idleLinesOfTwo.push(await killOneOfTwo(bench, second));
    }
    return measured;
  });
}

async function startAfterKill(process: RunningProcess): Promise<Start> {
  await process.kill();
  const startedAtMs = performance.now();
  await process.start();
  const readyMs = performance.now() - startedAtMs;
  return { readyMs, cpuMs: (await cpuTimes({ used: process.pid })).used };
}

async function killOnlyWorker(bench: BenchStack): Promise<Recovery> {
  const { worker, carrierUrl } = bench.stack;
  return duringCampaign(bench, async () => {
    const killedAtMs = Date.now();
    await worker.kill();
    await waitUntil({
      what: 'the end of all calls',
      check: async () => (await liveCalls(carrierUrl)) === 0,
      timeoutMs: 30_000,
    });
    const startedAtMs = Date.now();
    await worker.start();
    return recovery(bench, killedAtMs, startedAtMs, Date.now());
  });
}

async function killEverything(bench: BenchStack): Promise<Recovery> {
  const { worker, api, temporal, postgres } = bench.stack;
  if (temporal === null || postgres === null) throw new Error('the servers of the stack are not its own');
  return duringCampaign(bench, async () => {
    const killedAtMs = Date.now();
    await Promise.all([worker, api, temporal.process, postgres.process].map((each) => each.kill()));
    await postgres.process.start();
    await temporal.process.start();
    const startedAtMs = Date.now();
    await Promise.all([worker.start(), api.start()]);
    return recovery(bench, killedAtMs, startedAtMs, Date.now());
  });
}

async function killOneOfTwo(bench: BenchStack, second: RunningProcess): Promise<number[]> {
  if (!second.running) await second.start();
  const { killedAtMs, course } = await duringCampaign(bench, async (ofCampaign) => {
    const atMs = Date.now();
    await second.kill();
    return { killedAtMs: atMs, course: ofCampaign };
  });
  const { requestedAtMs, endedAtMs } = course();
  const idleMs = idleLineMs(course(), LINES);
  return idleMs.filter(
    (_idle, nth) => (requestedAtMs[nth + LINES] ?? 0) > killedAtMs && endedAtMs[nth] !== undefined,
  );
}

async function recovery(
  bench: BenchStack,
  killedAtMs: number,
  startedAtMs: number,
  readyAtMs: number,
): Promise<Recovery> {
  const nextDial = () =>
    courseOf(readSimulatorLog(bench.stack.simulatorLog), () => true).requestedAtMs.find(
      (atMs) => atMs > startedAtMs,
    );
  await waitUntil({
    what: 'the next dial',
    check: () => Promise.resolve(nextDial() !== undefined),
    timeoutMs: 60_000,
  });
  const atMs = nextDial() ?? NaN;
  return { fromKillMs: atMs - killedAtMs, fromStartMs: atMs - startedAtMs, fromReadyMs: atMs - readyAtMs };
}

/** Creates a campaign, does the deed once calls follow each other on its lines, and waits for its end. */
async function duringCampaign<T>(
  bench: BenchStack,
  deed: (course: () => CampaignCourse) => Promise<T>,
): Promise<T> {
  const { client, receiver, stack, temporal } = bench;
  const before = new Set(references(stack.simulatorLog));
  const course = () => courseOf(readSimulatorLog(stack.simulatorLog), (reference) => !before.has(reference));
  const campaignId = await createCampaign(client.api, {
    agentId: client.agentId,
    contacts: CONTACTS,
    lines: LINES,
    webhookUrl: `${receiver.url}/calls`,
  });
  await waitUntil({
    what: 'the first calls',
    check: () => Promise.resolve(course().requestedAtMs.length >= DIALS_BEFORE_KILL),
    timeoutMs: 60_000,
  });
  const done = await deed(course);
  await withinTime(temporal.workflow.getHandle(workflowId.campaign(campaignId)).result(), CAMPAIGN_WITHIN_MS);
  return done;
}

const references = (log: string): string[] =>
  readSimulatorLog(log).flatMap((entry) =>
    'reference' in entry && typeof entry.reference === 'string' ? [entry.reference] : [],
  );
