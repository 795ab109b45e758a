/** The variables that more than one process reads, and how a process reads its own: one error names every fault. */
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

/** Credits a UTC day. */
const spendPerDay = Joi.number().min(0).default(0);

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Where statements of a process go. */
export const databaseOf = (values: { DATABASE_URL: string; DATABASE_POOLED_URL?: string }) =>
  values.DATABASE_POOLED_URL === undefined
    ? { url: values.DATABASE_URL, isPooled: false }
    : { url: values.DATABASE_POOLED_URL, isPooled: true };

export const sharedVariables = {
  DATABASE_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
  /** A PgBouncer in transaction mode before that database: all goes through it but migrations and what Postgres notifies. */
  DATABASE_POOLED_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
  /** Most connections that one process holds; each process has its own default. */
  DATABASE_POOL_SIZE: Joi.number().integer().min(2).max(500),
  CARRIER_SECRET: Joi.string().min(16),
  SECRETS_KEY: secretsKey,
  /** Opens what was sealed before, while a rotation lasts. */
  SECRETS_KEY_PREVIOUS: secretsKey,
  PUBLIC_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  ...storageVariables,
  DISPATCH_WAIT_LIMIT_S: Joi.number().integer().min(1).max(86_400).default(900),
  /** Credits for each started minute of talk. */
  CREDITS_PER_MINUTE: Joi.number().min(0).default(1),
  /** When calls may be made at all. */
  LEGAL_WINDOW_UTC: dailyWindow.default({ startMinute: 150, endMinute: 869 }),
  /** Of LiveKit's server; browsers may reach it under another address. */
  LIVEKIT_URL: Joi.string().uri({ scheme: ['ws', 'wss', 'http', 'https'] }),
  LIVEKIT_API_KEY: Joi.string(),
  LIVEKIT_API_SECRET: Joi.string(),
  /** How long a call rings before it counts as not answered. */
  RING_TIMEOUT_S: Joi.number().integer().min(5).max(120).default(30),
  /** Whose numbers may be called. */
  ALLOWED_COUNTRIES: countries.default(['IN']),
  /** Types of numbers that may be called. */
  ALLOWED_NUMBER_TYPES: numberTypes.default([...ORDINARY_TYPES]),
  /** Whose numbers clients may call from and answer: with `registered`, only those that are registered for them. */
  NUMBERS: Joi.string().valid('any', 'registered').default('any'),
  /** Of each trunk, over all workers; 0 is no limit. */
  CALLS_PER_SECOND: Joi.number().min(0).max(1_000).default(0),
  // Brakes, of clients that have none of their own; 0 is none.
  CAMPAIGN_SPEND_PER_DAY: spendPerDay,
  CLIENT_SPEND_PER_DAY: spendPerDay,
  BREAKER_FAILURE_RATE: Joi.number().min(0).max(1).default(0),
  BREAKER_DIALS: Joi.number().integer().min(1).max(100).default(20),
  /** What the models cost that calls use. */
  USAGE_RATES: rates.default({}),
  /** Domains whose addresses are sent reports without a confirmation; `*` is every domain. */
  MAIL_CONFIRMED_DOMAINS: mailDomains.default([]),
  /** The interface on which metrics are answered, of a process whose port for them is set. */
  METRICS_HOST: Joi.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string().uri({ scheme: ['http', 'https'] }),
  LOG_LEVEL: Joi.string()
    .valid(...LOG_LEVELS)
    .default('info'),
};

/** A variable set to nothing counts as not set. Throws one error that names every variable at fault. */
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
  throw new Error(`The environment is not complete (.env.example says what each is):\n${faults}`);
}
