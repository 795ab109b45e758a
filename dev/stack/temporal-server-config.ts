/** Builds the configuration files of a Temporal server on Postgres. They are JSON, which is valid YAML. */

export type ServerPorts = Record<
  `${'frontend' | 'history' | 'matching' | 'worker'}${'Rpc' | 'Membership'}`,
  number
>;

export type Database = { port: number; user: string; password: string };

/** Separate databases in the platform's cluster, so that Temporal's statements and connections can be told apart. */
export const TEMPORAL_DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;

/** Unlike `postgres12`, this driver keeps prepared statements, which reduces Postgres' work by a third. */
export const SQL_PLUGIN = 'postgres12_pgx';

/**
 * Fixed for the life of a cluster. With this many shards, two cores never wait for a shard's lock, and an idle server has no extra cost.
 */
const HISTORY_SHARDS = 8;

/** Each of the four services opens its own pools. Together they use at most 64 of the 200 connections that Postgres allows. */
const CONNECTIONS = { default: 12, visibility: 4 } as const;

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

export type CertificateFiles = { certFile: string; keyFile: string };

/**
 * PEM files: the server's certificate, the client certificate (which the server's own system workers also present), and the authority that
 * signed both.
 */
export type ServerTls = {
  server: CertificateFiles;
  client: CertificateFiles;
  authorityFile: string;
  /** The name in the server's certificate. */
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
export function dynamicConfig(values: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, [{ value: JSON.parse(value) as unknown }]]),
  );
}
