/** Starts Postgres and API processes for its databases. Nothing else runs that could disturb the measurement. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { demoEnvironment } from '../../dev/demo/environment';
import type { OnProgress } from '../../dev/progress';
import { removeFolder } from '../../dev/remove-folder';
import type { ClosingOrder } from '../../dev/stack/closing';
import { dataFolder, removableData } from '../../dev/stack/data-folder';
import { type Environment, platformEnvironment } from '../../dev/stack/platform-environment';
import { NODE_FLAGS } from '../../dev/stack/platform-processes';
import { freePort, releasePort } from '../../dev/stack/ports';
import { query, startPostgres } from '../../dev/stack/postgres';
import { RunningProcess, type Supervision } from '../../dev/stack/processes';
import { repositoryRoot } from '../../dev/stack/repository';
import { type Secrets, stableSecrets } from '../../dev/stack/secrets';
import { unprivilegedUser } from '../../dev/stack/unprivileged-user';
import { answersOk } from '../../dev/stack/wait-until';
import { startWatchdog } from '../../dev/stack/watchdog';
import { cacheFolder } from '../../dev/toolchain/cache-folder';

/** Rejects with the signal's reason as soon as it is aborted, without waiting for the work. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}

/** Input for every part of the benchmark. */
export interface BareRun {
  environment: Environment;
  /** Prints a line at each step. */
  say: (line: string) => void;
  onProgress: OnProgress;
  signal: AbortSignal;
}

export interface BareServersOptions extends Pick<BareRun, 'environment' | 'onProgress'> {
  onUnexpectedEnd: (reason: string) => void;
  /** Closes everything that the part opens. */
  closing: ClosingOrder;
  /** True to wait for the disk at each commit, as in production. False by default, because most parts don't measure writes. */
  isDurable?: boolean;
}

export interface BareServers {
  secrets: Secrets;
  /** Creates a migrated database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  startApi(options: BareApiOptions): Promise<BareApi>;
}

interface BareApiOptions {
  name: string;
  databaseUrl: string;
}

interface BareApi {
  url: string;
  pid: number;
}

/** These measurements use neither Temporal nor a carrier. */
const NOWHERE = '127.0.0.1:9';

const WITHOUT_DISK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export async function startBareServers(options: BareServersOptions): Promise<BareServers> {
  const { environment, closing, onProgress } = options;
  const repository = repositoryRoot();
  const wanted = join(tmpdir(), `voice-agent-platform-bench-${randomBytes(6).toString('hex')}`);
  closing.add('the data', async () => {
    const data = await removableData({ repository, configured: wanted });
    await Promise.all(data.map(removeFolder));
  });
  const user = await unprivilegedUser();
  const data = await dataFolder({ repository, configured: wanted, user });
  const watchdog = startWatchdog();
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  const supervision: Supervision = {
    logFolder: join(data.path, 'logs'),
    runFolder: join(data.path, 'run'),
    watchdog,
    onUnexpectedEnd: (ended, reason) => options.onUnexpectedEnd(`${ended.name} ${reason}`),
  };
  const postgres = await startPostgres({
    dataDir: data.postgres,
    port: 0,
    user,
    cacheFolder: cacheFolder(environment),
    supervision,
    onProgress,
    settings: { max_wal_size: '4GB', ...(options.isDurable ? {} : WITHOUT_DISK) },
  });
  closing.add('Postgres', postgres.stop);
  const secrets = await stableSecrets(data.path);
  return {
    secrets,
    async createDatabase(name) {
      await query(postgres.url, (client) => client.query(`create database ${name}`));
      const databaseUrl = new URL(postgres.url);
      databaseUrl.pathname = `/${name}`;
      await migrate(databaseUrl.href);
      return databaseUrl.href;
    },
    startApi: (api) =>
      startApi({
        ...options,
        ...api,
        repository,
        dataFolder: data.path,
        secrets,
        supervision,
      }),
  };
}

interface ApiPlan extends BareServersOptions, BareApiOptions {
  repository: string;
  dataFolder: string;
  secrets: Secrets;
  supervision: Supervision;
}

async function startApi(plan: ApiPlan): Promise<BareApi> {
  const { environment, repository, closing, supervision, name, databaseUrl } = plan;
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const url = `http://127.0.0.1:${port}`;
  const env = platformEnvironment({
    environment: demoEnvironment(environment),
    addresses: { databaseUrl, temporalAddress: NOWHERE, carrierUrl: `http://${NOWHERE}`, apiUrl: url },
    secrets: plan.secrets,
    dataFolder: plan.dataFolder,
    overrides: { all: { RATE_LIMIT_PER_MIN: '0' } },
  });
  const api = new RunningProcess(
    {
      name: `api-${name}`,
      command: process.execPath,
      args: [...NODE_FLAGS, join(repository, 'dist/api/main.js')],
      cwd: repository,
      env: { ...env, PORT: String(port) },
      ready: () => answersOk(`${url}/healthz`),
      readyTimeoutMs: 60_000,
    },
    supervision,
  );
  closing.add(api.name, () => api.stop());
  await api.start();
  return { url, pid: api.pid };
}
