import { madeEnvironment } from './filled-in';

const SECRETS = [
  'CARRIER_SECRET',
  'AGENT_SECRET',
  'POSTGRES_PASSWORD',
  'PLATFORM_DB_PASSWORD',
  'TEMPORAL_DB_PASSWORD',
  'REDIS_PASSWORD',
  'LIVEKIT_API_SECRET',
];

test('creates long secrets without characters that need quoting in a URL', () => {
  const made = madeEnvironment();
  for (const name of SECRETS)
    expect([name, made[name]]).toEqual([name, expect.stringMatching(/^[0-9a-f]{48}$/)]);
  expect(Buffer.from(made.SECRETS_KEY ?? '', 'base64')).toHaveLength(32);
  expect(made.LIVEKIT_API_KEY).toMatch(/^API[0-9a-f]{16}$/);
});

test('creates different secrets within a run and between runs', () => {
  const values = [madeEnvironment(), madeEnvironment()].flatMap((made) =>
    [...SECRETS, 'SECRETS_KEY', 'LIVEKIT_API_KEY'].map((name) => made[name]),
  );
  expect(new Set(values).size).toBe(values.length);
});

test('leaves the addresses and the SIP trunk empty', () => {
  const made = madeEnvironment();
  expect([made.PUBLIC_URL, made.LIVEKIT_PUBLIC_URL, made.SIP_TRUNK_PASSWORD]).toEqual(['', '', '']);
});
