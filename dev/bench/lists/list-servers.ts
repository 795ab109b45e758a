/** One Postgres with a database of each size, and the real API in front of each: nothing else runs that could be measured too. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Db } from '../../../db/connection';
import { migrate } from '../../../db/migrate';
import { onlyRow } from '../../../db/query';
import { demoEnvironment } from '../../demo/environment';
import { createOrganisation } from '../../demo/organisation';
import { during, type OnProgress } from '../../progress';
import type { ClosingOrder } from '../../stack/closing';
import { dataFolder, removableData } from '../../stack/data-folder';
import { platformEnvironment, type Environment } from '../../stack/platform-environment';
import { freePort, releasePort } from '../../stack/ports';
import { query, startPostgres } from '../../stack/postgres';
import { RunningProcess, type Supervision } from '../../stack/processes';
import { repositoryRoot } from '../../stack/repository';
import { stableSecrets, type Secrets } from '../../stack/secrets';
import { unprivilegedUser } from '../../stack/unprivileged-user';
import { answersOk } from '../../stack/wait-until';
import { startWatchdog } from '../../stack/watchdog';
import { cacheFolder } from '../../toolchain/cache-folder';
import { seedLists, type ListSizes } from './seed';

/** A client with lists of one size, and the ways to read them. */
export interface Place {
  sizes: ListSizes;
  clientId: string;
  /** One connection. */
  db: Db;
  apiUrl: string;
  key: string;
}

export interface ListServersOptions {
  environment: Environment;
  sizes: ListSizes[];
  onProgress: OnProgress;
  onUnexpectedEnd: (reason: string) => void;
  /** Closes what is opened here. */
  closing: ClosingOrder;
}

export interface ListServers {
  /** In the order of the sizes. */
  places: Place[];
  postgresVersion: string;
}

/** Longer than the slowest statement of the seeding. */
const STATEMENT_TIMEOUT_MS = 300_000;

export async function startListServers(options: ListServersOptions): Promise<ListServers> {
  const { environment, closing, onProgress } = options;
  const repository = repositoryRoot();
  const wanted = join(tmpdir(), `voice-agent-platform-bench-${randomBytes(6).toString('hex')}`);
  closing.add('the data', async () => {
    const data = await removableData({ repository, configured: wanted });
    await Promise.all(data.map((path) => rm(path, { recursive: true, force: true })));
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
    // Only reading is measured, so the seeding need not wait for a disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB' },
  });
  closing.add('Postgres', postgres.stop);
  const secrets = await stableSecrets(data.path);
  const places: Place[] = [];
  for (const sizes of options.sizes) {
    const name = `lists_${sizes.calls}`;
    await query(postgres.url, (client) => client.query(`create database ${name}`));
    const databaseUrl = new URL(postgres.url);
    databaseUrl.pathname = `/${name}`;
    const beside = { repository, dataFolder: data.path, secrets, supervision, databaseUrl: databaseUrl.href };
    places.push(await openPlace({ ...options, ...beside, name, seeded: sizes }));
  }
  const { version } = await onlyRow<{ version: string }>(
    firstOf(places).db,
    `select current_setting('server_version') as version`,
  );
  return { places, postgresVersion: version };
}

function firstOf<Item>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error('there is none');
  return first;
}

interface PlaceOptions extends ListServersOptions {
  name: string;
  seeded: ListSizes;
  repository: string;
  dataFolder: string;
  databaseUrl: string;
  secrets: Secrets;
  supervision: Supervision;
}

async function openPlace(options: PlaceOptions): Promise<Place> {
  const { databaseUrl, secrets, seeded, closing, name } = options;
  await migrate(databaseUrl);
  const { key } = await createOrganisation({ databaseUrl, secretsKey: secrets.secretsKey, name, lines: 10 });
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'bench',
  });
  closing.add('the connection', () => db.destroy());
  const { id: clientId } = await onlyRow<{ id: string }>(db, 'select id from clients');
  await during(options.onProgress, `writing ${seeded.calls.toLocaleString('en')} calls`, () =>
    seedLists(db, clientId, seeded),
  );
  const apiUrl = await startApi(options);
  return { sizes: seeded, clientId, db, apiUrl, key };
}

async function startApi(options: PlaceOptions): Promise<string> {
  const { environment, repository, closing, supervision, name } = options;
  const port = await freePort(0);
  closing.add('the port', () => Promise.resolve(releasePort(port)));
  const apiUrl = `http://127.0.0.1:${port}`;
  // Neither Temporal nor a carrier is asked for a list.
  const nowhere = '127.0.0.1:9';
  const addresses = {
    databaseUrl: options.databaseUrl,
    temporalAddress: nowhere,
    carrierUrl: `http://${nowhere}`,
    apiUrl,
  };
  const env = platformEnvironment({
    environment: demoEnvironment(environment),
    addresses,
    secrets: options.secrets,
    dataFolder: options.dataFolder,
    overrides: { all: { RATE_LIMIT_PER_MIN: '0' } },
  });
  const api = new RunningProcess(
    {
      name: `api-${name}`,
      command: process.execPath,
      args: [join(repository, 'dist/api/main.js')],
      cwd: repository,
      env: { ...env, PORT: String(port) },
      ready: () => answersOk(`${apiUrl}/healthz`),
      readyTimeoutMs: 60_000,
    },
    supervision,
  );
  closing.add(api.name, () => api.stop());
  await api.start();
  return apiUrl;
}
