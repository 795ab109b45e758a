import { join } from 'node:path';
import Joi from 'joi';
import { QUOTA_DEFAULTS, QUOTA_NAMES, readQuotas, type Quotas } from '../domain/quotas';
import type { DailyWindow } from '../domain/calling-window';
import type { DatabaseAddress } from '../db/kernel/connection';
import { secretsKeysOf, type SecretsKeys } from '../db/kernel/secrets-keys';
import type { PhoneRules } from '../domain/phone-number';
import type { Rates } from '../domain/usage-cost';
import { databaseOf, readEnvironment, sharedVariables } from '../runtime/environment';
import { metricsAddress, type MetricsAddress } from '../runtime/observability/metrics-server';
import {
  storageSettings,
  storageVariables,
  type StorageEnvironment,
  type StorageSettings,
} from '../runtime/storage';
import { withTemporal, type TemporalProfile } from '../runtime/temporal-access';
import { trustedProxies } from './http/auth/client-address';
import type { RateLimitSettings } from './http/limits';

export interface LiveKitSettings {
  /** Where we reach the media server. */
  url: string;
  /** Where browsers do. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
}

export interface ApiSettings {
  /** 0 takes any free port. */
  port: number;
  /** The interface to listen on. */
  host: string;
  /** Where clients reach the API, without a slash at the end; the addresses in answers begin with it. */
  publicUrl: string;
  /** Postgres itself, for what it notifies. */
  databaseUrl: string;
  /** For all else: Postgres, or a pooler. */
  database: DatabaseAddress;
  /** Most connections to Postgres at once. */
  databasePoolSize: number;
  temporal: TemporalProfile;
  /** What the carrier's events are authorised with. */
  carrierSecret: string;
  /** What agents ask for the calls of their jobs with; null where LiveKit is not configured. */
  agentSecret: string | null;
  /** Secrets are encrypted with them, and signatures of addresses derive from them. */
  secretsKeys: SecretsKeys;
  /** Of contact files and recordings. */
  storage: StorageSettings;
  /** A campaign's times may lie anywhere from the one to the other, both included. */
  legalWindow: DailyWindow;
  /** ISO codes; `*` allows every country. */
  allowedCountries: string[];
  allowedNumberTypes: PhoneRules['allowedNumberTypes'];
  /** A number that is registered for nobody is refused as caller ID and for callers. */
  registeredOnly: boolean;
  /** Domains of SIP addresses that calls may be transferred to, in lower case. */
  transferSipDomains: string[];
  /** Origins whose pages may read the API; empty for none. */
  corsOrigins: string[];
  /** Minutes of talk that a transfer counts as against the brakes of spend: how long it lasts, nobody sees. */
  transferMinutes: number;
  /** How long a dispatched call may wait for a free line before it expires. */
  dispatchWaitLimitMs: number;
  creditsPerMinute: number;
  /** What the models cost that calls use. */
  usageRates: Rates;
  /** Seconds that a call rings before it counts as not answered. */
  ringTimeoutS: number;
  /** Of each trunk; 0 is no limit. */
  callsPerSecond: number;
  /** Credits, of clients that have no limits of their own; 0 is no limit. */
  spendPerDay: { perCampaign: number; perClient: number };
  /** Null where none is configured: browser sessions are then refused. */
  livekit: LiveKitSettings | null;
  /** Where Temporal's Web UI shows a workflow, before the slash and its id; null where the console links to none. */
  workflowPages: string | null;
  /** Of every client that has no limits of its own. */
  rateLimits: RateLimitSettings;
  /** Bytes of request bodies that may be in memory at once. */
  bodyBufferBytes: number;
  /** Files of forms are in it while their requests are handled. */
  uploadFolder: string;
  /** Domains whose addresses are sent reports without a confirmation; `*` is every domain. */
  mailConfirmedDomains: string[];
  /** Quotas of organizations that have none of their own; 0 is no limit. */
  quotas: Quotas;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Where `GET /metrics` is answered; null where not wanted. */
  metrics: MetricsAddress | null;
  /** The base address of an OpenTelemetry collector, without a slash at the end; null where nothing is traced. */
  tracesTo: string | null;
  logLevel: string;
}

/** 0 is no limit. */
const perMinute = Joi.number().integer().min(0).max(1_000_000);

const proxies = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const texts = value.split(',').map((text) => text.trim());
  if (trustedProxies(texts) !== null) return texts;
  return helpers.message({ custom: '{{#label}} must be addresses or networks, such as 10.0.0.0/8,::1' });
});

const quotas = Joi.string().custom(
  (value: string, helpers): Partial<Quotas> | Joi.ErrorReport =>
    readQuotas(value) ??
    helpers.message({
      custom: `{{#label}} must be quotas such as contacts=5000000,agents=0: ${QUOTA_NAMES.join(', ')}`,
    }),
);

const domains = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))) return names;
  return helpers.message({ custom: '{{#label}} must be domains or addresses, such as pbx.example.com' });
});

const origins = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const texts = value.split(',').map((text) => text.trim());
  if (texts.every(isWebOrigin)) return texts;
  return helpers.message({ custom: '{{#label}} must be origins, such as https://crm.example.com' });
});

const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** The shape that `SCHEMA` answers. */
interface Environment extends StorageEnvironment {
  temporal: TemporalProfile;
  PORT: number;
  HOST: string;
  PUBLIC_URL?: string;
  DATABASE_URL: string;
  DATABASE_POOLED_URL?: string;
  DATABASE_POOL_SIZE: number;
  CARRIER_SECRET: string;
  AGENT_SECRET?: string;
  SECRETS_KEY: Buffer;
  SECRETS_KEY_PREVIOUS?: Buffer;
  LEGAL_WINDOW_UTC: DailyWindow;
  ALLOWED_COUNTRIES: string[];
  ALLOWED_NUMBER_TYPES: PhoneRules['allowedNumberTypes'];
  NUMBERS: 'any' | 'registered';
  TRANSFER_SIP_DOMAINS: string[];
  CORS_ORIGINS: string[];
  TRANSFER_MINUTES: number;
  DISPATCH_WAIT_LIMIT_S: number;
  RATE_LIMIT_DISPATCH_PER_MIN: number;
  RATE_LIMIT_PER_MIN: number;
  QUOTAS: Partial<Quotas>;
  MAIL_CONFIRMED_DOMAINS: string[];
  CREDITS_PER_MINUTE: number;
  USAGE_RATES: Rates;
  RING_TIMEOUT_S: number;
  CALLS_PER_SECOND: number;
  CAMPAIGN_SPEND_PER_DAY: number;
  CLIENT_SPEND_PER_DAY: number;
  LIVEKIT_URL?: string;
  LIVEKIT_PUBLIC_URL?: string;
  LIVEKIT_API_KEY?: string;
  LIVEKIT_API_SECRET?: string;
  TEMPORAL_WEB_UI?: string;
  BODY_BUFFER_MIB: number;
  TRUSTED_PROXIES: string[];
  METRICS_HOST: string;
  METRICS_PORT?: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  LOG_LEVEL: string;
}

const DATABASE_URL = sharedVariables.DATABASE_URL.required();
const SECRETS_KEY = sharedVariables.SECRETS_KEY.required();
const DATABASE_POOL_SIZE = sharedVariables.DATABASE_POOL_SIZE.default(10);
/** One value for both would open to agents what the carrier may report, and to the carrier the claims of calls. */
const AGENT_SECRET = sharedVariables.CARRIER_SECRET.invalid(Joi.ref('CARRIER_SECRET'))
  .messages({ 'any.invalid': '{{#label}} must differ from CARRIER_SECRET' })
  .when('LIVEKIT_URL', { is: Joi.exist(), then: Joi.required() });

const SCHEMA = Joi.object<Environment>({
  ...sharedVariables,
  DATABASE_URL,
  DATABASE_POOL_SIZE,
  SECRETS_KEY,
  CARRIER_SECRET: sharedVariables.CARRIER_SECRET.required(),
  AGENT_SECRET,
  PORT: Joi.number().integer().min(0).max(65535).default(8080),
  HOST: Joi.string().default('0.0.0.0'),
  METRICS_PORT: Joi.number().integer().min(0).max(65535),
  LIVEKIT_PUBLIC_URL: sharedVariables.LIVEKIT_URL,
  RATE_LIMIT_DISPATCH_PER_MIN: perMinute.default(500),
  RATE_LIMIT_PER_MIN: perMinute.default(1000),
  QUOTAS: quotas.default({}),
  TEMPORAL_WEB_UI: Joi.string().uri({ scheme: ['http', 'https'] }),
  BODY_BUFFER_MIB: Joi.number().integer().min(8).max(16_384).default(64),
  TRUSTED_PROXIES: proxies.default([]),
  TRANSFER_SIP_DOMAINS: domains.default([]),
  CORS_ORIGINS: origins.default([]),
  TRANSFER_MINUTES: Joi.number().min(0).max(1_440).default(10),
})
  .and('LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET')
  .unknown(true);

/** Throws one error that names every variable at fault. A variable set to nothing counts as not set. */
export function readApiSettings(env: Readonly<Record<string, string | undefined>>): ApiSettings {
  const values = readEnvironment(withTemporal(SCHEMA), env);
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    databaseUrl: values.DATABASE_URL,
    database: databaseOf(values),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    temporal: values.temporal,
    carrierSecret: values.CARRIER_SECRET,
    agentSecret: values.AGENT_SECRET ?? null,
    secretsKeys: secretsKeysOf(values),
    storage: storageSettings(values),
    legalWindow: values.LEGAL_WINDOW_UTC,
    allowedCountries: values.ALLOWED_COUNTRIES,
    allowedNumberTypes: values.ALLOWED_NUMBER_TYPES,
    registeredOnly: values.NUMBERS === 'registered',
    transferSipDomains: values.TRANSFER_SIP_DOMAINS,
    corsOrigins: values.CORS_ORIGINS,
    transferMinutes: values.TRANSFER_MINUTES,
    dispatchWaitLimitMs: values.DISPATCH_WAIT_LIMIT_S * 1000,
    creditsPerMinute: values.CREDITS_PER_MINUTE,
    usageRates: values.USAGE_RATES,
    ringTimeoutS: values.RING_TIMEOUT_S,
    callsPerSecond: values.CALLS_PER_SECOND,
    spendPerDay: {
      perCampaign: values.CAMPAIGN_SPEND_PER_DAY,
      perClient: values.CLIENT_SPEND_PER_DAY,
    },
    livekit: livekitOf(values),
    workflowPages: workflowPagesOf(values),
    rateLimits: {
      dispatchPerMinute: values.RATE_LIMIT_DISPATCH_PER_MIN,
      otherPerMinute: values.RATE_LIMIT_PER_MIN,
    },
    bodyBufferBytes: values.BODY_BUFFER_MIB * 1024 * 1024,
    uploadFolder: join(values.DATA_DIR, 'uploads'),
    mailConfirmedDomains: values.MAIL_CONFIRMED_DOMAINS,
    quotas: { ...QUOTA_DEFAULTS, ...values.QUOTAS },
    trustedProxies: values.TRUSTED_PROXIES,
    metrics: metricsAddress(values.METRICS_HOST, values.METRICS_PORT, 'METRICS_PORT'),
    tracesTo: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null,
    logLevel: values.LOG_LEVEL,
  };
}

function workflowPagesOf({ TEMPORAL_WEB_UI: address, temporal }: Environment): string | null {
  if (address === undefined) return null;
  return `${address.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(temporal.namespace)}/workflows`;
}

function livekitOf(values: Environment): LiveKitSettings | null {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = values;
  return url === undefined || apiKey === undefined || apiSecret === undefined
    ? null
    : { url, publicUrl: values.LIVEKIT_PUBLIC_URL ?? url, apiKey, apiSecret };
}

export interface AdminSettings {
  database: DatabaseAddress;
  secretsKeys: SecretsKeys;
  /** For what is done to campaigns; nothing else reaches Temporal. */
  temporal: TemporalProfile;
  /** Of recordings and contact files, for who is erased from them. */
  storage: StorageSettings;
}

type AdminEnvironment = StorageEnvironment &
  Pick<
    Environment,
    'temporal' | 'DATABASE_URL' | 'DATABASE_POOLED_URL' | 'SECRETS_KEY' | 'SECRETS_KEY_PREVIOUS'
  >;

const ADMIN_SCHEMA = Joi.object<AdminEnvironment>({
  DATABASE_URL,
  DATABASE_POOLED_URL: sharedVariables.DATABASE_POOLED_URL,
  SECRETS_KEY,
  SECRETS_KEY_PREVIOUS: sharedVariables.SECRETS_KEY_PREVIOUS,
  ...storageVariables,
}).unknown(true);

export function readAdminSettings(env: Readonly<Record<string, string | undefined>>): AdminSettings {
  const values = readEnvironment(withTemporal(ADMIN_SCHEMA), env);
  return {
    database: databaseOf(values),
    secretsKeys: secretsKeysOf(values),
    temporal: values.temporal,
    storage: storageSettings(values),
  };
}
