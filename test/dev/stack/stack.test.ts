import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { silent } from '../../../dev/progress';
import { ANY_PORTS, startStack } from '../../../dev/stack/stack';
import { temporaryFolder } from '../temporary-folder';

test('when one server cannot be had, those that were started are stopped and the data folder is free again', async () => {
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
