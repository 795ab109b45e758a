/** Starts the programs of the comparison and gives them the same interface. */
import { makeWorkerUtils } from 'graphile-worker';
import PgBoss from 'pg-boss';
import type { ClosingOrder } from '../../../dev/stack/closing';
import type { Environment } from '../../../dev/stack/platform-environment';
import { query } from '../../../dev/stack/postgres';
import type { RunningProcess } from '../../../dev/stack/processes';
import type { BenchStack } from '../bench-stack';
import type { CampaignSize } from '../measure-campaign';
import { createCampaign } from '../platform-client';
import { givePort, startRival } from '../process-beside';
import { startTextbook } from '../textbook/measure-textbook';
import { DIAL_QUEUE, type DialJob } from './dial-job';

export interface Program {
  name: string;
  /** The process that is killed. */
  worker: RunningProcess;
  /** The process that receives the carrier's events; null if the worker receives them. */
  api: RunningProcess | null;
  /** Starts a campaign that dials the first contacts of the benchmark. */
  start: (size: CampaignSize) => Promise<void>;
  /** Null if no job stays locked after its worker has died. */
  locks: JobLocks | null;
}

interface JobLocks {
  /** Time after which the queue releases a dead worker's jobs by itself, with its defaults. */
  expireAfter: string;
  /** Releases these jobs now. */
  release: () => Promise<void>;
}

export function platformProgram({ stack, client, receiver }: BenchStack): Program {
  const webhookUrl = `${receiver.url}/calls`;
  return {
    name: 'this project',
    worker: stack.worker,
    api: stack.api,
    start: async (size) => {
      await createCampaign(client.api, { ...size, agentId: client.agentId, webhookUrl });
    },
    locks: null,
  };
}

type Start = (bench: BenchStack, environment: Environment, closing: ClosingOrder) => Promise<Program>;

export const startTextbookProgram: Start = async (bench, environment, closing) => {
  const textbook = await startTextbook(bench, environment, closing);
  const nextName = campaignNames('textbook');
  return {
    name: 'textbook Temporal',
    worker: textbook.worker,
    api: textbook.events,
    start: async (size) => {
      const { result } = await textbook.start(nextName(), size);
      // A later campaign runs only if this one ends, so its failure is noticed there.
      result.catch(() => undefined);
    },
    locks: null,
  };
};

export const startGraphileWorker: Start = async (bench, environment, closing) => {
  const databaseUrl = await createDatabase(bench, 'graphile_worker');
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  closing.add("graphile-worker's connection", () => Promise.resolve(utils.release()));
  await utils.migrate();
  return startQueue(bench, environment, closing, {
    name: 'graphile-worker',
    databaseUrl,
    add: async (jobs) => {
      await utils.addJobs(jobs.map((payload) => ({ identifier: DIAL_QUEUE, payload })));
    },
    locks: {
      expireAfter: '4 h',
      release: async () => {
        const { rows } = await query(databaseUrl, (client) =>
          client.query<{ id: string }>(
            'select distinct locked_by as id from graphile_worker.jobs where locked_by is not null',
          ),
        );
        await utils.forceUnlockWorkers(rows.map(({ id }) => id));
      },
    },
  });
};

export const startPgBoss: Start = async (bench, environment, closing) => {
  const databaseUrl = await createDatabase(bench, 'pg_boss');
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  boss.on('error', (error) => bench.say(error.message));
  await boss.start();
  closing.add("pg-boss's connection", () => boss.stop({ graceful: false }));
  await boss.createQueue(DIAL_QUEUE);
  return startQueue(bench, environment, closing, {
    name: 'pg-boss',
    databaseUrl,
    add: (jobs) => boss.insert(jobs.map((data) => ({ name: DIAL_QUEUE, data }))),
    locks: {
      expireAfter: '15 min',
      release: async () => {
        await query(databaseUrl, (client) =>
          client.query("update pgboss.job set started_on = started_on - expire_in where state = 'active'"),
        );
        await boss.expire();
      },
    },
  });
};

interface Queue extends Pick<Program, 'name' | 'locks'> {
  databaseUrl: string;
  add: (jobs: readonly DialJob[]) => Promise<void>;
}

async function startQueue(
  bench: BenchStack,
  environment: Environment,
  closing: ClosingOrder,
  { name, databaseUrl, add, locks }: Queue,
): Promise<Program> {
  const env = { ...environment, DATABASE_URL: databaseUrl, LINES: String(LINES) };
  const eventsPort = await givePort(closing);
  const worker = await startRival(bench, { program: `beside/${name}.js`, env, eventsPort, closing });
  const nextName = campaignNames(name);
  return {
    name,
    worker,
    api: null,
    start: ({ contacts }) => {
      const campaign = nextName();
      return add(Array.from({ length: contacts }, (_none, nth) => ({ campaign, nth })));
    },
    locks,
  };
}

/** Number of lines of each campaign. */
export const LINES = 10;

function campaignNames(prefix: string): () => string {
  let campaigns = 0;
  return () => `${prefix}-${(campaigns += 1)}`;
}

async function createDatabase({ stack }: BenchStack, name: string): Promise<string> {
  await query(stack.databaseUrl, (client) => client.query(`create database ${name}`));
  const url = new URL(stack.databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
