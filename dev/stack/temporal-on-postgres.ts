/** Runs Temporal's own server with its state in the stack's Postgres, as in production, but in one process. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSConfig } from '@temporalio/client';
import { during, type OnProgress } from '../progress';
import { runOrFail } from '../toolchain/run';
import type { FoundTemporalServer } from '../toolchain/temporal-tools';
import { freePort, releasePort } from './ports';
import { ensureDatabase, query } from './postgres';
import { repositoryRoot } from './repository';
import { RunningProcess, type Supervision } from './processes';
import {
  ONE_MACHINE,
  onHalfTheCores,
  registerNamespace,
  isTemporalReady,
  type RunningTemporal,
} from './temporal';

type TemporalOnPostgresOptions = {
  server: FoundTemporalServer;
  /** URL of any database in the cluster. Its user must be able to create databases. */
  postgresUrl: string;
  /** Folder for the configuration, which contains the password. */
  folder: string;
  /** First port to try for client connections; 0 takes any. */
  port: number;
  supervision: Supervision;
  onProgress: OnProgress;
  environment: NodeJS.ProcessEnv;
  logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Server settings with JSON values. */
  dynamicConfig?: Record<string, string>;
  /** If set, the server rejects plaintext connections and clients without a certificate from the authority. */
  tls?: ServerTls;
};

const NAMESPACE = 'default';

/**
 * Creates the databases on first use, migrates their schema to the server's version, and resolves once the server responds for the default
 * namespace. There is no Web UI.
 */
export async function startTemporalOnPostgres(options: TemporalOnPostgresOptions): Promise<RunningTemporal> {
  const { folder, onProgress, environment } = options;
  await during(onProgress, "creating Temporal's databases", () => makeSchemas(options));
  const ports = await serverPorts(options.port);
  const configFile = await writeConfig(options, ports);
  const address = `127.0.0.1:${ports.frontendRpc}`;
  const access = { address, ...(options.tls === undefined ? {} : { tls: await clientTls(options.tls) }) };
  const server = new RunningProcess(
    {
      name: 'temporal',
      command: options.server.path,
      args: ['--config-file', configFile, '--allow-no-auth', 'start'],
      env: onHalfTheCores(environment),
      cwd: folder,
      ready: async () => {
        await registerNamespace(access, NAMESPACE);
        return isTemporalReady(access, NAMESPACE);
      },
      readyTimeoutMs: 60_000,
      graceMs: 15_000,
    },
    options.supervision,
  );
  const stop = async () => {
    await server.stop();
    Object.values(ports).forEach(releasePort);
  };
  await during(onProgress, 'starting Temporal on Postgres', () => server.start());
  return { address, uiUrl: null, process: server, stop };
}

async function clientTls({ client, authorityFile, serverName }: ServerTls): Promise<TLSConfig> {
  const [crt, key, authority] = await Promise.all(
    [client.certFile, client.keyFile, authorityFile].map((file) => readFile(file)),
  );
  return {
    serverNameOverride: serverName,
    ...(authority && { serverRootCACertificate: authority }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
}

async function makeSchemas({
  server,
  postgresUrl,
  environment,
  folder,
}: TemporalOnPostgresOptions): Promise<void> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const tool = (database: string, args: string[]) =>
    runOrFail({
      command: server.sqlTool,
      args: [
        '--plugin',
        SQL_PLUGIN,
        '--endpoint',
        hostname,
        '--port',
        port,
        '--user',
        username,
        '--database',
        database,
        ...args,
      ],
      // The password is passed in the environment, because all users of the machine can read arguments.
      env: { ...environment, SQL_PASSWORD: password },
      timeoutMs: 60_000,
      cwd: folder,
    });
  for (const [store, database] of Object.entries(TEMPORAL_DATABASES)) {
    const { made } = await ensureDatabase(postgresUrl, database);
    if (made) await tool(database, ['setup-schema', '-v', '0.0']);
    const schema = store === 'default' ? 'temporal' : store;
    await tool(database, ['update-schema', '--schema-name', `postgresql/v12/${schema}`]);
  }
  const visibility = new URL(postgresUrl);
  visibility.pathname = `/${TEMPORAL_DATABASES.visibility}`;
  const dropUnread = await readFile(join(repositoryRoot(), 'deploy', 'temporal-visibility.sql'), 'utf8');
  await query(visibility.href, (client) => client.query(dropUnread));
}

async function writeConfig(options: TemporalOnPostgresOptions, ports: ServerPorts): Promise<string> {
  const { port, username: user, password } = new URL(options.postgresUrl);
  const dynamicConfigFile = join(options.folder, 'dynamic.yaml');
  const configFile = join(options.folder, 'server.yaml');
  const config = serverConfig({
    ports,
    database: { port: Number(port), user, password },
    dynamicConfigFile,
    logLevel: options.logLevel ?? 'warn',
    tls: options.tls,
  });
  const values = { ...ONE_MACHINE, ...options.dynamicConfig };
  await writeFile(dynamicConfigFile, JSON.stringify(dynamicConfig(values)), { mode: 0o600 });
  await writeFile(configFile, JSON.stringify(config), { mode: 0o600 });
  return configFile;
}

/** The server stores its ports in signed two-byte columns. Concurrent stacks draw from a wide range, so that their ports don't collide. */
const PORTS_FROM = 12_000;
const PORTS_UP_TO = 32_000;

/** Returns ports that stay the same when the process is killed and restarted. */
async function serverPorts(first: number): Promise<ServerPorts> {
  const from = PORTS_FROM + Math.floor(Math.random() * (PORTS_UP_TO - PORTS_FROM));
  const ports = { frontendRpc: await freePort(first === 0 ? from : first) } as ServerPorts;
  for (const name of SERVICES) {
    ports[`${name}Rpc`] ??= await freePort(from);
    ports[`${name}Membership`] = await freePort(from);
  }
  return ports;
}

type ServerPorts = Record<`${'frontend' | 'history' | 'matching' | 'worker'}${'Rpc' | 'Membership'}`, number>;

type Database = { port: number; user: string; password: string };

/** Separate databases in the platform's cluster, so that Temporal's statements and connections can be told apart. */
export const TEMPORAL_DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;

/** Unlike `postgres12`, this driver keeps prepared statements, which reduces Postgres' work by a third. */
const SQL_PLUGIN = 'postgres12_pgx';

/**
 * Fixed for the life of a cluster. With this many shards, two cores never wait for a shard's lock, and an idle server has no extra cost.
 */
const HISTORY_SHARDS = 8;

/** Each of the four services opens its own pools. Together they use at most 64 of the 200 connections that Postgres allows. */
const CONNECTIONS = { default: 12, visibility: 4 } as const;

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

type CertificateFiles = { certFile: string; keyFile: string };

/**
 * PEM files: the server's certificate, the client certificate (which the server's own system workers also present), and the authority that
 * signed both.
 */
type ServerTls = {
  server: CertificateFiles;
  client: CertificateFiles;
  authorityFile: string;
  /** The name in the server's certificate. */
  serverName: string;
};

function serverConfig(options: {
  ports: ServerPorts;
  database: Database;
  dynamicConfigFile: string;
  logLevel: string;
  tls?: ServerTls | undefined;
}): object {
  const { ports, database } = options;
  const cluster = 'active';
  return {
    log: { stdout: true, level: options.logLevel },
    persistence: {
      numHistoryShards: HISTORY_SHARDS,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: {
        default: { sql: store('default', database) },
        visibility: { sql: store('visibility', database) },
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      ...(options.tls === undefined ? {} : { tls: tlsConfig(options.tls) }),
    },
    services: Object.fromEntries(
      SERVICES.map((name) => [
        name,
        {
          rpc: {
            grpcPort: ports[`${name}Rpc`],
            membershipPort: ports[`${name}Membership`],
            bindOnIP: '127.0.0.1',
          },
        },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: cluster,
      currentClusterName: cluster,
      clusterInformation: {
        [cluster]: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontendRpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    publicClient: { hostPort: `127.0.0.1:${ports.frontendRpc}` },
    dynamicConfigClient: { filepath: options.dynamicConfigFile, pollInterval: '60s' },
  };
}

/** TLS settings of the frontend. The services run on this machine and connect to each other without TLS. */
function tlsConfig({ server, client, authorityFile, serverName }: ServerTls): object {
  const trusting = { serverName, rootCaFiles: [authorityFile] };
  return {
    frontend: {
      server: { ...server, requireClientAuth: true, clientCaFiles: [authorityFile] },
      client: trusting,
    },
    systemWorker: { ...client, client: trusting },
  };
}

function store(name: keyof typeof TEMPORAL_DATABASES, { port, user, password }: Database): object {
  return {
    pluginName: SQL_PLUGIN,
    databaseName: TEMPORAL_DATABASES[name],
    connectAddr: `127.0.0.1:${port}`,
    connectProtocol: 'tcp',
    user,
    password,
    maxConns: CONNECTIONS[name],
    maxIdleConns: CONNECTIONS[name],
    maxConnLifetime: '1h',
  };
}

/** Converts JSON values, which the development server accepts, to the server's file format: a list of constrained values per key. */
function dynamicConfig(values: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, [{ value: JSON.parse(value) as unknown }]]),
  );
}
