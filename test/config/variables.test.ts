import { checkVariables, VARIABLES } from '../../config';

const ENOUGH = {
  DATABASE_URL: 'postgres://localhost/calls',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  CARRIER_SECRET: 'a-secret-of-the-carrier',
  PUBLIC_URL: 'http://localhost:8080',
  CARRIER_URL: 'http://localhost:7080',
};

function read(env: Record<string, string | undefined>) {
  const result = checkVariables(VARIABLES, 'worker', { ...ENOUGH, ...env });
  if ('faults' in result) throw new Error(result.faults.join());
  return result.values;
}

function faultsOf(env: Record<string, string | undefined>): string[] {
  const result = checkVariables(VARIABLES, 'worker', { ...ENOUGH, ...env });
  return 'faults' in result ? result.faults : [];
}

test("applies the default to a variable that isn't set", () => {
  expect(read({})).toMatchObject({
    DISPATCH_WAIT_LIMIT_S: 900,
    CREDITS_PER_MINUTE: 1,
    LEGAL_WINDOW_UTC: { startMinute: 150, endMinute: 869 },
    LEGAL_WINDOW_LOCAL: { startMinute: 480, endMinute: 1260 },
    RULE_PROFILE: null,
    RULES_FOR_DISPATCHES: false,
    RING_TIMEOUT_S: 30,
    ALLOWED_COUNTRIES: ['IN'],
    ALLOWED_NUMBER_TYPES: ['mobile', 'fixed_line', 'voip', 'toll_free'],
    NUMBERS: 'any',
    CALLS_PER_SECOND: 0,
    CAMPAIGN_SPEND_PER_DAY: 0,
    ORGANIZATION_SPEND_PER_DAY: 0,
    BREAKER_FAILURE_RATE: 0,
    BREAKER_DIALS: 20,
    DATA_DIR: '.data',
    S3_REGION: 'us-east-1',
    S3_PREFIX: null,
    USAGE_RATES: {},
    MAIL_CONFIRMED_DOMAINS: [],
    METRICS_HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
  });
});

test('treats an empty variable as unset', () => {
  expect(read({ LOG_LEVEL: '', SMTP_URL: '', S3_BUCKET: undefined })).toEqual(read({}));
  expect(faultsOf({ CARRIER_SECRET: '', PUBLIC_URL: undefined })).toEqual([
    'CARRIER_SECRET is required',
    'PUBLIC_URL is required',
  ]);
});

test('reads the secrets key as 32 bytes', () => {
  const key = Buffer.alloc(32, 7);
  expect(read({ SECRETS_KEY: key.toString('base64') }).SECRETS_KEY).toEqual(key);
});

test.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])(
  'accepts the log level %s',
  (level) => {
    expect(read({ LOG_LEVEL: level }).LOG_LEVEL).toBe(level);
  },
);

test.each([
  [
    'DATABASE_URL',
    'mysql://x/y',
    /^DATABASE_URL must be a URL that starts with postgres:\/\/ or postgresql:\/\/$/,
  ],
  ['CARRIER_SECRET', 'short', /^CARRIER_SECRET must be at least 16 characters long$/],
  ['PUBLIC_URL', 'ftp://x', /^PUBLIC_URL must be a URL that starts with http:\/\/ or https:\/\/$/],
  ['DISPATCH_WAIT_LIMIT_S', '0', /^DISPATCH_WAIT_LIMIT_S must be at least 1$/],
  ['DISPATCH_WAIT_LIMIT_S', '1.5', /^DISPATCH_WAIT_LIMIT_S must be an integer$/],
  ['DISPATCH_WAIT_LIMIT_S', 'soon', /^DISPATCH_WAIT_LIMIT_S must be a number$/],
  ['CREDITS_PER_MINUTE', '-1', /^CREDITS_PER_MINUTE must be at least 0$/],
  ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of /],
  [
    'SECRETS_KEY',
    'c2hvcnQ=',
    /^SECRETS_KEY must be 32 bytes in base64, such as the output of `openssl rand -base64 32`$/,
  ],
])('rejects %s=%s and says what it must be', (name, value, message) => {
  expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(message)]);
});

test('names every faulty variable in one error', () => {
  const faults = faultsOf({
    DATABASE_URL: 'x',
    CARRIER_SECRET: 'x',
    SECRETS_KEY: 'x',
    PUBLIC_URL: 'x',
    LOG_LEVEL: 'x',
  });
  expect(faults.map((line) => line.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'CARRIER_SECRET',
    'SECRETS_KEY',
    'PUBLIC_URL',
    'LOG_LEVEL',
  ]);
});

test('shows no secret and no connection string in the error', () => {
  const faults = faultsOf({
    SECRETS_KEY: 'hunter2',
    CARRIER_SECRET: 'hunter2',
    DATABASE_URL: 'http://u:hunter2@h/d',
  });
  expect(faults).toHaveLength(3);
  expect(faults.join()).not.toContain('hunter2');
});
