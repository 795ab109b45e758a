import Joi from 'joi';
import { readEnvironment, sharedVariables } from '../workflows/environment';

export interface WorkerSettings {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  carrierUrl: string;
  carrierSecret: string;
  /** Where the carrier sends its events. */
  eventsUrl: string;
  secretsKey: Buffer;
  ringTimeoutS: number;
  creditsPerMinute: number;
  dispatchWaitLimitMs: number;
  /** Hosts that webhooks may reach although they are private. */
  webhookAllowedHosts: string[];
  /** Answers `GET /healthz` and `/readyz` on the loopback interface; null where not wanted. */
  healthPort: number | null;
  logLevel: string;
}

interface Environment {
  TELEPHONY: 'http';
  DATABASE_URL: string;
  TEMPORAL_ADDRESS: string;
  TEMPORAL_NAMESPACE: string;
  CARRIER_URL: string;
  CARRIER_SECRET: string;
  PUBLIC_URL: string;
  SECRETS_KEY: Buffer;
  RING_TIMEOUT_S: number;
  CREDITS_PER_MINUTE: number;
  DISPATCH_WAIT_LIMIT_S: number;
  WEBHOOK_ALLOWED_HOSTS: string;
  WORKER_HEALTH_PORT?: number;
  LOG_LEVEL: string;
}

const { DATABASE_URL, CARRIER_SECRET, SECRETS_KEY, PUBLIC_URL } = sharedVariables;

const SCHEMA = Joi.object<Environment>({
  ...sharedVariables,
  DATABASE_URL: DATABASE_URL.required(),
  CARRIER_SECRET: CARRIER_SECRET.required(),
  SECRETS_KEY: SECRETS_KEY.required(),
  PUBLIC_URL: PUBLIC_URL.required(),
  TELEPHONY: Joi.string().valid('http').default('http'),
  CARRIER_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .required(),
  RING_TIMEOUT_S: Joi.number().integer().min(5).max(120).default(30),
  WEBHOOK_ALLOWED_HOSTS: Joi.string().default(''),
  WORKER_HEALTH_PORT: Joi.number().integer().min(0).max(65535),
}).unknown(true);

/** Throws one error that names every variable at fault. */
export function readWorkerSettings(env: Readonly<Record<string, string | undefined>>): WorkerSettings {
  const values = readEnvironment(SCHEMA, env);
  const withoutSlash = (url: string) => url.replace(/\/+$/, '');
  return {
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    carrierUrl: withoutSlash(values.CARRIER_URL),
    carrierSecret: values.CARRIER_SECRET,
    eventsUrl: `${withoutSlash(values.PUBLIC_URL)}/api/carrier/events`,
    secretsKey: values.SECRETS_KEY,
    ringTimeoutS: values.RING_TIMEOUT_S,
    creditsPerMinute: values.CREDITS_PER_MINUTE,
    dispatchWaitLimitMs: values.DISPATCH_WAIT_LIMIT_S * 1000,
    webhookAllowedHosts: values.WEBHOOK_ALLOWED_HOSTS.split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    healthPort: values.WORKER_HEALTH_PORT ?? null,
    logLevel: values.LOG_LEVEL,
  };
}
