import Joi from 'joi';
import { DEFAULT_TIME_ZONE, isTimeZone } from '../domain/local-time';
import type { DailyWindow } from '../domain/calling-window';
import { readSender } from '../domain/completion-mail';
import {
  SIP_TRANSPORTS,
  type LiveKitOptions,
  type SipTransport,
  type SipTrunk,
} from '../activities/telephony/livekit/clients';
import type { DatabaseAddress } from '../db/kernel/connection';
import { secretsKeysOf, type SecretsKeys } from '../db/kernel/secrets-keys';
import type { OpenAiModelOptions } from '../activities/analysis/openai-model';
import type { AnalysisSettings } from '../activities/dependencies';
import {
  WHEN_REGISTRY_DOWN,
  type WhenRegistryDown,
} from '../activities/dialling/do-not-disturb/registry-check';
import type { BreakerLimits } from '../db/calls/engine';
import type { PhoneRules } from '../domain/phone-number';
import type { Rates } from '../domain/usage-cost';
import { databaseOf, readEnvironment, sharedVariables } from '../runtime/environment';
import { metricsAddress, type MetricsAddress } from '../runtime/observability/metrics-server';
import { storageSettings, type StorageEnvironment, type StorageSettings } from '../runtime/storage';
import type { WorkerSlots } from './slots';
import { withTemporal, type TemporalProfile } from '../runtime/temporal-access';

/** Carriers of phone calls: the values of `TELEPHONY`. `activity-dependencies.ts` creates each. */
const CARRIERS = ['http', 'livekit'] as const;
export type CarrierName = (typeof CARRIERS)[number];

export interface WorkerSettings {
  database: DatabaseAddress;
  /** Most connections to Postgres. */
  databasePoolSize: number;
  slots: WorkerSlots;
  /** True to record stacks for errors in workflow code and for the Web UI's stack trace. */
  workflowStacks: boolean;
  temporal: TemporalProfile;
  /** The carrier of phone calls. */
  carrier: CarrierName;
  /** Null unless the carrier is `http`. */
  carrierUrl: string | null;
  /** Null if there is none. Browser sessions aren't possible then. */
  livekit: LiveKitOptions | null;
  carrierSecret: string;
  /** Address for the carrier's events. */
  eventsUrl: string;
  secretsKeys: SecretsKeys;
  /** Storage of contact files and recordings, the same as the API's. */
  storage: StorageSettings;
  ringTimeoutS: number;
  creditsPerMinute: number;
  dispatchWaitLimitMs: number;
  legalWindow: DailyWindow;
  /** Countries in which callers can be called back: ISO codes, or `*` for all. */
  allowedCountries: string[];
  allowedNumberTypes: PhoneRules['allowedNumberTypes'];
  /** True if organizations can use only registered numbers, as in the API. */
  registeredOnly: boolean;
  /** Dials per second of each trunk, over all workers; 0 means no limit. */
  callsPerSecond: number;
  breakers: BreakerLimits;
  /** Delay of a callback without a requested time. */
  callbackDelayMs: number;
  /** Most callbacks to one number per organization and UTC day. */
  callbacksPerDay: number;
  /** Private hosts that webhooks can reach. */
  webhookAllowedHosts: string[];
  /** Null if there is none. Only the organizations' own lists count then. */
  dndRegistry: DndRegistrySettings | null;
  /** Model that analyses calls; null if none is configured. Rules analyse calls then. */
  model: OpenAiModelOptions | null;
  analysis: AnalysisSettings;
  /** Null if no mail server is configured. E-mails aren't sent then. */
  mail: MailSettings | null;
  /** Public address of the API, without a trailing slash. */
  publicUrl: string;
  /** Domains whose addresses need no confirmation; `*` means every domain. */
  mailConfirmedDomains: string[];
  /** Most reports of one organization in 24 hours; 0 means no limit. */
  mailPerDay: number;
  /** Minimum retention of audit, webhooks and calls, in days; null means forever. */
  auditDays: number | null;
  deliveryDays: number | null;
  callDays: number | null;
  /** Port of `/healthz` and `/readyz` on the loopback interface; null to disable them. */
  healthPort: number | null;
  /** Address of `GET /metrics`; null to disable it. */
  metrics: MetricsAddress | null;
  /** Base address of the OpenTelemetry collector, without a trailing slash; null to disable traces. */
  tracesTo: string | null;
  logLevel: string;
}

export interface DndRegistrySettings {
  url: string;
  /** Null if the registry needs none. */
  token: string | null;
  timeoutMs: number;
  /** How long a result is cached. */
  keptForMs: number;
  whenDown: WhenRegistryDown;
}

export interface MailSettings {
  /** Can contain a password, so it must never be logged. */
  url: string;
  from: { name: string; address: string };
}

interface Environment extends StorageEnvironment {
  temporal: TemporalProfile;
  TELEPHONY: CarrierName;
  DATABASE_URL: string;
  DATABASE_POOLED_URL?: string;
  DATABASE_POOL_SIZE: number;
  WORKFLOW_TASK_SLOTS: number;
  LOCAL_ACTIVITY_SLOTS: number;
  ACTIVITY_SLOTS: number;
  WORKFLOW_STACKS: boolean;
  CARRIER_URL?: string;
  LIVEKIT_URL?: string;
  LIVEKIT_API_KEY?: string;
  LIVEKIT_API_SECRET?: string;
  LIVEKIT_AGENT_NAME?: string;
  LIVEKIT_SIP_TRUNK_ID?: string;
  SIP_TRUNK_ADDRESS?: string;
  SIP_TRUNK_USERNAME: string;
  SIP_TRUNK_PASSWORD: string;
  SIP_TRUNK_TRANSPORT: SipTransport;
  SIP_INBOUND_ADDRESSES: string;
  CARRIER_SECRET: string;
  PUBLIC_URL: string;
  SECRETS_KEY: Buffer;
  SECRETS_KEY_PREVIOUS?: Buffer;
  RING_TIMEOUT_S: number;
  CREDITS_PER_MINUTE: number;
  DISPATCH_WAIT_LIMIT_S: number;
  LEGAL_WINDOW_UTC: DailyWindow;
  ALLOWED_COUNTRIES: string[];
  ALLOWED_NUMBER_TYPES: PhoneRules['allowedNumberTypes'];
  NUMBERS: 'any' | 'registered';
  CALLS_PER_SECOND: number;
  CAMPAIGN_SPEND_PER_DAY: number;
  ORGANIZATION_SPEND_PER_DAY: number;
  BREAKER_FAILURE_RATE: number;
  BREAKER_DIALS: number;
  CALLBACK_DELAY_MINS: number;
  CALLBACKS_PER_DAY: number;
  WEBHOOK_ALLOWED_HOSTS: string;
  DND_REGISTRY_URL?: string;
  DND_REGISTRY_TOKEN?: string;
  DND_REGISTRY_TIMEOUT_MS: number;
  DND_REGISTRY_CACHE_S: number;
  DND_REGISTRY_WHEN_DOWN: WhenRegistryDown;
  ANALYSIS_MODEL_URL?: string;
  ANALYSIS_MODEL_KEY?: string;
  ANALYSIS_MODEL?: string;
  ANALYSIS_TIMEOUT_S: number;
  ANALYSIS_AT_ONCE: number;
  TIME_ZONE: string;
  USAGE_RATES: Rates;
  AUDIT_DAYS?: number;
  DELIVERY_DAYS?: number;
  CALL_DAYS?: number;
  SMTP_URL?: string;
  MAIL_FROM?: MailSettings['from'];
  MAIL_CONFIRMED_DOMAINS: string[];
  MAIL_PER_DAY: number;
  WORKER_HEALTH_PORT?: number;
  METRICS_HOST: string;
  WORKER_METRICS_PORT?: number;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  LOG_LEVEL: string;
}

const { DATABASE_URL, CARRIER_SECRET, SECRETS_KEY, PUBLIC_URL } = sharedVariables;

const sender = Joi.string().custom((value: string, helpers) => {
  const read = readSender(value);
  if (read !== undefined) return read;
  return helpers.message({ custom: '{{#label}} must be an e-mail address, or a name and <an address>' });
});

const timeZone = Joi.string().custom((value: string, helpers): string | Joi.ErrorReport =>
  isTimeZone(value)
    ? value
    : helpers.message({ custom: '{{#label}} must be a time zone, such as Asia/Kolkata' }),
);

const SCHEMA = Joi.object<Environment>({
  ...sharedVariables,
  DATABASE_URL: DATABASE_URL.required(),
  DATABASE_POOL_SIZE: sharedVariables.DATABASE_POOL_SIZE.default(20),
  WORKFLOW_TASK_SLOTS: Joi.number().integer().min(8).max(1_000).default(100),
  LOCAL_ACTIVITY_SLOTS: Joi.number().integer().min(Joi.ref('WORKFLOW_TASK_SLOTS')).max(2_000).default(200),
  ACTIVITY_SLOTS: Joi.number().integer().min(8).max(2_000).default(500),
  WORKFLOW_STACKS: Joi.boolean().default(false),
  CARRIER_SECRET: CARRIER_SECRET.required(),
  SECRETS_KEY: SECRETS_KEY.required(),
  PUBLIC_URL: PUBLIC_URL.required(),
  TELEPHONY: Joi.string()
    .valid(...CARRIERS)
    .default('http'),
  CARRIER_URL: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .when('TELEPHONY', { is: 'http', then: Joi.required() }),
  LIVEKIT_URL: sharedVariables.LIVEKIT_URL.when('TELEPHONY', { is: 'livekit', then: Joi.required() }),
  LIVEKIT_AGENT_NAME: Joi.string(),
  LIVEKIT_SIP_TRUNK_ID: Joi.string(),
  SIP_TRUNK_ADDRESS: Joi.string().when('TELEPHONY', {
    is: 'livekit',
    then: Joi.when('LIVEKIT_SIP_TRUNK_ID', { is: Joi.exist(), otherwise: Joi.required() }),
  }),
  SIP_TRUNK_USERNAME: Joi.string().default(''),
  SIP_TRUNK_PASSWORD: Joi.string().default(''),
  SIP_TRUNK_TRANSPORT: Joi.string()
    .valid(...SIP_TRANSPORTS)
    .default('auto'),
  SIP_INBOUND_ADDRESSES: Joi.string().default(''),
  CALLBACK_DELAY_MINS: Joi.number().integer().min(1).max(10_080).default(60),
  CALLBACKS_PER_DAY: Joi.number().integer().min(1).max(1_000).default(3),
  WEBHOOK_ALLOWED_HOSTS: Joi.string().default(''),
  DND_REGISTRY_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  DND_REGISTRY_TOKEN: Joi.string(),
  DND_REGISTRY_TIMEOUT_MS: Joi.number().integer().min(100).max(5_000).default(2_000),
  DND_REGISTRY_CACHE_S: Joi.number().integer().min(60).max(2_592_000).default(86_400),
  DND_REGISTRY_WHEN_DOWN: Joi.string()
    .valid(...WHEN_REGISTRY_DOWN)
    .default('refuse'),
  ANALYSIS_MODEL_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  ANALYSIS_MODEL_KEY: Joi.string(),
  ANALYSIS_MODEL: Joi.string().when('ANALYSIS_MODEL_URL', { is: Joi.exist(), then: Joi.required() }),
  ANALYSIS_TIMEOUT_S: Joi.number().integer().min(1).max(120).default(60),
  ANALYSIS_AT_ONCE: Joi.number().integer().min(1).max(200).default(16),
  TIME_ZONE: timeZone.default(DEFAULT_TIME_ZONE),
  AUDIT_DAYS: Joi.number().integer().min(1).max(36_525),
  DELIVERY_DAYS: Joi.number().integer().min(1).max(36_525),
  CALL_DAYS: Joi.number().integer().min(1).max(36_525),
  SMTP_URL: Joi.string().uri({ scheme: ['smtp', 'smtps'] }),
  MAIL_FROM: sender.when('SMTP_URL', { is: Joi.exist(), then: Joi.required() }),
  MAIL_PER_DAY: Joi.number().integer().min(0).max(1_000_000).default(500),
  WORKER_HEALTH_PORT: Joi.number().integer().min(0).max(65535),
  WORKER_METRICS_PORT: Joi.number().integer().min(0).max(65535),
})
  .and('LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET')
  .oxor('LIVEKIT_SIP_TRUNK_ID', 'SIP_TRUNK_ADDRESS')
  .unknown(true);

/** @throws one error that names every wrong or missing variable */
export function readWorkerSettings(env: Readonly<Record<string, string | undefined>>): WorkerSettings {
  const values = readEnvironment(withTemporal(SCHEMA), env);
  const withoutSlash = (url: string) => url.replace(/\/+$/, '');
  return {
    database: databaseOf(values),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    slots: {
      workflowTasks: values.WORKFLOW_TASK_SLOTS,
      localActivities: values.LOCAL_ACTIVITY_SLOTS,
      activities: values.ACTIVITY_SLOTS,
    },
    workflowStacks: values.WORKFLOW_STACKS,
    temporal: values.temporal,
    carrier: values.TELEPHONY,
    carrierUrl:
      values.TELEPHONY === 'http' && values.CARRIER_URL !== undefined
        ? withoutSlash(values.CARRIER_URL)
        : null,
    livekit: livekitOf(values),
    carrierSecret: values.CARRIER_SECRET,
    eventsUrl: `${withoutSlash(values.PUBLIC_URL)}/api/carrier/events`,
    secretsKeys: secretsKeysOf(values),
    storage: storageSettings(values),
    ringTimeoutS: values.RING_TIMEOUT_S,
    creditsPerMinute: values.CREDITS_PER_MINUTE,
    dispatchWaitLimitMs: values.DISPATCH_WAIT_LIMIT_S * 1000,
    legalWindow: values.LEGAL_WINDOW_UTC,
    allowedCountries: values.ALLOWED_COUNTRIES,
    allowedNumberTypes: values.ALLOWED_NUMBER_TYPES,
    registeredOnly: values.NUMBERS === 'registered',
    callsPerSecond: values.CALLS_PER_SECOND,
    breakers: {
      campaignSpendPerDay: values.CAMPAIGN_SPEND_PER_DAY,
      organizationSpendPerDay: values.ORGANIZATION_SPEND_PER_DAY,
      failureRate: values.BREAKER_FAILURE_RATE,
      failureDials: values.BREAKER_DIALS,
    },
    callbacksPerDay: values.CALLBACKS_PER_DAY,
    callbackDelayMs: values.CALLBACK_DELAY_MINS * 60_000,
    webhookAllowedHosts: listed(values.WEBHOOK_ALLOWED_HOSTS),
    dndRegistry: dndRegistryOf(values),
    model: modelOf(values),
    analysis: {
      timeZone: values.TIME_ZONE,
      atOnce: values.ANALYSIS_AT_ONCE,
      rates: values.USAGE_RATES,
    },
    mail: mailOf(values),
    publicUrl: withoutSlash(values.PUBLIC_URL),
    mailConfirmedDomains: values.MAIL_CONFIRMED_DOMAINS,
    mailPerDay: values.MAIL_PER_DAY,
    auditDays: values.AUDIT_DAYS ?? null,
    deliveryDays: values.DELIVERY_DAYS ?? null,
    callDays: values.CALL_DAYS ?? null,
    healthPort: values.WORKER_HEALTH_PORT ?? null,
    metrics: metricsAddress(values.METRICS_HOST, values.WORKER_METRICS_PORT, 'WORKER_METRICS_PORT'),
    tracesTo: values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? null,
    logLevel: values.LOG_LEVEL,
  };
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function livekitOf(values: Environment): LiveKitOptions | null {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = values;
  if (url === undefined || apiKey === undefined || apiSecret === undefined) return null;
  return {
    url,
    apiKey,
    apiSecret,
    agentName: values.LIVEKIT_AGENT_NAME ?? null,
    trunk: values.TELEPHONY === 'livekit' ? trunkOf(values) : null,
    inboundAddresses: listed(values.SIP_INBOUND_ADDRESSES),
  };
}

function trunkOf(values: Environment): SipTrunk | null {
  const { LIVEKIT_SIP_TRUNK_ID: trunkId, SIP_TRUNK_ADDRESS: address } = values;
  if (trunkId !== undefined) return { kind: 'stored', trunkId };
  if (address === undefined) return null;
  const {
    SIP_TRUNK_USERNAME: username,
    SIP_TRUNK_PASSWORD: password,
    SIP_TRUNK_TRANSPORT: transport,
  } = values;
  return { kind: 'inline', address, username, password, transport };
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

function modelOf(values: Environment): OpenAiModelOptions | null {
  const { ANALYSIS_MODEL_URL: url, ANALYSIS_MODEL: model } = values;
  if (url === undefined || model === undefined) return null;
  return {
    url: url.replace(/\/+$/, ''),
    key: values.ANALYSIS_MODEL_KEY ?? null,
    model,
    timeoutMs: values.ANALYSIS_TIMEOUT_S * 1000,
  };
}

function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Environment): MailSettings | null {
  return url === undefined || from === undefined ? null : { url, from };
}
