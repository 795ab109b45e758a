import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAdminSettings, readApiSettings } from '../../api/settings';
import { temporalAccess, type TemporalProfile } from '../../runtime/temporal-access';
import { readWorkerSettings } from '../../worker/settings';

const required = {
  DATABASE_URL: 'postgres://user@localhost/platform',
  CARRIER_URL: 'http://localhost:4000',
  CARRIER_SECRET: 'a secret of sixteen characters',
  PUBLIC_URL: 'https://voice.example.com',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

const address = 'cloud.example:7233';
const folder = mkdtempSync(join(tmpdir(), 'temporal-access-'));
const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const certificate = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: inFolder('client.pem', 'the certificate'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: inFolder('client.key', 'the key'),
};
const authority = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: inFolder('ca.pem', 'the authority') };
const bytes = (text: string) => Uint8Array.from(Buffer.from(text));

afterAll(() => rmSync(folder, { recursive: true }));

type Env = Record<string, string>;

const processes: [string, (env: Env) => { temporal: TemporalProfile }][] = [
  ['the API', readApiSettings],
  ['the worker', readWorkerSettings],
  ["the operators' command line", readAdminSettings],
];

describe.each(processes)('%s', (_name, readSettings) => {
  const profile = (env: Env) => readSettings({ ...required, ...env }).temporal;
  const access = (env: Env) => temporalAccess(profile({ TEMPORAL_ADDRESS: address, ...env }));

  test('connects to the default namespace on this machine by default', () => {
    expect(profile({})).toEqual({ address: 'localhost:7233', namespace: 'default' });
    expect(profile({ TEMPORAL_NAMESPACE: 'calls' }).namespace).toBe('calls');
  });

  test('connects without TLS unless a setting requires it', () => {
    expect(access({})).toEqual({ address });
    expect(access({ TEMPORAL_TLS: 'false' })).toEqual({ address, tls: false });
  });

  test("connects over TLS if configured, and trusts the system's authorities", () => {
    expect(access({ TEMPORAL_TLS: 'true' })).toEqual({ address, tls: {} });
  });

  test('presents the certificate and key from two files', () => {
    const clientCertPair = { crt: bytes('the certificate'), key: bytes('the key') };
    expect(access(certificate)).toEqual({ address, tls: { clientCertPair } });
  });

  test('trusts the authority in a file, under the given server name', () => {
    expect(access({ ...authority, TEMPORAL_TLS_SERVER_NAME: 'temporal.internal' }).tls).toEqual({
      serverRootCACertificate: bytes('the authority'),
      serverNameOverride: 'temporal.internal',
    });
  });

  test('sends no API key without TLS', () => {
    expect(access({ TEMPORAL_API_KEY: 'secret' })).toEqual({ address, tls: true, apiKey: 'secret' });
    expect(() => access({ TEMPORAL_API_KEY: 'secret', TEMPORAL_TLS: 'false' })).toThrow(
      '  TEMPORAL_TLS must not be false with TEMPORAL_API_KEY',
    );
  });

  test.each(Object.entries(certificate))('rejects %s without its counterpart', (name, value) => {
    expect(() => access({ [name]: value })).toThrow(
      '  TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must be set together',
    );
  });

  test('rejects a certificate that is set both as a path and as data', () => {
    expect(() => access({ ...certificate, TEMPORAL_TLS_CLIENT_CERT_DATA: 'the certificate' })).toThrow(
      '  TEMPORAL_TLS cannot be used: Cannot specify both client_cert_path and client_cert_data',
    );
  });

  test('rejects a TEMPORAL_TLS that is neither true nor false, and names the variable', () => {
    expect(() => access({ TEMPORAL_TLS: 'perhaps' })).toThrow('TEMPORAL_TLS must be one of [true, false]');
  });
});

describe('a Temporal profile in a file', () => {
  let files = 0;
  const file = (text: string): Env => ({ TEMPORAL_CONFIG_FILE: inFolder(`${(files += 1)}.toml`, text) });
  const profile = (env: Env) => readWorkerSettings({ ...required, ...env }).temporal;
  const TWO = `
    [profile.default]
    address = "one.example:7233"
    [profile.other]
    address = "two.example:7233"
    namespace = "calls"
    api_key = "secret"`;

  test('reads the profile from TEMPORAL_CONFIG_FILE, and lets variables override it', () => {
    expect(profile(file(TWO)).address).toBe('one.example:7233');
    expect(profile({ ...file(TWO), TEMPORAL_PROFILE: 'other', TEMPORAL_NAMESPACE: 'mine' })).toEqual({
      address: 'two.example:7233',
      namespace: 'mine',
      apiKey: 'secret',
    });
  });

  test("ignores the profile in the user's home folder", () => {
    const home = process.env.XDG_CONFIG_HOME;
    process.env.XDG_CONFIG_HOME = folder;
    try {
      mkdirSync(join(folder, 'temporalio'));
      inFolder(join('temporalio', 'temporal.toml'), TWO);
      expect(profile({}).address).toBe('localhost:7233');
    } finally {
      if (home === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = home;
    }
  });

  test.each([
    ['is missing', { TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml' }, /ENOENT/],
    ['is not TOML', file('profile = ['), /TOML/],
    ['has an unknown name', file('[profile.default]\nadress = "x"'), /adress/],
    ['lacks the profile', { ...file(TWO), TEMPORAL_PROFILE: 'third' }, /'third' not found/],
  ])('rejects the profile if it %s', (_what, env, reason) => {
    expect(() => profile(env)).toThrow(/TEMPORAL_CONFIG_FILE cannot be used/);
    expect(() => profile(env)).toThrow(reason);
  });
});

test("names the path of a certificate that can't be read", () => {
  const env = { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: '/nowhere.key' };
  const { temporal } = readWorkerSettings({ ...required, ...env });
  expect(() => temporalAccess(temporal)).toThrow(
    /^Cannot read a certificate or key for Temporal: .*no such file or directory, open '\/nowhere.pem'$/,
  );
});

test('reads the pool size of each process from the environment', () => {
  const env = { ...required, DATABASE_POOL_SIZE: '35' };
  expect([readApiSettings(env).databasePoolSize, readWorkerSettings(env).databasePoolSize]).toEqual([35, 35]);
});
