/** A whole platform for one measurement, as in production but for its data, which are thrown away. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { ApiClient } from '../demo/api-client';
import { demoEnvironment, demoOverrides } from '../demo/environment';
import { createOrganisation } from '../demo/organisation';
import type { OnProgress } from '../progress';
import { startReceiver, type Receiver } from '../receiver/receiver';
import type { ClosingOrder } from '../stack/closing';
import { removableData } from '../stack/data-folder';
import type { Environment } from '../stack/platform-environment';
import { repositoryRoot } from '../stack/repository';
import { ANY_PORTS, startStack, type Stack } from '../stack/stack';
import { createAgent } from './platform-client';
import { statementCounter, type StatementCounter } from './statements';

export interface BenchStackOptions {
  environment: Environment;
  ringMs: number;
  talkMs: number;
  /** The organisation's maximum. */
  lines: number;
  onProgress: OnProgress;
  signal: AbortSignal;
  /** A process died: what is measured from then on is worth nothing. */
  onUnexpectedEnd: (reason: string) => void;
  /** Closes what is opened here. */
  closing: ClosingOrder;
}

export interface BenchStack {
  stack: Stack;
  receiver: Receiver;
  temporal: Client;
  statements: StatementCounter;
  api: ApiClient;
  agentId: string;
}

export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { environment, closing, signal } = options;
  const repository = repositoryRoot();
  const dataDir = join(tmpdir(), `voice-agent-platform-bench-${randomBytes(6).toString('hex')}`);
  closing.add('the data', async () => {
    const data = await removableData({ repository, configured: dataDir });
    await Promise.all(data.map((path) => rm(path, { recursive: true, force: true })));
  });
  const secrets: string[] = [];
  const receiver = await startReceiver({
    port: 0,
    logPath: join(`${dataDir}-receiver`, 'receiver.jsonl'),
    secrets: () => secrets,
  });
  closing.add('the receiver', async () => {
    await receiver.close();
    await rm(`${dataDir}-receiver`, { recursive: true, force: true });
  });
  const stack = await startStack({
    repository,
    environment: demoEnvironment(environment),
    onProgress: options.onProgress,
    dataDir,
    ports: ANY_PORTS,
    temporalCliPath: environment.TEMPORAL_CLI_PATH,
    overrides: overrides(options, receiver.host),
    onUnexpectedEnd: (ended, reason) => options.onUnexpectedEnd(`${ended.name} ${reason}`),
    signal,
  });
  closing.add('the platform', stack.stop);
  const statements = await statementCounter(stack.databaseUrl);
  closing.add('the statement counter', () => statements.close());
  const connection = await Connection.connect({ address: stack.temporalAddress });
  closing.add('the connection to Temporal', () => connection.close());
  const { key, secret } = await createOrganisation({
    databaseUrl: stack.databaseUrl,
    secretsKey: stack.secrets.secretsKey,
    name: 'Benchmark',
    lines: options.lines,
  });
  secrets.push(secret);
  const api = new ApiClient({ baseUrl: stack.apiUrl, key, signal });
  const temporal = new Client({ connection });
  return { stack, receiver, temporal, statements, api, agentId: await createAgent(api) };
}

function overrides({ ringMs, talkMs }: BenchStackOptions, receiverHost: string) {
  return {
    ...demoOverrides(receiverHost),
    simulator: { SIMULATOR_RING_MS: String(ringMs), SIMULATOR_TALK_MS: String(talkMs) },
  };
}
