/** The dialler on graphile-worker: what a call costs in it, and what a kill -9 does to its campaign. Reported without a goal. */
import { makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import { tallyOf, type Tally } from '../../../dev/demo/tally';
import { readSimulatorLog } from '../../../dev/simulator/log';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { freePort, releasePort } from '../../../dev/stack/ports';
import { query } from '../../../dev/stack/postgres';
import type { RunningProcess } from '../../../dev/stack/processes';
import { answersOk, waitUntil } from '../../../dev/stack/wait-until';
import type { BenchStack } from '../bench-stack';
import { processBeside } from '../beside';
import { answeredNumber } from '../contact-file';
import { courseOf } from '../campaign-course';
import { figure, type Figure } from '../figure';
import { liveCalls } from '../live-calls';
import { assertComplete } from '../measure-campaign';
import { onStack, type BenchRun } from '../on-stack';
import { percentile } from '../percentile';
import { lineTimes } from '../pooled';
import { measureUsageOf, pooledUsage } from '../usage';
import { DIAL_TASK, type DialJob } from './job';

const TIMES = { ringMs: 300, talkMs: 2000 };
const LINES = 10;
const CONTACTS = 60;
const ROUNDS = 3;
/** By then each line has had a call, and three in four are still to come. */
const DIALS_BEFORE_KILL = 15;
const CAMPAIGN_WITHIN_MS = 180_000;

interface JobQueue {
  process: RunningProcess;
  utils: WorkerUtils;
  databaseUrl: string;
  /** How many its campaigns have had so far. */
  contacts: number;
}

/** About three minutes. */
export function measureJobQueue(run: BenchRun): Promise<Figure[]> {
  return onStack(run, { ...TIMES, lines: LINES }, async (bench, closing) => {
    const queue = await startJobQueue(bench, run.environment, closing);
    run.say(`A campaign of ${CONTACTS} calls on ${LINES} lines as a warm-up, then ${ROUNDS} that count.`);
    await runCampaign(bench, queue, 'warm-up');
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round += 1)
      rounds.push(await measureCampaign(bench, queue, `round-${round}`));
    run.say('Its worker is killed with -9 in a campaign, and started again at once.');
    return [...costFigures(rounds), ...(await killFigures(bench, queue))];
  });
}

async function startJobQueue(
  { stack, receiver }: BenchStack,
  environment: NodeJS.ProcessEnv,
  closing: ClosingOrder,
): Promise<JobQueue> {
  const databaseUrl = new URL(stack.databaseUrl);
  databaseUrl.pathname = '/job_queue';
  await query(stack.databaseUrl, (client) => client.query('create database job_queue'));
  const utils = await makeWorkerUtils({ connectionString: databaseUrl.href });
  closing.add('the connection to the job queue', () => Promise.resolve(utils.release()));
  await utils.migrate();
  const port = await freePort(0);
  closing.add('the port of the job queue', () => Promise.resolve(releasePort(port)));
  const worker = processBeside(
    { stack },
    {
      name: 'job-queue',
      args: ['dist/verify/bench/job-queue/main.js'],
      env: {
        ...environment,
        DATABASE_URL: databaseUrl.href,
        CARRIER_URL: stack.carrierUrl,
        CARRIER_SECRET: stack.secrets.carrierSecret,
        JOB_QUEUE_LINES: String(LINES),
        JOB_QUEUE_PORT: String(port),
        JOB_QUEUE_WEBHOOK_URL: `${receiver.url}/job-queue`,
      },
      ready: () => answersOk(`http://127.0.0.1:${port}/`),
    },
    closing,
  );
  await worker.start();
  return { process: worker, utils, databaseUrl: databaseUrl.href, contacts: 0 };
}

/** A job for each contact. Each campaign has numbers of its own, by which the carrier's log is read. */
async function addCampaign(queue: JobQueue, campaign: string): Promise<ReadonlySet<string>> {
  const first = queue.contacts;
  queue.contacts += CONTACTS;
  const nths = Array.from({ length: CONTACTS }, (_none, index) => first + index);
  await queue.utils.addJobs(
    nths.map((nth) => ({ identifier: DIAL_TASK, payload: { campaign, nth } satisfies DialJob })),
  );
  return new Set(nths.map((nth) => `+91${answeredNumber(nth)}`));
}

const webhooksOf = ({ receiver }: BenchStack, campaign: string): number =>
  new Set(
    receiver.entries.filter((entry) => entry.campaign_id === campaign).map(({ call_id: callId }) => callId),
  ).size;

async function runCampaign(bench: BenchStack, queue: JobQueue, campaign: string): Promise<void> {
  await addCampaign(queue, campaign);
  await waitUntil({
    what: 'the webhook of the last call',
    check: () => Promise.resolve(webhooksOf(bench, campaign) === CONTACTS),
    timeoutMs: CAMPAIGN_WITHIN_MS,
  });
}

async function measureCampaign(bench: BenchStack, queue: JobQueue, campaign: string) {
  const { usage } = await measureUsageOf(bench, queue.process.pid, () => runCampaign(bench, queue, campaign));
  const course = courseOf(readSimulatorLog(bench.stack.simulatorLog), (reference) =>
    reference.startsWith(`${campaign}-`),
  );
  assertComplete(course, CONTACTS);
  return { usage, course, lines: LINES };
}

function costFigures(rounds: readonly Awaited<ReturnType<typeof measureCampaign>>[]): Figure[] {
  const usage = pooledUsage(rounds.map((round) => round.usage));
  const contacts = CONTACTS * rounds.length;
  const times = lineTimes(rounds);
  return [
    figure('graphile-worker: CPU per call, worker', usage.cpuMs.worker / contacts, 'ms'),
    figure('graphile-worker: CPU per call, postgres', usage.cpuMs.postgres / contacts, 'ms'),
    figure('graphile-worker: idle line, p50', percentile(times.idleMs, 0.5), 'ms'),
    figure('graphile-worker: idle line, p99', percentile(times.idleMs, 0.99), 'ms'),
    figure('graphile-worker: makespan / ideal', times.makespanMs / times.idealMs, 'x'),
  ];
}

async function killFigures(bench: BenchStack, queue: JobQueue): Promise<Figure[]> {
  const campaign = 'killed';
  const numbers = await addCampaign(queue, campaign);
  const tally = (): Tally =>
    tallyOf({
      simulator: readSimulatorLog(bench.stack.simulatorLog),
      receiver: [],
      numbers,
      campaignId: campaign,
      lines: LINES,
    });
  const until = (what: string, check: () => Promise<boolean>) =>
    waitUntil({ what, check, timeoutMs: CAMPAIGN_WITHIN_MS });
  await until('the first calls', () => Promise.resolve(tally().calls.length >= DIALS_BEFORE_KILL));
  await queue.process.kill();
  const killed = await lockHolders(queue);
  await queue.process.start();
  await until('the end of what the new worker takes', async () => {
    const holders = await lockHolders(queue);
    return (await jobsLeft(queue)).unlocked === 0 && holders.every((id) => killed.includes(id));
  });
  const { locked } = await jobsLeft(queue);
  const { peakLive } = tally();
  const withoutWebhook = CONTACTS - webhooksOf(bench, campaign);
  // Its documentation: a lock is released after four hours, or by this where an operator knows that the worker is gone.
  await queue.utils.forceUnlockWorkers(killed);
  await until('the end of the jobs whose locks were released', async () => {
    const left = await jobsLeft(queue);
    return left.unlocked + left.locked === 0 && (await liveCalls(bench.stack.carrierUrl)) === 0;
  });
  const after = tally();
  return [
    figure('graphile-worker, killed with -9: jobs that stay locked for four hours', locked, ''),
    figure('  calls whose webhook is missing until then', withoutWebhook, ''),
    figure(`  live calls at once on ${LINES} lines, most`, peakLive, ''),
    figure('  people dialled twice once the locks are released', after.calls.length - after.contacts, ''),
  ];
}

const jobsLeft = async ({ databaseUrl }: JobQueue): Promise<{ locked: number; unlocked: number }> => {
  const [left] = await ask<{ locked: number; unlocked: number }>(
    databaseUrl,
    `select count(*) filter (where locked_at is not null)::integer as locked, count(*) filter (where locked_at is null)::integer as unlocked
     from graphile_worker.jobs`,
  );
  return left ?? { locked: 0, unlocked: 0 };
};

const lockHolders = async ({ databaseUrl }: JobQueue): Promise<string[]> =>
  (
    await ask<{ id: string }>(
      databaseUrl,
      'select distinct locked_by as id from graphile_worker.jobs where locked_by is not null',
    )
  ).map(({ id }) => id);

const ask = <Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> =>
  query(databaseUrl, async (client) => (await client.query<Row>(sql)).rows);
