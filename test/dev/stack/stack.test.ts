import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { silent } from '../../../dev/progress';
import { ANY_PORTS, startStack } from '../../../dev/stack/stack';
import { temporaryFolder } from '../temporary-folder';

test('stops the servers it has started and releases the data folder if a server is unavailable', async () => {
  const repository = temporaryFolder();
  const starting = startStack({
    repository,
    environment: { PATH: process.env.PATH },
    onProgress: silent,
    ports: ANY_PORTS,
    temporalCliPath: '/nowhere/temporal',
    postgresSettings: { fsync: 'off' },
  });
  await expect(starting).rejects.toThrow(/TEMPORAL_CLI_PATH=\/nowhere\/temporal does not run/);
  expect(existsSync(join(repository, '.data', 'postgres', 'cluster', 'PG_VERSION'))).toBe(true);
  expect(existsSync(join(repository, '.data', 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  expect(readdirSync(join(repository, '.data', 'run'))).toEqual([]);
}, 60_000);

describe("a server in the environment that isn't responding", () => {
  // Nothing listens on port 1.
  test.each([
    [
      { databaseUrl: 'postgres://u:hunter2@127.0.0.1:1/x' },
      /^DATABASE_URL: the Postgres at 127\.0\.0\.1:1 does not accept/,
    ],
    [{ databaseUrl: 'nonsense' }, /^DATABASE_URL must be a Postgres URL/],
    [
      { temporalAddress: '127.0.0.1:1' },
      /^TEMPORAL_ADDRESS 127\.0\.0\.1:1, namespace default, isn't responding/,
    ],
  ])(
    'reports the server before anything is started: %j',
    async (given, message) => {
      const repository = temporaryFolder();
      const environment = { PATH: process.env.PATH };
      const options = { repository, environment, onProgress: silent, ports: ANY_PORTS, ...given };
      const failure: unknown = await startStack(options).catch((error: unknown) => error);
      expect((failure as Error).message).toMatch(message);
      expect((failure as Error).message).not.toContain('hunter2');
      expect(existsSync(join(repository, '.data', 'postgres'))).toBe(false);
      expect(readdirSync(join(repository, '.data', 'run'))).toEqual([]);
    },
    60_000,
  );
});
