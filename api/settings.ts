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
  /** URL of the media server for us. */
  url: string;
  /** URL of the media server for browsers. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
}

export interface ApiSettings {
  /** 0 uses any free port. */
  port: number;
  /** Interface to listen on. */
  host: string;
  /** URL of the API for clients, without a trailing slash. URLs in responses start with it. */
  publicUrl: string;
  /** Direct connection to Postgres, needed for notifications. */
  databaseUrl: string;
  /** Connection for everything else: Postgres or a pooler. */
  database: DatabaseAddress;
  /** Maximum number of connections to Postgres. */
  databasePoolSize: number;
  temporal: TemporalProfile;
  /** Secret that authenticates the carrier's events. */
  carrierSecret: string;
  /** Secret with which agents claim calls; null if LiveKit isn't configured. */
  agentSecret: string | null;
  /** Keys that encrypt secrets and from which signing keys are derived. */
  secretsKeys: SecretsKeys;
  /** Storage of contact files and recordings. */
  storage: StorageSettings;
  /** Calling windows of campaigns must be within these times, both inclusive. */
  legalWindow: DailyWindow;
  /** ISO codes; `*` allows every country. */
  allowedCountries: string[];
  allowedNumberTypes: PhoneRules['allowedNumberTypes'];
  /** If true, numbers that aren't registered can't be used as caller ID or answer callers. */
  registeredOnly: boolean;
  /** Domains of SIP addresses that calls may be transferred to, in lowercase. */
  transferSipDomains: string[];
  /** Origins whose pages may read the API. Empty allows none. */
  corsOrigins: string[];
  /** Minutes that a transfer counts as against spend limits, because its real duration is unknown. */
  transferMinutes: number;
  /** How long a dispatched call may wait for a free line before it expires. */
  dispatchWaitLimitMs: number;
  creditsPerMinute: number;
  /** Prices of the models that calls use. */
  usageRates: Rates;
  /** Seconds that a call rings before it counts as unanswered. */
  ringTimeoutS: number;
  /** Limit per trunk; 0 means unlimited. */
  callsPerSecond: number;
  /** Credits, for organizations without their own limits; 0 means unlimited. */
  spendPerDay: { perCampaign: number; perOrganization: number };
  /** Null if not configured; browser sessions are then refused. */
  livekit: LiveKitSettings | null;
  /** URL of a workflow in Temporal's Web UI, without the slash and id; null if the console shows no links. */
  workflowPages: string | null;
  /** Limits of organizations without their own. */
  rateLimits: RateLimitSettings;
  /** Maximum bytes of request bodies in memory. */
  bodyBufferBytes: number;
  /** Folder of uploaded files while their requests are handled. */
  uploadFolder: string;
  /** Domains whose addresses receive reports without confirmation; `*` is every domain. */
  mailConfirmedDomains: string[];
  /** Quotas of organizations without their own; 0 means unlimited. */
  quotas: Quotas;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Address of `GET /metrics`; null turns it off. */
  metrics: MetricsAddress | null;
  /** Base URL of an OpenTelemetry collector, without a trailing slash; null turns tracing off. */
  tracesTo: string | null;
  logLevel: string;
}

/** 0 means unlimited. */
const perMinute = Joi.number().integer().min(0).max(1_000_000);

const proxies = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const texts = value.split(',').map((text) => text.trim());
  if (trustedProxies(texts) !== null) return texts;
  return helpers.message({
    custom: '{{#label}} must be comma-separated addresses or networks, such as 10.0.0.0/8,::1',
  });
});

const quotas = Joi.string().custom(
  (value: string, helpers): Partial<Quotas> | Joi.ErrorReport =>
    readQuotas(value) ??
    helpers.message({
      custom: `{{#label}} must be quotas such as contacts=5000000,agents=0. Names: ${QUOTA_NAMES.join(', ')}`,
    }),
);

const domains = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name))) return names;
  return helpers.message({
    custom: '{{#label}} must be comma-separated domains or addresses, such as pbx.example.com',
  });
});

const origins = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const texts = value.split(',').map((text) => text.trim());
  if (texts.every(isWebOrigin)) return texts;
  return helpers.message({
    custom: '{{#label}} must be comma-separated origins, such as https://crm.example.com',
  });
});

const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

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
  ORGANIZATION_SPEND_PER_DAY: number;
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
/** Must differ, otherwise agents could send carrier events and the carrier could claim calls. */
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

/** Throws one error that names all invalid variables. An empty variable counts as not set. */
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
      perOrganization: values.ORGANIZATION_SPEND_PER_DAY,
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
  /** Connected on first use, so that other commands work without Temporal. */
  temporal: TemporalProfile;
  /** Storage of recordings and contact files, from which persons are erased. */
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
