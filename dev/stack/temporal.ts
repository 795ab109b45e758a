import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import type { TemporalAccess } from '../../runtime/temporal-access';
import { during, type OnProgress } from '../progress';
import { freePort, releasePort } from './ports';
import { RunningProcess, type Supervision } from './processes';

const ALREADY_EXISTS = 6;

export type TemporalOptions = {
  /** The Temporal CLI. */
  executable: string;
  /** Where workflows are kept across restarts; absent means in memory. */
  databaseFile?: string;
  /** First ports to try; 0 for any. */
  port: number;
  uiPort: number | 'none';
  supervision: Supervision;
  onProgress: OnProgress;
  environment: NodeJS.ProcessEnv;
  logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Server settings, values as JSON: `{'limit.historyCount.suggestContinueAsNew': '200'}`. */
  dynamicConfig?: Record<string, string>;
  /** Name to type, `{ClientId: 'Keyword'}`. */
  searchAttributes?: Record<string, string>;
};

export type RunningTemporal = {
  address: string;
  uiUrl: string | null;
  process: RunningProcess;
  stop: () => Promise<void>;
};

/** Starts Temporal's development server with its Web UI and resolves once it answers for the default namespace. */
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
      env: options.environment,
      cwd: '/',
      ready: () => temporalAnswers({ address }),
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
 * A log instead of a journal, synced less often: a third of the server's time went into syncs. A killed server loses nothing; a power
 * cut may cost the last moments of its history, which Postgres, synced as ever, and reconciliation make up for.
 */
const SQLITE = ['journal_mode=wal', 'synchronous=normal'];

/** One machine needs no partitions of a task queue; a task finds its poller sooner without. Fairness as in production, which implies priorities. */
export const ONE_MACHINE: Record<string, string> = {
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'matching.enableFairness': 'true',
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

/** True when the server serves and knows the namespace, which start-dev makes after it began to listen. */
export async function temporalAnswers(access: TemporalAccess, namespace = 'default'): Promise<boolean> {
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

/** Resolves also where it is registered already; it is served some seconds later. */
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
