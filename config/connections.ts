/** Variables for connections between processes, and for logs, metrics and traces. */
import {
  address,
  baseAddress,
  choice,
  integer,
  isSet,
  parsed,
  secret,
  text,
  variable,
  type Rule,
} from './variable';

const PLATFORM = ['api', 'worker'] as const;
const STORED_DATA = ['api', 'worker', 'admin'] as const;

const SECRETS_KEY_BYTES = 32;

const secretsKey = parsed(
  `${SECRETS_KEY_BYTES} bytes in base64`,
  `${SECRETS_KEY_BYTES} bytes in base64, such as the output of \`openssl rand -base64 32\``,
  (given): Buffer | undefined => {
    const key = Buffer.from(given, 'base64');
    return key.length === SECRETS_KEY_BYTES ? key : undefined;
  },
);

/** LiveKit's three variables must be set together, and LiveKit can only place calls if they are set. */
const livekitTogether: Rule = (value, other) => {
  if (isSet(value)) return null;
  const isNeeded = ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'].some((name) =>
    isSet(other(name)),
  );
  return isNeeded || other('TELEPHONY') === 'livekit' ? 'is required with LiveKit' : null;
};

/** With the same secret for both, agents could send carrier events, and the carrier could claim calls. */
const agentSecret: Rule = (value, other) => {
  if (value === null) return isSet(other('LIVEKIT_URL')) ? 'is required with LIVEKIT_URL' : null;
  return value === other('CARRIER_SECRET') ? 'must differ from CARRIER_SECRET' : null;
};

const ofTemporal = (description: string) => variable({ kind: text, readBy: STORED_DATA, description });
const ofTraces = (description: string) => variable({ kind: text, readBy: PLATFORM, description });

export const CONNECTIONS = {
  DATABASE_URL: variable({
    kind: address('postgres', 'postgresql'),
    readBy: ['api', 'worker', 'admin', 'migrate', 'stack'],
    requiredBy: ['api', 'worker', 'admin', 'migrate'],
    example: 'postgres://platform:platform@localhost:5432/platform',
    description:
      'Postgres 17 or later. If you set it for `npm start` or `npm run demo`, they use this database and start none.',
  }),
  DATABASE_POOLED_URL: variable({
    kind: address('postgres', 'postgresql'),
    readBy: STORED_DATA,
    description:
      'A PgBouncer in transaction mode for the database of DATABASE_URL. Migrations and LISTEN bypass it. Its role needs its own statement_timeout (5s).',
  }),
  DATABASE_POOL_SIZE: variable({
    kind: integer({ min: 2, max: 500 }),
    default: { api: 10, worker: 20 },
    readBy: PLATFORM,
    as: 'databasePoolSize',
    description: 'Maximum number of database connections per process (docs/scaling.md).',
  }),
  TEMPORAL_ADDRESS: variable({
    kind: text,
    default: 'localhost:7233',
    readBy: ['api', 'worker', 'admin', 'stack'],
    description:
      'host:port of the Temporal frontend. If you set it for `npm start` or `npm run demo`, they use this server and start none.',
  }),
  TEMPORAL_NAMESPACE: variable({
    kind: text,
    default: 'default',
    readBy: STORED_DATA,
    description: 'The namespace must exist. The worker adds its search attributes and schedules to it.',
  }),
  TEMPORAL_TLS: ofTemporal(
    "true turns on TLS. The TEMPORAL_TLS_* variables and TEMPORAL_API_KEY also turn it on. The names match Temporal's CLI.",
  ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: ofTemporal(
    'PEM file of the client certificate (mTLS). The process reads it at start-up.',
  ),
  TEMPORAL_TLS_CLIENT_KEY_PATH: ofTemporal('PEM file of the private key of TEMPORAL_TLS_CLIENT_CERT_PATH.'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: ofTemporal("PEM file of the trusted CAs. Default: the system's CAs."),
  TEMPORAL_TLS_SERVER_NAME: ofTemporal(
    "Expected name in the server's certificate. Default: the host of TEMPORAL_ADDRESS.",
  ),
  TEMPORAL_API_KEY: ofTemporal('An API key of Temporal Cloud.'),
  TEMPORAL_CONFIG_FILE: ofTemporal(
    "A TOML file of Temporal's CLI (`temporal config`). The other TEMPORAL_* variables override it. If unset, no file is read.",
  ),
  TEMPORAL_PROFILE: variable({
    kind: text,
    default: 'default',
    readBy: STORED_DATA,
    description: 'The profile in TEMPORAL_CONFIG_FILE.',
  }),
  CARRIER_SECRET: variable({
    kind: secret(16),
    readBy: ['api', 'worker', 'simulator', 'sip-stand-in'],
    requiredBy: ['api', 'worker', 'simulator', 'sip-stand-in'],
    as: 'carrierSecret',
    example: '',
    description: 'Bearer token between platform and carrier, in both directions.',
  }),
  SECRETS_KEY: variable({
    kind: secretsKey,
    readBy: STORED_DATA,
    requiredBy: STORED_DATA,
    example: '',
    description:
      "Encrypts webhook signing secrets and secrets in agents' configurations, and signs URLs (`openssl rand -base64 32`). Must be the same for all processes, because another key can't read stored secrets.",
  }),
  SECRETS_KEY_PREVIOUS: variable({
    kind: secretsKey,
    readBy: STORED_DATA,
    description:
      'The previous SECRETS_KEY, until `npm run admin -- secrets re-encrypt` is done (docs/production.md).',
  }),
  AGENT_SECRET: variable({
    kind: secret(16),
    readBy: ['api', 'agent'],
    requiredBy: ['agent'],
    as: 'agentSecret',
    rule: agentSecret,
    description:
      'Bearer token that agents (agent/) send to the API. Must differ from CARRIER_SECRET. Required with LIVEKIT_URL.',
  }),
  PUBLIC_URL: variable({
    kind: baseAddress('http', 'https'),
    readBy: PLATFORM,
    requiredBy: ['worker'],
    example: 'http://localhost:8080',
    description:
      'Address of the API for API clients and the carrier. URLs in responses begin with it. The carrier sends its events to <PUBLIC_URL>/api/carrier/events. Only the API has a default (http://localhost:<PORT>).',
  }),
  LIVEKIT_URL: variable({
    kind: baseAddress('ws', 'wss', 'http', 'https'),
    readBy: ['api', 'worker', 'agent', 'sip-stand-in'],
    requiredBy: ['agent', 'sip-stand-in'],
    rule: livekitTogether,
    description:
      "LiveKit's server. Set it together with LIVEKIT_API_KEY and LIVEKIT_API_SECRET. Without them, dispatches with `medium=webrtc` get 503.",
  }),
  LIVEKIT_API_KEY: variable({
    kind: text,
    readBy: ['api', 'worker', 'agent', 'sip-stand-in'],
    requiredBy: ['agent', 'sip-stand-in'],
    rule: livekitTogether,
    description: 'API key for the LiveKit server.',
  }),
  LIVEKIT_API_SECRET: variable({
    kind: text,
    readBy: ['api', 'worker', 'agent', 'sip-stand-in'],
    requiredBy: ['agent', 'sip-stand-in'],
    rule: livekitTogether,
    description: 'Secret of LIVEKIT_API_KEY.',
  }),
  LIVEKIT_AGENT_NAME: variable({
    kind: text,
    readBy: ['worker', 'agent'],
    description:
      'Name under which our agents register with LiveKit. The default is unique to the deployment.',
  }),
  LOG_LEVEL: variable({
    kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    readBy: ['api', 'worker', 'agent', 'mcp', 'mcp-http'],
    as: 'logLevel',
    description: 'Logs are JSON lines on standard output.',
  }),
  METRICS_HOST: variable({
    kind: text,
    default: '127.0.0.1',
    readBy: ['api', 'worker', 'agent'],
    description:
      "Interface for Prometheus. A process serves metrics if its port is set. Don't use the interface that API clients reach.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    kind: baseAddress('http', 'https'),
    readBy: PLATFORM,
    as: 'tracesTo',
    description:
      'An OpenTelemetry collector that accepts OTLP over HTTP, such as http://localhost:4318. Without it there are no traces.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: ofTraces(
    "Headers of requests to the collector (name=value, comma-separated). This is OpenTelemetry's own variable, like OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG.",
  ),
  OTEL_TRACES_SAMPLER: ofTraces('Trace sampler (docs/operations.md).'),
  OTEL_TRACES_SAMPLER_ARG: ofTraces('Argument of OTEL_TRACES_SAMPLER.'),
};
