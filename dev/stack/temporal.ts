import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { TemporalAccess } from '../../runtime/temporal-access';
import { during, type OnProgress } from '../progress';
import { freePort, releasePort } from './ports';
import { RunningProcess, type Supervision } from './processes';

const ALREADY_EXISTS = 6;

type TemporalOptions = {
  /** Path of the Temporal CLI. */
  executable: string;
  /** File that keeps workflows across restarts; in memory if absent. */
  databaseFile?: string;
  /** First ports to try; 0 takes any. */
  port: number;
  uiPort: number | 'none';
  supervision: Supervision;
  onProgress: OnProgress;
  environment: NodeJS.ProcessEnv;
  logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Server settings with JSON values, such as `{'limit.historyCount.suggestContinueAsNew': '200'}`. */
  dynamicConfig?: Record<string, string>;
  /** Maps names to types, such as `{OrganizationId: 'Keyword'}`. */
  searchAttributes?: Record<string, string>;
};

export type RunningTemporal = {
  address: string;
  uiUrl: string | null;
  process: RunningProcess;
  stop: () => Promise<void>;
};

/**
 * Limits a Go program to half the cores, unless GOMAXPROCS is set. On all cores, Temporal's idle threads search for work and take a fifth
 * more processor time.
 */
export const onHalfTheCores = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  GOMAXPROCS: String(Math.max(1, Math.floor(availableParallelism() / 2))),
  ...environment,
});

/** Starts Temporal's development server with its Web UI. Resolves once the server responds for the default namespace. */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const port = await freePort(options.port);
  const uiPort = options.uiPort === 'none' ? null : await freePort(options.uiPort);
  const address = `127.0.0.1:${port}`;
  if (options.databaseFile) await mkdir(dirname(options.databaseFile), { recursive: true, mode: 0o700 });
  const server = new RunningProcess(
    {
      name: 'temporal',
      command: options.executable,
      args: serverArguments(options, port, uiPort),
      env: onHalfTheCores(options.environment),
      cwd: '/',
      ready: () => isTemporalReady({ address }),
      readyTimeoutMs: 60_000,
      graceMs: 15_000,
    },
    options.supervision,
  );
  const stop = async () => {
    await server.stop();
    releasePort(port);
    if (uiPort !== null) releasePort(uiPort);
  };
  await during(options.onProgress, 'starting Temporal', () => server.start());
  return { address, uiUrl: uiPort === null ? null : `http://127.0.0.1:${uiPort}`, process: server, stop };
}

/**
 * Uses a write-ahead log that is synced less often, because syncs took a third of the server's time. A kill of the server loses nothing.
 * After a power cut, Postgres and reconciliation make up for the lost end of the history.
 */
const SQLITE = ['journal_mode=wal', 'synchronous=normal'];

/**
 * A single partition per task queue is enough on a single machine and lets tasks find their poller sooner. The other settings are the same
 * as in production (deploy/temporal-dynamic-config.yaml).
 */
export const ONE_MACHINE: Record<string, string> = {
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'matching.enableFairness': 'true',
  'history.externalPayloadsEnabled': 'false',
};

function serverArguments(options: TemporalOptions, port: number, uiPort: number | null): string[] {
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    ...(uiPort === null ? ['--headless'] : [`--ui-port=${uiPort}`]),
    ...(options.databaseFile ? [`--db-filename=${options.databaseFile}`] : []),
    `--log-level=${options.logLevel ?? 'warn'}`,
    ...SQLITE.map((pragma) => `--sqlite-pragma=${pragma}`),
    ...Object.entries({ ...ONE_MACHINE, ...options.dynamicConfig }).map(
      ([key, value]) => `--dynamic-config-value=${key}=${value}`,
    ),
    ...Object.entries(options.searchAttributes ?? {}).map(
      ([name, type]) => `--search-attribute=${name}=${type}`,
    ),
  ];
}

/** Returns true if the server responds and knows the namespace, which start-dev creates only after it has begun to listen. */
export async function isTemporalReady(access: TemporalAccess, namespace = 'default'): Promise<boolean> {
  const connection = await Connection.connect({ ...access, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 2000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } finally {
    await connection.close();
  }
}

/** Registers the namespace unless it exists. The server can use the namespace some seconds later. */
export async function registerNamespace(access: TemporalAccess, namespace: string): Promise<void> {
  const connection = await Connection.connect({ ...access, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 2000, () =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs('1 day'),
      }),
    );
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== ALREADY_EXISTS) throw error;
  } finally {
    await connection.close();
  }
}

export type RunningTestServer = { address: string; process: RunningProcess; stop: () => Promise<void> };

/**
 * Starts Temporal's time-skipping test server and resolves once it responds. The SDK's own start waits only 5 s, which is too short on a
 * busy machine. A server has a single clock, so don't share it between test files.
 */
export async function startTestServer(options: {
  executable: string;
  supervision: Supervision;
  onProgress: OnProgress;
  environment: NodeJS.ProcessEnv;
}): Promise<RunningTestServer> {
  const port = await freePort(0);
  const address = `127.0.0.1:${port}`;
  const server = new RunningProcess(
    {
      name: `time-skipping-server-${port}`,
      command: options.executable,
      args: [String(port)],
      env: options.environment,
      cwd: '/',
      ready: () => answers(address),
      readyTimeoutMs: 60_000,
      // The server stores nothing, and a JVM is slow to stop.
      graceMs: 2000,
    },
    options.supervision,
  );
  await during(options.onProgress, 'starting the time-skipping server', () => server.start());
  const stop = async () => {
    await server.kill();
    releasePort(port);
  };
  return { address, process: server, stop };
}

async function answers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  await connection.close();
  return true;
}
