import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, removableData } from '../../../dev/stack/data-folder';
import { unprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { temporaryFolder } from '../temporary-folder';

const asRoot = process.getuid?.() === 0;

test('data lies in .data of the repository', async () => {
  const repository = temporaryFolder();
  const user = await unprivilegedUser();
  const data = await dataFolder({ repository, configured: undefined, user });
  expect(data).toEqual({
    path: join(repository, '.data'),
    postgres: join(repository, '.data', 'postgres'),
    note: null,
  });
  expect(await removableData({ repository, configured: undefined })).toEqual([data.path]);
});

test('a repository that the user of Postgres cannot reach keeps its data elsewhere, all in one folder', async () => {
  const user = await unprivilegedUser();
  const choice = {
    repository: temporaryFolder(0o700),
    configured: undefined,
    elsewhere: join(temporaryFolder(), 'lib'),
  };
  const data = await dataFolder({ ...choice, user });
  expect(data.path.startsWith(asRoot ? choice.elsewhere : choice.repository)).toBe(true);
  expect(data.note !== null).toBe(asRoot);
  expect(await removableData(choice)).toEqual([data.path]);
});

test('under a DATA_DIR that cannot be reached only Postgres moves out, and goes with it', async () => {
  const user = await unprivilegedUser();
  const configured = join(temporaryFolder(0o700), 'data');
  const choice = { repository: '/nowhere', configured, elsewhere: join(temporaryFolder(), 'lib') };
  const data = await dataFolder({ ...choice, user });
  expect(data.path).toBe(configured);
  expect(data.postgres.startsWith(asRoot ? choice.elsewhere : configured)).toBe(true);
  if (asRoot) writeFileSync(join(data.postgres, 'row'), '');
  rmSync(configured, { recursive: true });
  const again = await dataFolder({ ...choice, user });
  expect(existsSync(join(again.postgres, 'row'))).toBe(false);
});

test('a DATA_DIR with files of others loses only what is ours', async () => {
  const configured = temporaryFolder();
  writeFileSync(join(configured, 'theirs.txt'), '');
  const choice = { repository: '/nowhere', configured };
  const data = await dataFolder({ ...choice, user: null });
  mkdirSync(data.postgres);
  expect(await removableData(choice)).toEqual(
    ['postgres', 'logs', 'run'].map((name) => join(configured, name)),
  );
});

test('for an ordinary user the folder is closed to others', async () => {
  const repository = temporaryFolder();
  const data = await dataFolder({ repository, configured: undefined, user: null });
  expect(statSync(data.path).mode & 0o077).toBe(0);
});
