import { readAgentSettings } from '../../agent/settings';

const GIVEN = {
  API_URL: 'http://localhost:8080/',
  CARRIER_SECRET: 'a-secret-of-the-carrier',
  LIVEKIT_URL: 'ws://localhost:7880',
  LIVEKIT_API_KEY: 'devkey',
  LIVEKIT_API_SECRET: 'secret',
};

test('what is not given has its default; a variable that is set to nothing is not given', () => {
  expect(readAgentSettings({ ...GIVEN, AGENT_SILENCE_MS: '', LIVEKIT_AGENT_NAME: '' })).toEqual({
    apiUrl: 'http://localhost:8080',
    carrierSecret: 'a-secret-of-the-carrier',
    livekit: { url: 'ws://localhost:7880', apiKey: 'devkey', apiSecret: 'secret' },
    agentName: 'voice-agent',
    silenceMs: 15_000,
    joinLimitMs: 120_000,
    idleProcesses: 1,
    maxLoad: 0.7,
    drainMs: 600_000,
    healthPort: null,
    logLevel: 'info',
  });
});

test('a load of 1 is no limit, and a health port of 0 any free one', () => {
  expect(
    readAgentSettings({ ...GIVEN, AGENT_MAX_LOAD: '1', AGENT_HEALTH_PORT: '0', AGENT_DRAIN_S: '1' }),
  ).toMatchObject({
    maxLoad: null,
    healthPort: 0,
    drainMs: 1_000,
  });
});

test('one error names every fault, and no value', () => {
  const wrong = {
    API_URL: 'ftp://x',
    CARRIER_SECRET: 'short',
    LIVEKIT_URL: 'nowhere',
    AGENT_SILENCE_MS: '1e3',
    AGENT_IDLE_PROCESSES: '1.5',
    AGENT_MAX_LOAD: '2',
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
