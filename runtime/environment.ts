/** Environment variables that several processes read, and the validation of a process's environment. */
import Joi from 'joi';
import { minuteOfDay, type DailyWindow } from '../domain/calling-window';
import { NUMBER_TYPES, ORDINARY_TYPES, type NumberType } from '../domain/phone-number';
import { readRates, type Rates } from '../domain/usage-cost';
import { storageVariables } from './storage';

const SECRETS_KEY_BYTES = 32;

const secretsKey = Joi.string().custom((value: string, helpers) => {
  const key = Buffer.from(value, 'base64');
  if (key.length === SECRETS_KEY_BYTES) return key;
  return helpers.message({
    custom: `{{#label}} must be ${SECRETS_KEY_BYTES} bytes in base64, such as \`openssl rand -base64 32\` prints`,
  });
});

const dailyWindow = Joi.string().custom((value: string, helpers): DailyWindow | Joi.ErrorReport => {
  const [start, end, ...rest] = value.split('-').map((time) => minuteOfDay(time.trim()));
  if (typeof start !== 'number' || typeof end !== 'number' || rest.length > 0 || end <= start) {
    return helpers.message({ custom: '{{#label}} must be two times of day, such as 02:30-14:29' });
  }
  return { startMinute: start, endMinute: end };
});

const countries = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const codes = value.split(',').map((code) => code.trim().toUpperCase());
  if (codes.every((code) => /^([A-Z]{2}|\*)$/.test(code))) return codes;
  return helpers.message({ custom: '{{#label}} must be ISO country codes, such as IN,AE, or *' });
});

const numberTypes = Joi.string().custom((value: string, helpers): (NumberType | '*')[] | Joi.ErrorReport => {
  const types = value.split(',').map((type) => type.trim().toLowerCase());
  const known = [...NUMBER_TYPES, '*'] as const;
  const read = types.flatMap((type) => known.filter((each) => each === type));
  if (read.length === types.length) return read;
  return helpers.message({ custom: `{{#label}} must be * or types of ${NUMBER_TYPES.join(', ')}` });
});

const mailDomains = Joi.string().custom((value: string, helpers): string[] | Joi.ErrorReport => {
  const names = value.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => name === '*' || /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(name))) return names;
  return helpers.message({ custom: '{{#label}} must be domains, such as example.com, or * for all' });
});

const rates = Joi.string().custom((value: string, helpers): Rates | Joi.ErrorReport => {
  const read = readRates(value);
  return 'rates' in read ? read.rates : helpers.message({ custom: `{{#label}} ${read.fault}` });
});

/** Credits per UTC day. */
const spendPerDay = Joi.number().min(0).default(0);

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Database address for a process's statements. */
export const databaseOf = (values: { DATABASE_URL: string; DATABASE_POOLED_URL?: string }) =>
  values.DATABASE_POOLED_URL === undefined
    ? { url: values.DATABASE_URL, isPooled: false }
    : { url: values.DATABASE_POOLED_URL, isPooled: true };

export const sharedVariables = {
  DATABASE_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
  /** A PgBouncer in transaction mode for that database. Migrations and notifications bypass it. */
  DATABASE_POOLED_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
  /** Most connections of one process. Each kind of process has its own default. */
  DATABASE_POOL_SIZE: Joi.number().integer().min(2).max(500),
  CARRIER_SECRET: Joi.string().min(16),
  SECRETS_KEY: secretsKey,
  /** Decrypts older secrets during a rotation of the key. */
  SECRETS_KEY_PREVIOUS: secretsKey,
  PUBLIC_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  ...storageVariables,
  DISPATCH_WAIT_LIMIT_S: Joi.number().integer().min(1).max(86_400).default(900),
  /** Credits per started minute of talk. */
  CREDITS_PER_MINUTE: Joi.number().min(0).default(1),
  /** Daily window in which calls can be made at all. */
  LEGAL_WINDOW_UTC: dailyWindow.default({ startMinute: 150, endMinute: 869 }),
  /** Address of LiveKit's server for our processes. */
  LIVEKIT_URL: Joi.string().uri({ scheme: ['ws', 'wss', 'http', 'https'] }),
  LIVEKIT_API_KEY: Joi.string(),
  LIVEKIT_API_SECRET: Joi.string(),
  /** Ring time after which a call counts as not answered. */
  RING_TIMEOUT_S: Joi.number().integer().min(5).max(120).default(30),
  /** Countries whose numbers can be called. */
  ALLOWED_COUNTRIES: countries.default(['IN']),
  /** Types of numbers that can be called. */
  ALLOWED_NUMBER_TYPES: numberTypes.default([...ORDINARY_TYPES]),
  /** With `registered`, an organization can call from and answer only numbers that are registered for it. */
  NUMBERS: Joi.string().valid('any', 'registered').default('any'),
  /** Dials per second of each trunk, over all workers; 0 means no limit. */
  CALLS_PER_SECOND: Joi.number().min(0).max(1_000).default(0),
  // Spend limits and circuit breaker of organizations without their own; 0 means none.
  CAMPAIGN_SPEND_PER_DAY: spendPerDay,
  ORGANIZATION_SPEND_PER_DAY: spendPerDay,
  BREAKER_FAILURE_RATE: Joi.number().min(0).max(1).default(0),
  BREAKER_DIALS: Joi.number().integer().min(1).max(100).default(20),
  /** Prices of the models that calls use. */
  USAGE_RATES: rates.default({}),
  /** Domains whose addresses receive reports without confirmation; `*` means every domain. */
  MAIL_CONFIRMED_DOMAINS: mailDomains.default([]),
  /** Interface of the metrics ports. */
  METRICS_HOST: Joi.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string().uri({ scheme: ['http', 'https'] }),
  LOG_LEVEL: Joi.string()
    .valid(...LOG_LEVELS)
    .default('info'),
};

/** Validates the environment. An empty variable counts as unset. @throws one error that names every wrong or missing variable */
export function readEnvironment<Values>(
  schema: Joi.ObjectSchema<Values>,
  env: Readonly<Record<string, string | undefined>>,
): Values {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.validate(given, { abortEarly: false, errors: { wrap: { label: false } } });
  if (result.error === undefined) return result.value;
  const faults = result.error.details.map(({ message }) => `  ${message}`).join('\n');
  throw new Error(`Environment variables are missing or wrong (see .env.example):\n${faults}`);
}
