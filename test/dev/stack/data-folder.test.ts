import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, removableData } from '../../../dev/stack/data-folder';
import { unprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { temporaryFolder } from '../temporary-folder';

const asRoot = process.getuid?.() === 0;

test("stores data in the repository's .data folder", async () => {
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

test("stores all data elsewhere if Postgres' user cannot reach the repository", async () => {
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

test("moves only Postgres' data out of an unreachable DATA_DIR, and removes it together with that folder", async () => {
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

test('removes only its own entries from a DATA_DIR that contains other files', async () => {
  const configured = temporaryFolder();
  writeFileSync(join(configured, 'theirs.txt'), '');
  const choice = { repository: '/nowhere', configured };
  const data = await dataFolder({ ...choice, user: null });
  mkdirSync(data.postgres);
  expect(await removableData(choice)).toEqual(
    ['postgres', 'logs', 'run'].map((name) => join(configured, name)),
  );
});

test('creates a private data folder for a user other than root', async () => {
  const repository = temporaryFolder();
  const data = await dataFolder({ repository, configured: undefined, user: null });
  expect(statSync(data.path).mode & 0o077).toBe(0);
});
