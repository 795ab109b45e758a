/**
 * All environment variables. `.env.example`, `docs/settings.md`, the variables in `docker-compose.yml` and the settings of every process come
 * from this table.
 */
import { AGENT, PROVIDER_KEYS } from './agent';
import { API } from './api';
import { CALLS } from './calls';
import { CONNECTIONS } from './connections';
import { STORAGE } from './storage';
import { TOOLS } from './tools';
import type { Values } from './read';
import type { Table } from './variable';
import { WORKER } from './worker';

export { checkVariables, readVariables, type Environment, type Values } from './read';

const AGENT_WITH_KEYS = { ...AGENT, ...PROVIDER_KEYS };

export const VARIABLES = {
  ...CONNECTIONS,
  ...STORAGE,
  ...CALLS,
  ...API,
  ...WORKER,
  ...AGENT_WITH_KEYS,
  ...TOOLS,
};

/** The sections of `.env.example` and `docs/settings.md`, in order. */
export const VARIABLE_GROUPS: readonly (readonly [title: string, table: Table])[] = [
  ['Connections', CONNECTIONS],
  ['Files', STORAGE],
  ['Calls', CALLS],
  ['API', API],
  ['Worker', WORKER],
  ['Agent (npm run agent, npm run agent:chat)', AGENT_WITH_KEYS],
  ['Tools: simulated carriers, MCP server, local stack, tests', TOOLS],
];

type StoredData = Values<typeof VARIABLES, 'admin'>;

/** Settings that the API, the worker and the admin command line share. */
export const storedDataSettings = (values: StoredData) => ({
  /** The database connection of a process, either to a pooler or directly to Postgres. */
  database:
    values.DATABASE_POOLED_URL === null
      ? { url: values.DATABASE_URL, isPooled: false }
      : { url: values.DATABASE_POOLED_URL, isPooled: true },
  secretsKeys: { current: values.SECRETS_KEY, previous: values.SECRETS_KEY_PREVIOUS },
  storage: { dataDir: values.DATA_DIR, s3: bucketOf(values) },
});

function bucketOf(values: StoredData) {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_PREFIX: prefix } = values;
  if (bucket === null) return null;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return {
    bucket,
    region: values.S3_REGION,
    endpoint,
    isPathStyle: values.S3_PATH_STYLE ?? endpoint !== null,
    prefix: prefix === null ? '' : `${prefix.replace(/\/$/, '')}/`,
    credentials: accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey },
    encryption: encryptionOf(values),
  };
}

function encryptionOf({ S3_ENCRYPTION: algorithm, S3_KMS_KEY_ID: keyId }: StoredData) {
  if (algorithm === null) return null;
  return algorithm === 'AES256' ? { algorithm } : { algorithm, keyId };
}
