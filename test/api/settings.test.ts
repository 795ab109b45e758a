import { join } from 'node:path';
import { ORDINARY_TYPES } from '../../domain/phone-number';
import { QUOTA_DEFAULTS } from '../../domain/quotas';
import { readAdminSettings, readApiSettings } from '../../api/settings';

const KEY = Buffer.alloc(32, 7).toString('base64');
const ENOUGH = {
  DATABASE_URL: 'postgres://localhost/calls',
  SECRETS_KEY: KEY,
  CARRIER_SECRET: 'a-secret-of-the-carrier',
};

test('uses the documented defaults', () => {
  expect(readApiSettings(ENOUGH)).toEqual({
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'http://localhost:8080',
    databaseUrl: 'postgres://localhost/calls',
    database: { url: 'postgres://localhost/calls', isPooled: false },
    databasePoolSize: 10,
    temporal: { address: 'localhost:7233', namespace: 'default' },
    carrierSecret: 'a-secret-of-the-carrier',
    agentSecret: null,
    secretsKeys: { current: Buffer.alloc(32, 7), previous: null },
    storage: { dataDir: '.data', s3: null },
    legalWindow: { startMinute: 150, endMinute: 869 },
    legalWindowLocal: { startMinute: 480, endMinute: 1260 },
    ruleProfile: null,
    rulesForDispatches: false,
    allowedCountries: ['IN'],
    allowedNumberTypes: [...ORDINARY_TYPES],
    registeredOnly: false,
    transferSipDomains: [],
    bodyBufferBytes: 64 * 1024 * 1024,
    uploadFolder: join('.data', 'uploads'),
    corsOrigins: [],
    transferMinutes: 10,
    dispatchWaitLimitMs: 900_000,
    creditsPerMinute: 1,
    trustedProxies: [],
    usageRates: {},
    workflowPages: null,
    ringTimeoutS: 30,
    callsPerSecond: 0,
    spendPerDay: { perCampaign: 0, perOrganization: 0 },
    livekit: null,
    rateLimits: { dispatchPerMinute: 500, otherPerMinute: 1000 },
    quotas: QUOTA_DEFAULTS,
    mailConfirmedDomains: [],
    metrics: null,
    tracesTo: null,
    logLevel: 'info',
  });
});

test('reads each variable in its unit', () => {
  const settings = readApiSettings({
    ...ENOUGH,
    PUBLIC_URL: 'https://calls.example.com/',
    LEGAL_WINDOW_UTC: '00:00-24:00',
    LEGAL_WINDOW_LOCAL: '09:00-20:00',
    RULE_PROFILE: 'us-reg-f',
    RULES_FOR_DISPATCHES: 'true',
    ALLOWED_COUNTRIES: 'in, ae',
    NUMBERS: 'registered',
    TRANSFER_SIP_DOMAINS: 'PBX.example.com, 10.0.0.5',
    CORS_ORIGINS: 'https://crm.example.com, http://localhost:3000',
    TRANSFER_MINUTES: '30',
    DISPATCH_WAIT_LIMIT_S: '60',
    RATE_LIMIT_DISPATCH_PER_MIN: '0',
    RATE_LIMIT_PER_MIN: '20',
    BODY_BUFFER_MIB: '16',
  });
  expect(settings).toMatchObject({
    publicUrl: 'https://calls.example.com',
    legalWindow: { startMinute: 0, endMinute: 1440 },
    legalWindowLocal: { startMinute: 540, endMinute: 1200 },
    ruleProfile: 'us-reg-f',
    rulesForDispatches: true,
    allowedCountries: ['IN', 'AE'],
    allowedNumberTypes: [...ORDINARY_TYPES],
    registeredOnly: true,
    transferSipDomains: ['pbx.example.com', '10.0.0.5'],
    corsOrigins: ['https://crm.example.com', 'http://localhost:3000'],
    transferMinutes: 30,
    dispatchWaitLimitMs: 60_000,
    rateLimits: { dispatchPerMinute: 0, otherPerMinute: 20 },
    bodyBufferBytes: 16 * 1024 * 1024,
  });
});

test('serves metrics if their port is set, and sends traces if a collector is named', () => {
  const settings = readApiSettings({
    ...ENOUGH,
    METRICS_PORT: '0',
    METRICS_HOST: '10.0.0.5',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
  });
  expect([settings.metrics, settings.tracesTo]).toEqual([
    { host: '10.0.0.5', port: 0, variable: 'METRICS_PORT' },
    'http://collector:4318',
  ]);
});

test("sends browsers to the media server's own URL by default", () => {
  const livekit = {
    LIVEKIT_URL: 'http://livekit:7880',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
    AGENT_SECRET: 'a-secret-of-the-agents',
  };
  const read = (more: object) => readApiSettings({ ...ENOUGH, ...livekit, ...more }).livekit;
  expect(read({})).toMatchObject({ url: 'http://livekit:7880', publicUrl: 'http://livekit:7880' });
  expect(read({ LIVEKIT_PUBLIC_URL: 'wss://rtc.example.com' })).toMatchObject({
    url: 'http://livekit:7880',
    publicUrl: 'wss://rtc.example.com',
  });
});

test('requires AGENT_SECRET with LiveKit', () => {
  const livekit = {
    LIVEKIT_URL: 'http://livekit:7880',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'secret',
  };
  expect(() => readApiSettings({ ...ENOUGH, ...livekit })).toThrow('AGENT_SECRET is required');
});

test("rejects an AGENT_SECRET equal to CARRIER_SECRET, because each would open the other's endpoints", () => {
  const copied = { ...ENOUGH, AGENT_SECRET: ENOUGH.CARRIER_SECRET };
  expect(() => readApiSettings(copied)).toThrow(/^ {2}AGENT_SECRET must differ from CARRIER_SECRET$/m);
  const own = { ...ENOUGH, AGENT_SECRET: 'a-secret-of-the-agents' };
  expect(readApiSettings(own).agentSecret).toBe('a-secret-of-the-agents');
});

test('reads the previous key in addition to the current one', () => {
  const previous = Buffer.alloc(32, 8);
  const both = { ...ENOUGH, SECRETS_KEY_PREVIOUS: previous.toString('base64') };
  const expected = { current: Buffer.alloc(32, 7), previous };
  expect([readApiSettings(both).secretsKeys, readAdminSettings(both).secretsKeys]).toEqual([
    expected,
    expected,
  ]);
});

test.each([
  ['AGENT_SECRET', 'short'],
  ['SECRETS_KEY_PREVIOUS', 'c2hvcnQ='],
  ['LIVEKIT_PUBLIC_URL', 'rtc.example.com'],
  ['PORT', '70000'],
  ['PUBLIC_URL', 'calls.example.com'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['SECRETS_KEY', 'c2hvcnQ='],
  ['LEGAL_WINDOW_UTC', '14:29-02:30'],
  ['LEGAL_WINDOW_UTC', 'always'],
  ['LEGAL_WINDOW_LOCAL', '21:00-08:00'],
  ['RULE_PROFILE', 'my-rules'],
  ['RULES_FOR_DISPATCHES', 'yes'],
  ['ALLOWED_COUNTRIES', 'India'],
  ['NUMBERS', 'mine'],
  ['TRANSFER_SIP_DOMAINS', '*.example.com'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'null'],
  ['CORS_ORIGINS', 'https://*.example.com'],
  ['CORS_ORIGINS', 'https://crm.example.com/'],
  ['CORS_ORIGINS', 'crm.example.com'],
  ['TRANSFER_MINUTES', '-1'],
  ['DISPATCH_WAIT_LIMIT_S', '0'],
  ['RATE_LIMIT_DISPATCH_PER_MIN', '-1'],
  ['RATE_LIMIT_PER_MIN', '0.5'],
  ['BODY_BUFFER_MIB', '1'],
  ['LOG_LEVEL', 'loud'],
])('rejects %s=%s with an error that contains the name but not the value', (name, value) => {
  const read = () => readApiSettings({ ...ENOUGH, [name]: value });
  expect(read).toThrow(name);
});

test('names every missing or empty variable in one error', () => {
  expect(() => readApiSettings({ SECRETS_KEY: '' })).toThrow(
    /DATABASE_URL[^]*SECRETS_KEY|SECRETS_KEY[^]*DATABASE_URL/,
  );
});

test('requires only the database and the key for admin commands', () => {
  const { CARRIER_SECRET: _unneeded, ...env } = ENOUGH;
  expect(readAdminSettings(env)).toEqual({
    database: { url: 'postgres://localhost/calls', isPooled: false },
    secretsKeys: { current: Buffer.alloc(32, 7), previous: null },
    ruleProfile: null,
    // Erasing people needs the storage.
    storage: { dataDir: '.data', s3: null },
    // Switching campaigns needs Temporal.
    temporal: { address: 'localhost:7233', namespace: 'default' },
  });
});

test("builds the URL of a workflow's page from the Web UI and the namespace", () => {
  const pages = (changes: object) => readApiSettings({ ...ENOUGH, ...changes }).workflowPages;
  const TEMPORAL_WEB_UI = 'https://temporal.example.com/';
  expect(pages({ TEMPORAL_WEB_UI })).toBe('https://temporal.example.com/namespaces/default/workflows');
  expect(pages({ TEMPORAL_WEB_UI, TEMPORAL_NAMESPACE: 'calls.a1' })).toBe(
    'https://temporal.example.com/namespaces/calls.a1/workflows',
  );
  expect(() => pages({ TEMPORAL_WEB_UI: 'javascript:alert(1)' })).toThrow('TEMPORAL_WEB_UI');
});

test('overrides only the given default quotas, and rejects unknown names and malformed numbers', () => {
  const { quotas } = readApiSettings({ ...ENOUGH, QUOTAS: 'contacts=20, agents=0' });
  expect(quotas).toEqual({ ...QUOTA_DEFAULTS, contacts: 20, agents: 0 });
  for (const QUOTAS of ['contacts', 'calls=3', 'contacts=-1', 'contacts=1,'])
    expect(() => readApiSettings({ ...ENOUGH, QUOTAS })).toThrow('QUOTAS must be quotas such as');
});
