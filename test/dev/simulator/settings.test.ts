import { readSettings } from '../../../dev/simulator/settings';

test("requires only the secret in the simulator's settings", () => {
  expect(readSettings({ CARRIER_SECRET: 'a-secret-of-the-carrier' })).toEqual({
    settings: {
      secret: 'a-secret-of-the-carrier',
      logPath: '.data/simulator.jsonl',
      host: '127.0.0.1',
      port: 7080,
      ringMs: 2000,
      talkMs: 4000,
      ringCapMs: null,
    },
  });
});

test("reads every variable of the simulator's settings", () => {
  const env = {
    CARRIER_SECRET: 'a-secret-of-the-carrier',
    HOST: '0.0.0.0',
    SIMULATOR_PORT: '0',
    SIMULATOR_LOG: '/tmp/x.jsonl',
    SIMULATOR_RING_MS: '100',
    SIMULATOR_TALK_MS: '200',
    SIMULATOR_RING_CAP_MS: '3000',
  };
  expect(readSettings(env)).toEqual({
    settings: {
      secret: 'a-secret-of-the-carrier',
      logPath: '/tmp/x.jsonl',
      host: '0.0.0.0',
      port: 0,
      ringMs: 100,
      talkMs: 200,
      ringCapMs: 3000,
    },
  });
});

test("reports all faults in the simulator's settings at once", () => {
  const read = readSettings({ SIMULATOR_PORT: '70000', SIMULATOR_RING_MS: '-1', SIMULATOR_TALK_MS: '1e3' });
  expect(read).toEqual({
    faults: [
      expect.stringContaining('CARRIER_SECRET'),
      expect.stringContaining('SIMULATOR_PORT'),
      expect.stringContaining('SIMULATOR_RING_MS'),
      expect.stringContaining('SIMULATOR_TALK_MS'),
    ],
  });
});
