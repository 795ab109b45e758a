/** The local stack with a proxy between every two connected processes and adjustable clocks, in a separate folder. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type OnProgress, silent } from '../../../dev/progress';
import { removeFolder } from '../../../dev/remove-folder';
import type { ClosingOrder } from '../../../dev/stack/closing';
import { dataFolder, removableData } from '../../../dev/stack/data-folder';
import type { MediaPorts } from '../../../dev/stack/media-servers';
import {
  type Environment,
  type Overrides,
  platformEnvironment,
} from '../../../dev/stack/platform-environment';
import { query, type RunningPostgres, startPostgres } from '../../../dev/stack/postgres';
import type { RunningProcess, Supervision } from '../../../dev/stack/processes';
import { type Secrets, stableSecrets } from '../../../dev/stack/secrets';
import { type RunningTemporal, startTemporal } from '../../../dev/stack/temporal';
import { unprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { cacheFolder } from '../../../dev/toolchain/cache-folder';
import { findTemporalCli } from '../../../dev/toolchain/temporal-tools';
import { Clocks } from '../clock/clocks';
import type { Evidence } from '../evidence';
import { EventRelay, Network } from '../network/network';
import { linksOf, type ProcessName, type ShiftedClock } from '../plan/faults';
import type { Plan } from '../plan/plan';
import { Random } from '../random';
import {
  AGENT_SETTINGS,
  beginMedia,
  callerRings,
  faultMedia,
  linkedAccess,
  RING_TIMEOUT,
} from './fault-media';
import { givePorts, namesOf, platformsOf, replicasOf, required } from './replicas';

interface FaultStackOptions {
  plan: Plan;
  /** Contains all files of the run. The code that closes the stack removes the folder. */
  folder: string;
  repository: string;
  /** Environment of this process, with PATH and the paths of tools. */
  environment: Environment;
  evidence: Evidence;
  receiverPort: number;
  closing: ClosingOrder;
  onProgress: OnProgress;
  /** Executed once on the migrated database, before anything uses it. */
  plantedSql: readonly string[];
  onUnexpectedEnd: NonNullable<Supervision['onUnexpectedEnd']>;
}

export interface FaultStack {
  apiUrl: string;
  /** Direct URL that bypasses the proxies. */
  databaseUrl: string;
  temporalAddress: string;
  secrets: Secrets;
  processes: Map<ProcessName, RunningProcess>;
  network: Network;
  relay: EventRelay;
  clocks: Clocks;
  logFolder: string;
  /** Calls a number. Returns true if it rings, which requires a route for the number and a running phone network. */
  callIn(to: string, from: string): Promise<boolean>;
}

const PRELOAD = join('dist', 'verify', 'faults', 'clock', 'shifted-clock.js');

export async function startFaultStack(options: FaultStackOptions): Promise<FaultStack> {
  const { plan, closing, repository, evidence } = options;
  const base = await openBase(options);
  const { postgres, temporal } = await openServers(options, base);
  const ports = await givePorts(plan, closing);
  const between = await openBetween(options, base, {
    postgres: postgres.port,
    temporal: portOf(temporal.address),
    carrier: ports.simulator,
    receiver: options.receiverPort,
    api: ports.entrance,
  });
  const apiUrl = `http://127.0.0.1:${ports.entrance}`;
  const settingsOf = (nth: number) =>
    settings({ options, base, ...between, postgres, apiUrl, nth, media: ports.media });
  const platforms = platformsOf(ports, { repository, supervision: base.supervision, settingsOf });
  const first = required(platforms[0]);
  await first.migrate();
  if (options.plantedSql.length > 0) await plant(postgres.url, options.plantedSql);
  const processes = new Map<ProcessName, RunningProcess>([
    ['postgres', postgres.process],
    ['temporal', temporal.process],
  ]);
  const begin = async (name: ProcessName, process: RunningProcess) => {
    closing.add(name, () => process.stop());
    processes.set(name, process);
    await process.start();
  };
  const media =
    ports.media === null
      ? null
      : await faultMedia({
          ...{ ...base, repository, folder: base.data, ports: ports.media, relayPort: between.relay.port },
          ...{ ...settingsOf(0), callerEnvironment: options.environment },
        });
  if (media === null) await begin('simulator', first.simulator(evidence.simulatorLog));
  else {
    const variables = await beginMedia(media, evidence.simulatorLog, begin, closing);
    for (const platform of platforms) platform.addVariables(variables);
  }
  const replicas = replicasOf(plan, platforms, media && { media, ports, supervision: base.supervision });
  const started = await Promise.allSettled(replicas.map((each) => begin(...each)));
  for (const each of started) if (each.status === 'rejected') throw each.reason;
  return {
    apiUrl,
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    secrets: base.secrets,
    processes,
    ...between,
    logFolder: base.supervision.logFolder,
  };
}

interface Between {
  network: Network;
  relay: EventRelay;
  clocks: Clocks;
  callIn: FaultStack['callIn'];
}

/** Opens the links, the event relay and the clocks that the processes use. */
async function openBetween(
  { plan, closing, repository, evidence }: FaultStackOptions,
  base: Base,
  ports: Parameters<typeof Network.open>[1],
): Promise<Between> {
  const network = await Network.open(linksOf(plan), ports, plan.apis > 1);
  closing.add('the network', () => network.close());
  const relay = await EventRelay.open(network.port('carrier-api'), new Random(plan.seed));
  closing.add('the event relay', () => relay.close());
  const clocks = new Clocks(join(base.data, 'clocks'), join(repository, PRELOAD), evidence);
  for (const clock of ['simulator', 'api', 'worker'] satisfies ShiftedClock[]) {
    clocks.begin(clock, plan.clocks[clock]);
  }
  const callIn = callerRings({ port: ports.carrier, secret: base.secrets.carrierSecret });
  return { network, relay, clocks, callIn };
}

interface Base {
  data: string;
  postgresFolder: string;
  secrets: Secrets;
  supervision: Supervision;
  user: Awaited<ReturnType<typeof unprivilegedUser>>;
}

async function openBase(options: FaultStackOptions): Promise<Base> {
  const { repository, closing } = options;
  const user = await unprivilegedUser();
  const configured = join(options.folder, 'data');
  const data = await dataFolder({ repository, configured, user });
  closing.add('the data', async () => {
    const paths = await removableData({ repository, configured });
    await Promise.all(paths.map(removeFolder));
  });
  const watchdog = startWatchdog();
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  return {
    data: data.path,
    postgresFolder: data.postgres,
    secrets: await stableSecrets(data.path),
    supervision: {
      logFolder: join(options.folder, 'evidence', 'logs'),
      runFolder: join(data.path, 'run'),
      watchdog,
      onUnexpectedEnd: options.onUnexpectedEnd,
    },
    user,
  };
}

async function openServers(
  { closing, environment, plan, onProgress }: FaultStackOptions,
  base: Base,
): Promise<{ postgres: RunningPostgres; temporal: RunningTemporal }> {
  const cli = await findTemporalCli({
    configuredPath: environment.TEMPORAL_CLI_PATH,
    environment,
    cacheFolder: cacheFolder(environment),
    onProgress,
  });
  const openPostgres = async () => {
    const postgres = await startPostgres({
      dataDir: base.postgresFolder,
      port: 0,
      user: base.user,
      cacheFolder: cacheFolder(environment),
      supervision: base.supervision,
      onProgress: silent,
      // A kill doesn't lose written data. Only a power cut would.
      settings: { fsync: 'off', full_page_writes: 'off' },
    });
    closing.add('Postgres', postgres.stop);
    return postgres;
  };
  const openTemporal = async () => {
    const temporal = await startTemporal({
      executable: cli.path,
      databaseFile: join(base.data, 'temporal', 'temporal.db'),
      port: 0,
      uiPort: 'none',
      supervision: base.supervision,
      onProgress: silent,
      environment: { PATH: environment.PATH, HOME: environment.HOME },
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(plan.continueAsNewAfterEvents) },
    });
    closing.add('Temporal', temporal.stop);
    return temporal;
  };
  const opening = [openPostgres(), openTemporal()] as const;
  await Promise.allSettled(opening);
  const [postgres, temporal] = await Promise.all(opening);
  return { postgres, temporal };
}

/** Short enough for a one-minute run, but long enough that faults hit calls in every stage. */
const SIMULATOR_TIMES = {
  SIMULATOR_RING_MS: '300',
  SIMULATOR_TALK_MS: '1500',
  SIMULATOR_RING_CAP_MS: '800',
};

const timesOf = (media: MediaPorts | null): Environment => ({
  LEGAL_WINDOW_UTC: '00:00-24:00',
  ...(media === null ? {} : RING_TIMEOUT),
});

function settings({
  options,
  base,
  network,
  relay,
  clocks,
  postgres,
  apiUrl,
  nth,
  media,
}: Between & {
  options: FaultStackOptions;
  base: Base;
  postgres: RunningPostgres;
  apiUrl: string;
  nth: number;
  media: MediaPorts | null;
}): { environment: Environment; overrides: Overrides } {
  const { PATH, HOME, TMPDIR } = options.environment;
  const { api, worker } = namesOf(options.plan, nth);
  const database = (port: number) => {
    const url = new URL(postgres.url);
    url.port = String(port);
    return url.toString();
  };
  const overrides: Overrides = {
    all: { ...timesOf(media), WEBHOOK_ALLOWED_HOSTS: network.host('worker-receiver') },
    api: {
      DATABASE_URL: database(network.port(`${api}-postgres`)),
      TEMPORAL_ADDRESS: network.host(`${api}-temporal`),
      ...clocks.environment('api'),
    },
    worker: {
      DATABASE_URL: database(network.port(`${worker}-postgres`)),
      TEMPORAL_ADDRESS: network.host(`${worker}-temporal`),
      CARRIER_URL: `http://${network.host(`${worker}-carrier`)}`,
      PUBLIC_URL: `http://127.0.0.1:${relay.port}`,
      ...clocks.environment('worker'),
    },
    simulator: { ...SIMULATOR_TIMES, ...(media === null ? clocks.environment('simulator') : {}) },
    agent: AGENT_SETTINGS,
  };
  const addresses = {
    databaseUrl: postgres.url,
    temporalAddress: network.host('api-temporal'),
    carrierUrl: `http://${network.host('worker-carrier')}`,
    apiUrl,
  };
  const environment = platformEnvironment({
    environment: { PATH, HOME, TMPDIR },
    addresses,
    secrets: base.secrets,
    dataFolder: base.data,
    overrides,
    livekit:
      media === null ? undefined : linkedAccess(media, base.secrets, network.host(`${worker}-carrier`)),
  });
  return { environment, overrides };
}

async function plant(databaseUrl: string, statements: readonly string[]): Promise<void> {
  await query(databaseUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

export const newFolderName = (): string => `voice-agent-platform-faults-${randomBytes(6).toString('hex')}`;

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1));
