import { ORDINARY_TYPES } from '../../domain/phone-number';
import { readWorkerSettings } from '../../worker/settings';

const required = {
  DATABASE_URL: 'postgres://user@localhost/platform',
  CARRIER_URL: 'http://localhost:4000',
  CARRIER_SECRET: 'a secret of sixteen characters',
  PUBLIC_URL: 'https://voice.example.com',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

test('connects through a pooler if there is one', () => {
  const url = 'postgres://pooler:6432/platform';
  const { database } = readWorkerSettings({ ...required, DATABASE_POOLED_URL: url });
  expect(database).toEqual({ url, isPooled: true });
});

test('requires only five variables', () => {
  expect(readWorkerSettings(required)).toEqual({
    database: { url: required.DATABASE_URL, isPooled: false },
    databasePoolSize: 20,
    databaseUrl: 'postgres://user@localhost/platform',
    slots: { workflowTasks: 100, localActivities: 200, activities: 500 },
    workflowStacks: false,
    temporal: { address: 'localhost:7233', namespace: 'default' },
    carrier: 'http',
    carrierUrl: 'http://localhost:4000',
    livekit: null,
    carrierSecret: required.CARRIER_SECRET,
    eventsUrl: 'https://voice.example.com/api/carrier/events',
    secretsKeys: { current: Buffer.alloc(32, 1), previous: null },
    storage: { dataDir: '.data', s3: null },
    ringTimeoutS: 30,
    creditsPerMinute: 1,
    dispatchWaitLimitMs: 900_000,
    legalWindow: { startMinute: 150, endMinute: 869 },
    legalWindowLocal: { startMinute: 480, endMinute: 1260 },
    ruleProfile: null,
    rulesForDispatches: false,
    allowedCountries: ['IN'],
    allowedNumberTypes: [...ORDINARY_TYPES],
    registeredOnly: false,
    callsPerSecond: 0,
    breakers: { campaignSpendPerDay: 0, organizationSpendPerDay: 0, failureRate: 0, failureDials: 20 },
    callbacksPerDay: 3,
    callbackDelayMs: 3_600_000,
    webhookAllowedHosts: [],
    dndRegistry: null,
    model: null,
    analysis: { timeZone: 'Asia/Kolkata', atOnce: 16, rates: {} },
    mail: null,
    publicUrl: 'https://voice.example.com',
    mailConfirmedDomains: [],
    mailPerDay: 500,
    auditDays: null,
    deliveryDays: null,
    callDays: null,
    healthPort: null,
    metrics: null,
    tracesTo: null,
    logLevel: 'info',
  });
});

test('names each of the five missing variables in one error', () => {
  expect(() => readWorkerSettings({})).toThrow(
    new Error(
      [
        'Environment variables are missing or wrong (see .env.example):',
        '  DATABASE_URL is required',
        '  CARRIER_SECRET is required',
        '  SECRETS_KEY is required',
        '  PUBLIC_URL is required',
        '  CARRIER_URL is required with TELEPHONY=http',
      ].join('\n'),
    ),
  );
});

test('keeps audit log and deliveries for the configured number of days, which must be at least one', () => {
  expect(readWorkerSettings({ ...required, AUDIT_DAYS: '365' }).auditDays).toBe(365);
  expect(() => readWorkerSettings({ ...required, AUDIT_DAYS: '0' })).toThrow('AUDIT_DAYS');
  expect(readWorkerSettings({ ...required, DELIVERY_DAYS: '400' }).deliveryDays).toBe(400);
  expect(() => readWorkerSettings({ ...required, DELIVERY_DAYS: '0.5' })).toThrow('DELIVERY_DAYS');
  expect(readWorkerSettings({ ...required, CALL_DAYS: '1100' }).callDays).toBe(1100);
});

test('removes trailing slashes from URLs', () => {
  const settings = readWorkerSettings({
    ...required,
    CARRIER_URL: 'http://carrier/v1//',
    PUBLIC_URL: 'https://voice.example.com/base/',
  });
  expect(settings.carrierUrl).toBe('http://carrier/v1');
  expect(settings.eventsUrl).toBe('https://voice.example.com/base/api/carrier/events');
});

test('reads the allowed webhook hosts from a comma-separated list', () => {
  const hosts = (value: string) => readWorkerSettings({ ...required, WEBHOOK_ALLOWED_HOSTS: value });
  expect(hosts('localhost, 127.0.0.1:4100 ,,').webhookAllowedHosts).toEqual(['localhost', '127.0.0.1:4100']);
  expect(hosts(' , ').webhookAllowedHosts).toEqual([]);
});

test('uses a do-not-disturb registry only if its URL is set', () => {
  const url = 'http://registry.internal/v1/look-up';
  expect(readWorkerSettings({ ...required, DND_REGISTRY_URL: url }).dndRegistry).toEqual({
    url,
    token: null,
    timeoutMs: 2_000,
    keptForMs: 86_400_000,
    whenDown: 'refuse',
  });
  expect(readWorkerSettings({ ...required, DND_REGISTRY_TOKEN: 'secret' }).dndRegistry).toBeNull();
});

test('treats health port 0 as any free port', () => {
  expect(readWorkerSettings({ ...required, WORKER_HEALTH_PORT: '0' }).healthPort).toBe(0);
});

test.each([
  ['RING_TIMEOUT_S', '4'],
  ['RING_TIMEOUT_S', '121'],
  ['TELEPHONY', 'pigeon'],
  ['CARRIER_URL', 'localhost:4000'],
  ['WORKER_HEALTH_PORT', '65536'],
  ['DND_REGISTRY_URL', 'ftp://registry'],
  ['DND_REGISTRY_TIMEOUT_MS', '99'],
  ['DND_REGISTRY_TIMEOUT_MS', '5001'],
  ['DND_REGISTRY_CACHE_S', '59'],
  ['DND_REGISTRY_WHEN_DOWN', 'hope'],
])('rejects %s=%s and names the variable', (name, value) => {
  expect(() => readWorkerSettings({ ...required, [name]: value })).toThrow(`  ${name} must be`);
});

test('serves metrics if their port is set, on the loopback interface by default', () => {
  expect(readWorkerSettings({ ...required, WORKER_METRICS_PORT: '9465' }).metrics).toEqual({
    host: '127.0.0.1',
    port: 9465,
    variable: 'WORKER_METRICS_PORT',
  });
  expect(readWorkerSettings({ ...required, METRICS_HOST: '0.0.0.0' }).metrics).toBeNull();
});

describe('settings for phones over LiveKit', () => {
  const { CARRIER_URL: _carrier, ...others } = required;
  const livekit = {
    ...others,
    TELEPHONY: 'livekit',
    LIVEKIT_URL: 'ws://localhost:7880',
    LIVEKIT_API_KEY: 'devkey',
    LIVEKIT_API_SECRET: 'secret',
  };
  const key = { url: 'ws://localhost:7880', apiKey: 'devkey', apiSecret: 'secret' };

  test('reads the server, its key and a trunk, and no other carrier', () => {
    const {
      carrier,
      carrierUrl,
      livekit: read,
    } = readWorkerSettings({
      ...livekit,
      SIP_TRUNK_ADDRESS: 'sip.example.test',
    });
    expect([carrier, carrierUrl]).toEqual(['livekit', null]);
    expect(read).toEqual({
      ...key,
      agentName: null,
      trunk: { kind: 'inline', address: 'sip.example.test', username: '', password: '', transport: 'auto' },
      inboundAddresses: [],
    });
  });

  test('reads a stored trunk if its id is set', () => {
    const read = readWorkerSettings({
      ...livekit,
      LIVEKIT_SIP_TRUNK_ID: 'ST_1',
      SIP_INBOUND_ADDRESSES: '192.0.2.0/24, 198.51.100.1',
      LIVEKIT_AGENT_NAME: 'asha',
    });
    expect(read.livekit).toEqual({
      ...key,
      agentName: 'asha',
      trunk: { kind: 'stored', trunkId: 'ST_1' },
      inboundAddresses: ['192.0.2.0/24', '198.51.100.1'],
    });
  });

  test.each([
    ['no trunk', livekit, 'SIP_TRUNK_ADDRESS'],
    [
      'two trunks',
      { ...livekit, LIVEKIT_SIP_TRUNK_ID: 'ST_1', SIP_TRUNK_ADDRESS: 'sip.example.test' },
      'LIVEKIT_SIP_TRUNK_ID',
    ],
    ['no server', { ...others, TELEPHONY: 'livekit', SIP_TRUNK_ADDRESS: 'sip.example.test' }, 'LIVEKIT_URL'],
    [
      'half a key',
      { ...livekit, SIP_TRUNK_ADDRESS: 'sip.example.test', LIVEKIT_API_SECRET: '' },
      'LIVEKIT_API_SECRET',
    ],
  ])('rejects LiveKit as the carrier with %s', (_what, env, name) => {
    expect(() => readWorkerSettings(env)).toThrow(name);
  });

  test('reads no trunk if LiveKit only serves browser sessions', () => {
    const { carrierUrl, livekit: read } = readWorkerSettings({ ...required, ...livekit, TELEPHONY: 'http' });
    expect(carrierUrl).toBe('http://localhost:4000');
    expect(read?.trunk).toBeNull();
  });
});

describe('the language model that analyses conversations', () => {
  const ANALYSIS_MODEL_URL = 'http://models:8000/v1/';

  test('reads the model with its timeout', () => {
    expect(
      readWorkerSettings({
        ...required,
        ANALYSIS_MODEL_URL,
        ANALYSIS_MODEL: 'qwen3',
        ANALYSIS_MODEL_KEY: 'key',
        ANALYSIS_TIMEOUT_S: '20',
        ANALYSIS_AT_ONCE: '4',
        TIME_ZONE: 'America/New_York',
        USAGE_RATES: '{"openai/qwen3": {"input_per_million": 0.5}}',
      }),
    ).toMatchObject({
      model: { url: 'http://models:8000/v1', model: 'qwen3', key: 'key', timeoutMs: 20_000 },
      analysis: {
        timeZone: 'America/New_York',
        atOnce: 4,
        rates: { 'openai/qwen3': { input_per_million: 0.5 } },
      },
    });
  });

  test.each([
    ['has no name', { ANALYSIS_MODEL_URL }, 'ANALYSIS_MODEL is required with ANALYSIS_MODEL_URL'],
    ['has an unknown time zone', { TIME_ZONE: 'Mars/Olympus' }, 'TIME_ZONE must be a time zone'],
    ['has rates that are not JSON', { USAGE_RATES: 'cheap' }, 'USAGE_RATES must be JSON'],
    ['has rates without a provider', { USAGE_RATES: '{"gpt": {}}' }, 'USAGE_RATES must name each model'],
    [
      'has a negative rate',
      { USAGE_RATES: '{"a/b": {"per_request": -1}}' },
      'USAGE_RATES has an invalid rate',
    ],
    [
      'has a rate of unknown kind',
      { USAGE_RATES: '{"a/b": {"per_hour": 1}}' },
      'USAGE_RATES has an invalid rate',
    ],
  ])('rejects the model if it %s', (_what, variables, sentence) => {
    expect(() => readWorkerSettings({ ...required, ...variables })).toThrow(sentence);
  });
});

test("reads the worker's slots from the environment", () => {
  const slots = { WORKFLOW_TASK_SLOTS: '40', LOCAL_ACTIVITY_SLOTS: '80', ACTIVITY_SLOTS: '100' };
  expect(readWorkerSettings({ ...required, ...slots }).slots).toEqual({
    workflowTasks: 40,
    localActivities: 80,
    activities: 100,
  });
});

test.each([
  [{ WORKFLOW_TASK_SLOTS: '7' }, 'WORKFLOW_TASK_SLOTS must be'],
  [{ WORKFLOW_TASK_SLOTS: '50', LOCAL_ACTIVITY_SLOTS: '49' }, 'LOCAL_ACTIVITY_SLOTS must be'],
  [{ ACTIVITY_SLOTS: '2001' }, 'ACTIVITY_SLOTS must be'],
])('rejects the slots %j and names the variable', (slots, message) => {
  expect(() => readWorkerSettings({ ...required, ...slots })).toThrow(message);
});
