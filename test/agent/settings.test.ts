import { readAgentSettings } from '../../agent/settings';

const GIVEN = {
  API_URL: 'http://localhost:8080/',
  AGENT_SECRET: 'a-secret-of-the-agents',
  LIVEKIT_URL: 'ws://localhost:7880',
  LIVEKIT_API_KEY: 'devkey',
  LIVEKIT_API_SECRET: 'secret',
};

test('uses the default of an unset variable, and treats an empty variable as unset', () => {
  expect(readAgentSettings({ ...GIVEN, AGENT_SILENCE_MS: '', LIVEKIT_AGENT_NAME: '' })).toEqual({
    apiUrl: 'http://localhost:8080',
    agentSecret: 'a-secret-of-the-agents',
    livekit: { url: 'ws://localhost:7880', apiKey: 'devkey', apiSecret: 'secret' },
    agentName: null,
    silenceMs: 15_000,
    joinLimitMs: 120_000,
    idleProcesses: 1,
    allowedHosts: [],
    customLlmFirstTokenMs: 5_000,
    timeZone: 'Asia/Kolkata',
    maxLoad: 0.7,
    noiseSuppression: 'phone',
    turnDetector: 'local',
    recordingsFolder: '.data/recordings',
    speech: {
      endpoints: { local: { url: 'http://127.0.0.1:8790/v1', apiKey: null } },
      keys: { deepgram: null, elevenlabs: null, cartesia: null, sarvam: null },
      defaults: { stt: null, llm: null, tts: null },
    },
    drainMs: 600_000,
    healthPort: null,
    metrics: null,
    logLevel: 'info',
  });
});

test('treats a load of 1 as no limit, and a health port of 0 as any free port', () => {
  expect(
    readAgentSettings({ ...GIVEN, AGENT_MAX_LOAD: '1', AGENT_HEALTH_PORT: '0', AGENT_DRAIN_S: '1' }),
  ).toMatchObject({
    maxLoad: null,
    healthPort: 0,
    drainMs: 1_000,
  });
});

test('makes OpenAI-compatible servers available as providers under their names', () => {
  const { endpoints } = readAgentSettings({
    ...GIVEN,
    OPENAI_BASE_URL: 'http://localhost:8000/v1/',
    OPENAI_COMPATIBLE_OWN_GPU_URL: 'http://gpu:9000/v1',
    OPENAI_COMPATIBLE_OWN_GPU_API_KEY: 'k',
    OPENAI_COMPATIBLE_BROKEN_URL: 'nowhere',
  }).speech;
  expect(endpoints).toEqual({
    local: expect.anything(),
    openai: { url: 'http://localhost:8000/v1', apiKey: null },
    'own-gpu': { url: 'http://gpu:9000/v1', apiKey: 'k' },
  });
});

test('splits a default into a provider and a model, whose name can contain slashes', () => {
  const { defaults } = readAgentSettings({ ...GIVEN, AGENT_LLM: 'openai/meta/llama-3' }).speech;
  expect(defaults.llm).toEqual({ provider: 'openai', model: 'meta/llama-3' });
  expect(() => readAgentSettings({ ...GIVEN, AGENT_LLM: 'llama' })).toThrow(
    'AGENT_LLM must be <provider>/<model> or local',
  );
});

test('accepts local speech without a model, and with a server at any address', () => {
  const { endpoints, defaults } = readAgentSettings({
    ...GIVEN,
    AGENT_STT: 'local',
    AGENT_TTS: 'Local',
    LOCAL_MODELS_URL: 'http://local-models:8790/v1/',
  }).speech;
  expect([defaults.stt, defaults.tts]).toEqual(Array(2).fill({ provider: 'local', model: null }));
  expect(endpoints.local).toEqual({ url: 'http://local-models:8790/v1', apiKey: null });
});

test('reads hosts as a comma-separated list, and ignores case and spaces', () => {
  const { allowedHosts } = readAgentSettings({
    ...GIVEN,
    AGENT_ALLOWED_HOSTS: ' LocalHost, 127.0.0.1:8765,,',
  });
  expect(allowedHosts).toEqual(['localhost', '127.0.0.1:8765']);
});

test('serves metrics when their port is set, on the loopback interface by default', () => {
  const { metrics } = readAgentSettings({ ...GIVEN, AGENT_METRICS_PORT: '9466' });
  expect(metrics).toEqual({ host: '127.0.0.1', port: 9466 });
  const open = readAgentSettings({ ...GIVEN, AGENT_METRICS_PORT: '0', METRICS_HOST: '0.0.0.0' });
  expect(open.metrics).toEqual({ host: '0.0.0.0', port: 0 });
});

test('names every fault in one error, without values', () => {
  const wrong = {
    API_URL: 'ftp://x',
    AGENT_SECRET: 'short',
    LIVEKIT_URL: 'nowhere',
    AGENT_SILENCE_MS: '1e3',
    AGENT_IDLE_PROCESSES: '1.5',
    AGENT_MAX_LOAD: '2',
    AGENT_CUSTOM_LLM_FIRST_TOKEN_MS: '100',
    LOG_LEVEL: 'loud',
  };
  const message = (() => {
    try {
      readAgentSettings(wrong);
      return '';
    } catch (error) {
      return String(error);
    }
  })();
  for (const name of [...Object.keys(wrong), 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'])
    expect(message).toContain(name);
  expect(message).not.toContain('short');
});
