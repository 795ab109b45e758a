/** `npm run migrate`: brings the database of DATABASE_URL to the newest schema. Safe to run again and by several processes at once. */
import { openDatabase } from './connection';
import { migrationSource } from './migrations';

/** Returns the names of the migrations that were applied. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const db = openDatabase({ url: databaseUrl, poolSize: 2, timeoutMs: 60_000, applicationName: 'migrate' });
  try {
    const [, applied] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
    return applied;
  } finally {
    await db.destroy();
  }
}

async function main(): Promise<void> {
  const url = process.env.DATABASE_URL;
  if (url === undefined || url === '') throw new Error('DATABASE_URL is not set: the Postgres to migrate');
  const applied = await migrate(url);
  console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
