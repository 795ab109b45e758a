import Joi from 'joi';
import type { DailyWindow } from '../workflows/domain/calling-window';
import { readSender } from '../workflows/domain/completion-mail';
import type { BrakeLimits } from '../db/call-engine';
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
  legalWindow: DailyWindow;
  /** Of each trunk, over all workers; 0 is no limit. */
  callsPerSecond: number;
  brakes: BrakeLimits;
  /** After how long a person is called back who named no time. */
  callbackDelayMs: number;
  /** Hosts that webhooks may reach although they are private. */
  webhookAllowedHosts: string[];
  /** Null where there is none: then only the clients' own lists count. */
  dndRegistry: DndRegistrySettings | null;
  /** Null where no mail server is configured: then nobody is told by e-mail. */
  mail: MailSettings | null;
  /** Answers `GET /healthz` and `/readyz` on the loopback interface; null where not wanted. */
  healthPort: number | null;
  logLevel: string;
}

export interface DndRegistrySettings {
  url: string;
  /** Null where the registry asks for none. */
  token: string | null;
  timeoutMs: number;
  /** How long an answer counts. */
  keptForMs: number;
  whenDown: 'refuse' | 'dial';
}

export interface MailSettings {
  /** May hold a password: it is never logged. */
  url: string;
  from: { name: string; address: string };
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
  LEGAL_WINDOW_UTC: DailyWindow;
  CALLS_PER_SECOND: number;
  CAMPAIGN_SPEND_PER_DAY: number;
  CLIENT_SPEND_PER_DAY: number;
  BREAKER_FAILURE_RATE: number;
  BREAKER_DIALS: number;
  CALLBACK_DELAY_MINS: number;
  WEBHOOK_ALLOWED_HOSTS: string;
  DND_REGISTRY_URL?: string;
  DND_REGISTRY_TOKEN?: string;
  DND_REGISTRY_TIMEOUT_MS: number;
  DND_REGISTRY_CACHE_S: number;
  DND_REGISTRY_WHEN_DOWN: 'refuse' | 'dial';
  SMTP_URL?: string;
  MAIL_FROM?: MailSettings['from'];
  WORKER_HEALTH_PORT?: number;
  LOG_LEVEL: string;
}

const { DATABASE_URL, CARRIER_SECRET, SECRETS_KEY, PUBLIC_URL } = sharedVariables;

const sender = Joi.string().custom((value: string, helpers) => {
  const read = readSender(value);
  if (read !== undefined) return read;
  return helpers.message({ custom: '{{#label}} must be an e-mail address, or a name and <an address>' });
});

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
  CALLBACK_DELAY_MINS: Joi.number().integer().min(1).max(10_080).default(60),
  RING_TIMEOUT_S: Joi.number().integer().min(5).max(120).default(30),
  WEBHOOK_ALLOWED_HOSTS: Joi.string().default(''),
  DND_REGISTRY_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  DND_REGISTRY_TOKEN: Joi.string(),
  DND_REGISTRY_TIMEOUT_MS: Joi.number().integer().min(100).max(5_000).default(2_000),
  DND_REGISTRY_CACHE_S: Joi.number().integer().min(60).max(2_592_000).default(86_400),
  DND_REGISTRY_WHEN_DOWN: Joi.string().valid('refuse', 'dial').default('refuse'),
  SMTP_URL: Joi.string().uri({ scheme: ['smtp', 'smtps'] }),
  MAIL_FROM: sender.when('SMTP_URL', { is: Joi.exist(), then: Joi.required() }),
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
    legalWindow: values.LEGAL_WINDOW_UTC,
    callsPerSecond: values.CALLS_PER_SECOND,
    brakes: {
      campaignSpendPerDay: values.CAMPAIGN_SPEND_PER_DAY,
      clientSpendPerDay: values.CLIENT_SPEND_PER_DAY,
      failureRate: values.BREAKER_FAILURE_RATE,
      failureDials: values.BREAKER_DIALS,
    },
    callbackDelayMs: values.CALLBACK_DELAY_MINS * 60_000,
    webhookAllowedHosts: values.WEBHOOK_ALLOWED_HOSTS.split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
    dndRegistry: dndRegistryOf(values),
    mail: mailOf(values),
    healthPort: values.WORKER_HEALTH_PORT ?? null,
    logLevel: values.LOG_LEVEL,
  };
}

function dndRegistryOf(values: Environment): DndRegistrySettings | null {
  if (values.DND_REGISTRY_URL === undefined) return null;
  return {
    url: values.DND_REGISTRY_URL,
    token: values.DND_REGISTRY_TOKEN ?? null,
    timeoutMs: values.DND_REGISTRY_TIMEOUT_MS,
    keptForMs: values.DND_REGISTRY_CACHE_S * 1000,
    whenDown: values.DND_REGISTRY_WHEN_DOWN,
  };
}

function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Environment): MailSettings | null {
  return url === undefined || from === undefined ? null : { url, from };
}
