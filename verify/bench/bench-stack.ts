/** Starts a whole platform for one measurement, as in production except that its data is temporary. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { ApiClient } from '../../dev/demo/api-client';
import { demoEnvironment, demoOverrides } from '../../dev/demo/environment';
import { createOrganization } from '../../dev/demo/organization';
import type { OnProgress } from '../../dev/progress';
import { type Receiver, startReceiver } from '../../dev/receiver/receiver';
import { removeFolder } from '../../dev/remove-folder';
import { ClosingOrder } from '../../dev/stack/closing';
import { removableData } from '../../dev/stack/data-folder';
import type { Environment } from '../../dev/stack/platform-environment';
import { repositoryRoot } from '../../dev/stack/repository';
import { ANY_PORTS, type Stack, startStack } from '../../dev/stack/stack';
import { waitUntil } from '../../dev/stack/wait-until';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { ToolMissing } from '../../dev/toolchain/find-tool';
import { findTemporalServer, type FoundTemporalServer } from '../../dev/toolchain/temporal-tools';
import { searchAttributes } from '../../workflows/contract';
import { type BareRun, unlessAborted } from './bare-servers';
import { createAgent } from './platform-client';
import { statementCounter, type StatementCounter } from './statements';

export type TemporalChoice = 'auto' | 'postgres' | 'dev';

export const TEMPORAL_CHOICES: readonly TemporalChoice[] = ['auto', 'postgres', 'dev'];

/** Returns null for the development server. Rejects only if the server on Postgres was requested but isn't available. */
export async function chooseTemporal(
  choice: TemporalChoice,
  { environment, onProgress, say }: Pick<BenchRun, 'environment' | 'onProgress' | 'say'>,
  find: typeof findTemporalServer = findTemporalServer,
): Promise<FoundTemporalServer | null> {
  if (choice === 'dev') return null;
  try {
    return await find({
      configuredPath: environment.TEMPORAL_SERVER_PATH,
      environment,
      cacheFolder: cacheFolder(environment),
      onProgress,
    });
  } catch (error) {
    if (choice === 'postgres' || !(error instanceof ToolMissing)) throw error;
    say(
      `${error.message}\nMeasuring the development server instead. Its figures say nothing about production.`,
    );
    return null;
  }
}

interface BenchStackOptions {
  environment: Environment;
  ringMs: number;
  talkMs: number;
  /** The organization's maximum. */
  lines: number;
  /** Null for the development server. */
  temporalServer: FoundTemporalServer | null;
  /** Variables for the worker only. */
  workerEnvironment?: Environment;
  telephony?: 'http' | 'livekit';
  agentEnvironment?: Environment;
  /** Called to print a line at each step. */
  say: (line: string) => void;
  onProgress: OnProgress;
  signal: AbortSignal;
  /** Called when a process dies, because later measurements would be worthless. */
  onUnexpectedEnd: (reason: string) => void;
  /** Closes everything that the stack opens. */
  closing: ClosingOrder;
}

/** An organization with an agent. */
export interface BenchClient {
  api: ApiClient;
  agentId: string;
}

export interface BenchStack {
  stack: Stack;
  receiver: Receiver;
  temporal: Client;
  temporalOnPostgres: boolean;
  statements: StatementCounter;
  client: BenchClient;
  /** Creates another organization with the same number of lines. */
  anotherOrganization(name: string): Promise<BenchClient>;
  say: (line: string) => void;
}

async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { environment, closing, signal } = options;
  const repository = repositoryRoot();
  const dataDir = join(tmpdir(), `voice-agent-platform-bench-${randomBytes(6).toString('hex')}`);
  closing.add('the data', async () => {
    const data = await removableData({ repository, configured: dataDir });
    await Promise.all(data.map(removeFolder));
  });
  const secrets: string[] = [];
  const receiver = await startReceiver({
    port: 0,
    logPath: join(`${dataDir}-receiver`, 'receiver.jsonl'),
    secrets: () => secrets,
  });
  closing.add('the receiver', async () => {
    await receiver.close();
    await removeFolder(`${dataDir}-receiver`);
  });
  const stack = await startStack({
    repository,
    environment: demoEnvironment(environment),
    onProgress: options.onProgress,
    dataDir,
    ports: ANY_PORTS,
    telephony: options.telephony ?? 'http',
    temporalCliPath: environment.TEMPORAL_CLI_PATH,
    temporalServer: options.temporalServer ?? undefined,
    overrides: overrides(options, receiver.host),
    onUnexpectedEnd: (ended, reason) => options.onUnexpectedEnd(`${ended.name} ${reason}`),
    signal,
  });
  closing.add('the platform', stack.stop);
  const statements = await statementCounter(stack.databaseUrl);
  closing.add('the statement counter', () => statements.close());
  const connection = await Connection.connect({ address: stack.temporalAddress });
  closing.add('the connection to Temporal', () => connection.close());
  const temporal = new Client({ connection });
  await searchAttributesKnown(temporal);
  const anotherOrganization = async (name: string): Promise<BenchClient> => {
    const { databaseUrl, secrets: own, apiUrl } = stack;
    const organization = { databaseUrl, secretsKey: own.secretsKey, name, lines: options.lines };
    const { key, secret } = await createOrganization(organization);
    secrets.push(secret);
    const api = new ApiClient({ baseUrl: apiUrl, key, signal });
    return { api, agentId: await createAgent(api) };
  };
  return {
    stack,
    receiver,
    temporal,
    temporalOnPostgres: options.temporalServer !== null,
    statements,
    client: await anotherOrganization('Benchmark'),
    anotherOrganization,
    say: options.say,
  };
}

/** Waits until every part of the server knows the search attributes that the worker has just added. */
async function searchAttributesKnown(temporal: Client): Promise<void> {
  const query = Object.values(searchAttributes)
    .map(({ name }) => `${name} = 'none'`)
    .join(' and ');
  await waitUntil({
    what: "Temporal's knowledge of our search attributes",
    check: async () => (await temporal.workflow.count(query)).count === 0,
    timeoutMs: 60_000,
  });
}

function overrides(
  { ringMs, talkMs, workerEnvironment, agentEnvironment }: BenchStackOptions,
  receiverHost: string,
) {
  return {
    ...demoOverrides(receiverHost),
    worker: workerEnvironment ?? {},
    agent: agentEnvironment ?? {},
    simulator: { SIMULATOR_RING_MS: String(ringMs), SIMULATOR_TALK_MS: String(talkMs) },
  };
}

export interface BenchRun extends BareRun {
  /** Null for the development server. */
  temporalServer: FoundTemporalServer | null;
}

interface StackSettings {
  ringMs: number;
  talkMs: number;
  /** The maximum of an organization. */
  lines: number;
  /** Variables for the worker only. */
  workerEnvironment?: Environment;
  /** `livekit` uses rooms and an agent. The default is HTTP to the simulator. */
  telephony?: 'http' | 'livekit';
  /** Variables for the agent only. */
  agentEnvironment?: Environment;
}

/** Starts a stack, runs the work and always closes the stack. Rejects if a process dies. */
export async function onStack<T>(
  run: BenchRun,
  settings: StackSettings,
  work: (bench: BenchStack, closing: ClosingOrder) => Promise<T>,
): Promise<T> {
  const closing = new ClosingOrder();
  const failed = new AbortController();
  const signal = AbortSignal.any([run.signal, failed.signal]);
  try {
    const measured = startBenchStack({
      ...run,
      ...settings,
      signal,
      onUnexpectedEnd: (reason) => failed.abort(new Error(reason)),
      closing,
    }).then((bench) => work(bench, closing));
    return await unlessAborted(measured, signal);
  } finally {
    await closing.close();
  }
}
