import { errorText } from '../../dev/error-text';
import { join } from 'node:path';
import { migrate } from '../../db/migrate';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { query, startPostgres } from '../../dev/stack/postgres';
import type { Run } from './open-servers';
import { publish } from './published';

export const TEMPLATE = 'template_migrated';

/** Starts one Postgres for the run, with a migrated database that tests copy. */
export async function openPostgres(run: Run): Promise<void> {
  const postgres = await startPostgres({
    dataDir: join(run.folder, 'postgres'),
    port: 0,
    user: run.user,
    cacheFolder: cacheFolder(process.env),
    supervision: run.supervision,
    onProgress: run.onProgress,
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: 300 },
  }).catch((error: unknown) => {
    publish('TEST_MISSING_postgres', errorText(error));
    return null;
  });
  if (postgres === null) return;
  run.closing.add('Postgres', postgres.stop);
  publish('TEST_POSTGRES_URL', postgres.url);
  publish('TEST_POSTGRES_STATEMENT_STATISTICS', String(postgres.hasStatementStatistics));
  await makeTemplate(postgres.url).catch((error: unknown) => {
    // Publishes the error, so that only tests that need a database fail.
    publish('TEST_POSTGRES_FAULT', `the migrations failed: ${errorText(error)}`);
  });
}

async function makeTemplate(url: string): Promise<void> {
  await query(url, (client) => client.query(`create database ${TEMPLATE}`));
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.toString());
}
