/** The files that a Temporal server on Postgres reads: JSON, which is YAML too. */

export type ServerPorts = Record<
  `${'frontend' | 'history' | 'matching' | 'worker'}${'Rpc' | 'Membership'}`,
  number
>;

export type Database = { port: number; user: string; password: string };

/** Databases of its own in the platform's cluster, so that the engine's statements and backends can be distinguished. */
export const TEMPORAL_DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;

/** Of Temporal's two drivers the one that keeps statements prepared: a third less work for Postgres than with `postgres12`. */
export const SQL_PLUGIN = 'postgres12_pgx';

/** Fixed for the life of a cluster. Enough that two cores never wait for a shard's lock, few enough to cost nothing idle. */
const HISTORY_SHARDS = 8;

/** Each of the four services opens pools of its own: 64 connections at most, of the 200 that Postgres allows. */
const CONNECTIONS = { default: 12, visibility: 4 } as const;

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

export type CertificateFiles = { certFile: string; keyFile: string };

/** Files in PEM: the server's certificate, one of a client that its own system workers present too, and who signed both. */
export type ServerTls = {
  server: CertificateFiles;
  client: CertificateFiles;
  authorityFile: string;
  /** In the server's certificate. */
  serverName: string;
};

export function serverConfig(options: {
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

/** Of the frontend; the services reach each other in the clear, on this machine. */
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

/** Values as JSON, as the development server takes them; the server's file wants a list of constrained values. */
export function dynamicConfig(values: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, [{ value: JSON.parse(value) as unknown }]]),
  );
}
