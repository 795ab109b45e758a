/** `npm run schema`: writes db/schema.sql from a freshly migrated database, in a temporary Postgres. */
import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitWithError } from '../exit-with-error';
import { removeFolder } from '../remove-folder';
import { openDatabase } from '../../db/kernel/connection';
import { migrate } from '../../db/migrate';
import { printProgress } from '../progress';
import { ClosingOrder } from '../stack/closing';
import { startPostgres } from '../stack/postgres';
import { repositoryRoot } from '../stack/repository';
import { unprivilegedUser } from '../stack/unprivileged-user';
import { startWatchdog } from '../stack/watchdog';
import { cacheFolder } from '../toolchain/cache-folder';
import { describeSchema } from './describe';

const FILE = join(repositoryRoot(), 'db', 'schema.sql');

async function main(): Promise<void> {
  const closing = new ClosingOrder();
  try {
    const user = await unprivilegedUser();
    const folder = await mkdtemp(join(tmpdir(), 'voice-agent-platform-schema-'));
    closing.add('the temporary folder', () => removeFolder(folder));
    if (user !== null) await chown(folder, user.uid, user.gid);
    const watchdog = startWatchdog();
    closing.add('the watchdog', () => Promise.resolve(watchdog.stop()));
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      port: 0,
      user,
      cacheFolder: cacheFolder(process.env),
      supervision: { logFolder: folder, runFolder: folder, watchdog },
      onProgress: printProgress(process.stderr),
      settings: { fsync: 'off' },
    });
    closing.add('Postgres', postgres.stop);
    await migrate(postgres.url);
    const db = openDatabase({ url: postgres.url, poolSize: 1, applicationName: 'schema' });
    closing.add('the connection', () => db.destroy());
    await writeFile(FILE, await describeSchema(db));
  } finally {
    await closing.close();
  }
}

main().catch(exitWithError);
