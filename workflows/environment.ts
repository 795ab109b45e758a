/** The variables that more than one process reads, and how a process reads its own: one error names every fault. */
import Joi from 'joi';

const SECRETS_KEY_BYTES = 32;

const secretsKey = Joi.string().custom((value: string, helpers) => {
  const key = Buffer.from(value, 'base64');
  if (key.length === SECRETS_KEY_BYTES) return key;
  return helpers.message({
    custom: `{{#label}} must be ${SECRETS_KEY_BYTES} bytes in base64, such as \`openssl rand -base64 32\` prints`,
  });
});

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export const sharedVariables = {
  DATABASE_URL: Joi.string().uri({ scheme: ['postgres', 'postgresql'] }),
  TEMPORAL_ADDRESS: Joi.string().default('localhost:7233'),
  TEMPORAL_NAMESPACE: Joi.string().default('default'),
  CARRIER_SECRET: Joi.string().min(16),
  SECRETS_KEY: secretsKey,
  PUBLIC_URL: Joi.string().uri({ scheme: ['http', 'https'] }),
  DISPATCH_WAIT_LIMIT_S: Joi.number().integer().min(1).max(86_400).default(900),
  /** Credits for each started minute of talk. */
  CREDITS_PER_MINUTE: Joi.number().min(0).default(1),
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
  throw new Error(`The environment is not complete:\n${faults}`);
}
