import { readAdminSettings, readApiSettings } from '../../api/settings';
import { temporalAccess, type TemporalSecurity } from '../../runtime/temporal-access';
import { readWorkerSettings } from '../../worker/settings';

const required = {
  DATABASE_URL: 'postgres://user@localhost/platform',
  CARRIER_URL: 'http://localhost:4000',
  CARRIER_SECRET: 'a secret of sixteen characters',
  PUBLIC_URL: 'https://voice.example.com',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

const certificate = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: '/run/secrets/client.pem',
  TEMPORAL_TLS_CLIENT_KEY_PATH: '/run/secrets/client.key',
};

type Env = Record<string, string>;

const processes: [string, (env: Env) => { temporalSecurity: TemporalSecurity; temporalAddress: string }][] = [
  ['the API', readApiSettings],
  ['the worker', readWorkerSettings],
  ["the operators' command line", readAdminSettings],
];

describe.each(processes)('%s', (_name, readSettings) => {
  const access = (env: Env) =>
    temporalAccess(readSettings({ ...required, TEMPORAL_ADDRESS: 'cloud.example:7233', ...env }), (path) =>
      Buffer.from(path),
    );

  test('reaches Temporal in the clear unless something asks for TLS', () => {
    expect(access({})).toEqual({ address: 'cloud.example:7233' });
    expect(access({ TEMPORAL_TLS: 'false' })).toEqual({ address: 'cloud.example:7233' });
  });

  test('speaks TLS where it is configured to, and trusts whom the system trusts', () => {
    expect(access({ TEMPORAL_TLS: 'true' })).toEqual({ address: 'cloud.example:7233', tls: {} });
  });

  test('shows the certificate and key of two files', () => {
    expect(access(certificate)).toEqual({
      address: 'cloud.example:7233',
      tls: {
        clientCertPair: {
          crt: Buffer.from('/run/secrets/client.pem'),
          key: Buffer.from('/run/secrets/client.key'),
        },
      },
    });
  });

  test('trusts the authority of a file, under the name that is set', () => {
    const env = {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/ca.pem',
      TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    };
    expect(access(env).tls).toEqual({
      serverRootCACertificate: Buffer.from('/ca.pem'),
      serverNameOverride: 'temporal.internal',
    });
  });

  test('an API key never goes out without TLS', () => {
    expect(access({ TEMPORAL_API_KEY: 'secret' })).toEqual({
      address: 'cloud.example:7233',
      tls: {},
      apiKey: 'secret',
    });
    expect(() => access({ TEMPORAL_API_KEY: 'secret', TEMPORAL_TLS: 'false' })).toThrow(
      'TEMPORAL_TLS must not be false with TEMPORAL_API_KEY',
    );
  });

  test.each(Object.entries(certificate))('%s alone is refused', (name, value) => {
    expect(() => access({ [name]: value })).toThrow(
      '  TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH go together',
    );
  });

  test('a word for TEMPORAL_TLS that is neither true nor false is refused by name', () => {
    expect(() => access({ TEMPORAL_TLS: 'perhaps' })).toThrow('TEMPORAL_TLS must be a boolean');
  });
});

test('a file that cannot be read is named by its variable', () => {
  const settings = readWorkerSettings({ ...required, ...certificate });
  const readFile = (path: string): Uint8Array => {
    throw new Error(`ENOENT: no such file or directory, open '${path}'`);
  };
  expect(() => temporalAccess(settings, readFile)).toThrow(
    "TEMPORAL_TLS_CLIENT_CERT_PATH cannot be read: ENOENT: no such file or directory, open '/run/secrets/client.pem'",
  );
});

test('each process takes the size of its pool from the environment', () => {
  const env = { ...required, DATABASE_POOL_SIZE: '35' };
  expect([readApiSettings(env).databasePoolSize, readWorkerSettings(env).databasePoolSize]).toEqual([35, 35]);
});

test.each(['1', '501', '2.5'])('a pool of %s is refused by name', (DATABASE_POOL_SIZE) => {
  expect(() => readWorkerSettings({ ...required, DATABASE_POOL_SIZE })).toThrow('DATABASE_POOL_SIZE must be');
});
