import { join } from 'node:path';
import { startMailCatcher, type CaughtMail, type MailCatcher } from '../mail/catcher';
import { during, note, type OnProgress } from '../progress';
import { cacheFolder } from '../toolchain/cache-folder';
import { findTemporalCli, type FoundTemporalServer } from '../toolchain/temporal-tools';
import { ClosingOrder } from './closing';
import { dataFolder, type DataFolder, claimDataFolder } from './data-folder';
import { checkGivenServers } from './given-servers';
import { livekitAccess, MediaServers, mediaToolsFor, type SipBridge } from './media-servers';
import {
  platformEnvironment,
  writeEnvironmentFile,
  type Environment,
  type LivekitAccess,
  type Overrides,
  type StackTelephony,
} from './platform-environment';
import { PlatformProcesses } from './platform-processes';
import { startPostgres, type PostgresSettings, type RunningPostgres } from './postgres';
import { RunningProcess, type ProcessPlan, type Supervision } from './processes';
import { stableSecrets, type Secrets } from './secrets';
import { ANY_PORTS, givePorts, USUAL_PORTS, type WantedPorts } from './ports';
import { startTemporal, type RunningTemporal } from './temporal';
import { startTemporalOnPostgres } from './temporal-on-postgres';
import { unprivilegedUser } from './unprivileged-user';
import { startWatchdog } from './watchdog';

export { ANY_PORTS, USUAL_PORTS, type WantedPorts };

export type StackOptions = {
  repository: string;
  /** Environment of all processes. The stack's variables override it. */
  environment: Environment;
  onProgress: OnProgress;
  /** Value of DATA_DIR. The default is `.data` in the repository, or a folder elsewhere if root needs it. */
  dataDir?: string | undefined;
  ports?: WantedPorts;
  /** Uses this Postgres instead of starting one. */
  databaseUrl?: string | undefined;
  /** Uses this Temporal instead of starting one. */
  temporalAddress?: string | undefined;
  /** Uses this carrier instead of starting the simulator. */
  carrierUrl?: string | undefined;
  /**
   * The default `http` uses the simulator. `livekit` uses real rooms, browsers and the agent, with a stand-in for phones; `browser` uses
   * the simulator for phones, so LiveKit needs no Redis.
   */
  telephony?: StackTelephony;
  /** With `livekit`: the real SIP bridge, which replaces the stand-in. */
  sipBridge?: SipBridge | undefined;
  /** With `livekit`: the LiveKit of another stack. This stack then starts only an agent. */
  media?: Media | undefined;
  /** Base URLs of other APIs that also receive room events, if the stack starts LiveKit. */
  alsoReportedTo?: readonly string[];
  /** Value of TEMPORAL_CLI_PATH. */
  temporalCliPath?: string | undefined;
  /** Runs this server with its state in the stack's Postgres instead of the development server. */
  temporalServer?: FoundTemporalServer | undefined;
  /** Keeps no workflows across restarts; false by default. */
  temporalInMemory?: boolean;
  dynamicConfig?: Record<string, string>;
  postgresSettings?: PostgresSettings;
  overrides?: Overrides;
  onUnexpectedEnd?: Supervision['onUnexpectedEnd'];
  /** Additional processes to start along with the carrier. */
  beside?: readonly Omit<ProcessPlan, 'cwd'>[];
  /** Called for each caught e-mail. */
  onMail?: (mail: CaughtMail) => void;
  /** Aborting this stops the processes that were already started, and the start rejects. */
  signal?: AbortSignal;
};

export type Media = LivekitAccess & {
  livekit: RunningProcess;
  /** The SIP stand-in, or the livekit-sip processes of the options; empty for `browser`. */
  bridges: readonly RunningProcess[];
  agent: RunningProcess;
};

export type Stack = {
  apiUrl: string;
  carrierUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  /** Null if Temporal wasn't started by this stack. */
  temporalUiUrl: string | null;
  dataFolder: string;
  simulatorLog: string;
  /** Used with `node --env-file` to start a process or the operators' tool by hand. */
  environmentFile: string;
  secrets: Secrets;
  api: RunningProcess;
  worker: RunningProcess;
  /** Keeps the platform's e-mails; null if SMTP_URL names another mail server. */
  mail: MailCatcher | null;
  /** Null if calls use HTTP. */
  media: Media | null;
  /** Null if they weren't started by this stack. */
  simulator: RunningProcess | null;
  postgres: RunningPostgres | null;
  temporal: RunningTemporal | null;
  /** Stops all of the stack's processes in reverse order. */
  stop: () => Promise<void>;
};

/**
 * Starts the whole platform on 127.0.0.1 and resolves once each process is ready. If one fails to start, the others are stopped in reverse
 * order and the error contains its last lines.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const closing = new ClosingOrder();
  const starting = start(options, closing);
  try {
    return await unlessAborted(starting, options.signal);
  } catch (error) {
    await closing.close().catch(() => {});
    // A server may have been registered after the first close.
    await endOrTimeout(starting, LAST_START_MS);
    await closing.close().catch(() => {});
    throw error;
  }
}

/** How long an aborted start waits for a starting server, so that it can stop the server. */
const LAST_START_MS = 5_000;

async function endOrTimeout(work: Promise<unknown>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
  await Promise.race([work.then(ignore, ignore), late]);
  clearTimeout(timer);
}

const ignore = (): void => undefined;

/** Rejects once the signal is aborted. The work itself continues in the background. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the start was aborted')), { once: true });
    work.then(resolve, reject);
  });
}

async function start(options: StackOptions, closing: ClosingOrder): Promise<Stack> {
  const { repository, environment, onProgress, overrides = {}, sipBridge: bridge } = options;
  const user = await unprivilegedUser();
  const data = await dataFolder({ repository, configured: options.dataDir, user });
  if (data.note !== null) note(onProgress, data.note);
  const release = await claimDataFolder(data.path);
  closing.add('the data folder', release);
  const supervision = supervise(data, options, closing);
  const { telephony = 'http' } = options;
  const [phones, isLivekit] = [telephony === 'livekit', telephony !== 'http'];
  const tools = isLivekit ? await mediaToolsFor(repository, environment, onProgress, { phones }) : null;
  const secrets = await stableSecrets(data.path);
  const simulatorLog = simulatorLogOf(options, data.path);

  await checkGivenServers(options);
  const opening = options.databaseUrl ? null : openPostgres(options, data, supervision, user, closing);
  const [postgres, temporal] = await allStarted([
    opening,
    options.temporalAddress ? null : openTemporal(options, data, supervision, opening, closing),
  ] as const);
  // Reserves ports after the servers are built, because another program could take a port during the build, which takes minutes.
  const ports = await givePorts(options.ports ?? USUAL_PORTS, isLivekit, closing);
  const livekit = ports.media
    ? (options.media ?? livekitAccess(ports.media, secrets, { standIn: phones && bridge === undefined }))
    : undefined;
  const carrierUrl = options.carrierUrl ?? `http://127.0.0.1:${ports.simulator}`;
  const mail = environment.SMTP_URL ? null : await openMailCatcher(options, data, ports.smtp, closing);
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const databaseUrl = options.databaseUrl ?? required(postgres).url;
  const temporalAddress = options.temporalAddress ?? required(temporal).address;
  const servicesAt = { databaseUrl, temporalAddress, temporalUiUrl: temporal?.uiUrl ?? undefined };
  const addresses = { ...servicesAt, carrierUrl, apiUrl, smtpUrl: mail?.url };
  const known = { environment, addresses, secrets, dataFolder: data.path, overrides, livekit, telephony };
  const common = { repository, environment: platformEnvironment(known), overrides, supervision };
  const platform = new PlatformProcesses({ ...common, ports });
  const servers =
    ports.media === null || tools === null || livekit === undefined
      ? null
      : new MediaServers({
          ...common,
          tools,
          access: livekit,
          ports: ports.media,
          ...{ folder: data.path, apiUrl, bridge, alsoReportedTo: options.alsoReportedTo },
        });
  const beside = besideProcesses(options, supervision);
  const running = await startPlatform(platform, { servers, beside }, options, simulatorLog, closing);
  const environmentFile = await writeEnvironmentFile(data.path, platform.environment);
  return {
    ...addresses,
    ...running,
    mail,
    postgres,
    temporal,
    temporalUiUrl: temporal?.uiUrl ?? null,
    dataFolder: data.path,
    simulatorLog,
    environmentFile,
    secrets,
    stop: () => closing.close(),
  };
}

const simulatorLogOf = ({ overrides = {}, environment }: StackOptions, folder: string): string =>
  overrides.simulator?.SIMULATOR_LOG || environment.SIMULATOR_LOG || join(folder, 'logs', 'simulator.jsonl');

const besideProcesses = (
  { beside = [], repository }: StackOptions,
  supervision: Supervision,
): RunningProcess[] => beside.map((plan) => new RunningProcess({ ...plan, cwd: repository }, supervision));

function supervise(data: DataFolder, options: StackOptions, closing: ClosingOrder): Supervision {
  const watchdog = startWatchdog();
  closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
  return {
    logFolder: join(data.path, 'logs'),
    runFolder: join(data.path, 'run'),
    watchdog,
    ...(options.onUnexpectedEnd ? { onUnexpectedEnd: options.onUnexpectedEnd } : {}),
  };
}

async function openMailCatcher(
  { onMail }: StackOptions,
  data: DataFolder,
  port: number,
  closing: ClosingOrder,
): Promise<MailCatcher> {
  const catcher = await startMailCatcher({ port, folder: join(data.path, 'mail'), onMail });
  closing.add('the mail catcher', catcher.close);
  return catcher;
}

async function openPostgres(
  options: StackOptions,
  data: DataFolder,
  supervision: Supervision,
  user: Awaited<ReturnType<typeof unprivilegedUser>>,
  closing: ClosingOrder,
): Promise<RunningPostgres> {
  const postgres = await startPostgres({
    dataDir: data.postgres,
    port: (options.ports ?? USUAL_PORTS).postgres,
    user,
    cacheFolder: cacheFolder(options.environment),
    supervision,
    onProgress: options.onProgress,
    settings: options.postgresSettings ?? {},
  });
  closing.add('Postgres', postgres.stop);
  return postgres;
}

async function openTemporal(
  options: StackOptions,
  data: DataFolder,
  supervision: Supervision,
  postgres: Promise<RunningPostgres> | null,
  closing: ClosingOrder,
): Promise<RunningTemporal> {
  const { environment, onProgress, temporalServer: server } = options;
  const ports = options.ports ?? USUAL_PORTS;
  const folder = join(data.path, 'temporal');
  const common = { supervision, onProgress, environment, dynamicConfig: options.dynamicConfig ?? {} };
  if (server !== undefined) {
    const postgresUrl = options.databaseUrl ?? required(await postgres).url;
    const port = ports.temporal;
    const temporal = await startTemporalOnPostgres({ ...common, server, postgresUrl, folder, port });
    closing.add('Temporal', temporal.stop);
    return temporal;
  }
  const cli = await findTemporalCli({
    configuredPath: options.temporalCliPath,
    environment,
    cacheFolder: cacheFolder(environment),
    onProgress,
  });
  const temporal = await startTemporal({
    executable: cli.path,
    ...common,
    ...(options.temporalInMemory ? {} : { databaseFile: join(folder, 'temporal.db') }),
    port: ports.temporal,
    uiPort: ports.temporalUi,
  });
  closing.add('Temporal', temporal.stop);
  return temporal;
}

/** Starts the carrier and runs the migration concurrently, and afterwards the processes that need them. */
async function startPlatform(
  platform: PlatformProcesses,
  { servers, beside }: { servers: MediaServers | null; beside: readonly RunningProcess[] },
  options: StackOptions,
  simulatorLog: string,
  closing: ClosingOrder,
) {
  const begin = async (process: RunningProcess) => {
    closing.add(process.name, () => process.stop());
    await during(options.onProgress, `starting the ${process.name}`, () => process.start());
    return process;
  };
  const phones = options.telephony === 'livekit';
  const [simulator, media] = await allStarted([
    options.carrierUrl || phones ? null : begin(platform.simulator(simulatorLog)),
    servers === null ? null : (options.media ?? startMedia(servers, phones ? simulatorLog : null, begin)),
    during(options.onProgress, 'migrating the database', () => platform.migrate()),
    allStarted(beside.map(begin)),
  ] as const);
  if (servers !== null && phones) platform.addVariables({ LIVEKIT_SIP_TRUNK_ID: await servers.openTrunk() });
  const [worker, api, agent] = await allStarted([
    begin(platform.worker()),
    begin(platform.api()),
    servers === null ? null : begin(servers.agent()),
  ] as const);
  return { simulator, worker, api, media: media === null || agent === null ? null : { ...media, agent } };
}

/** Starts the servers one after the other, because each needs the previous one. Without a stand-in log, starts no servers for phones. */
async function startMedia(
  servers: MediaServers,
  log: string | null,
  begin: (process: RunningProcess) => Promise<RunningProcess>,
): Promise<Omit<Media, 'agent'>> {
  if (log !== null) await begin(servers.redis());
  const livekit = await begin(servers.livekit());
  const bridges: RunningProcess[] = [];
  if (log !== null) for (const bridge of servers.bridges(log)) bridges.push(await begin(bridge));
  return { ...servers.access, livekit, bridges };
}

/** Like `Promise.all`, but if one promise fails, it also waits for the slower ones, because the resources they opened must be closed. */
async function allStarted<const T extends readonly unknown[]>(
  starts: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(starts);
  return Promise.all(starts);
}

function required<T>(opened: T | null): T {
  if (opened === null) throw new Error('a server was neither given nor started');
  return opened;
}
