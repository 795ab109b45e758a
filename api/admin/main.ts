/** `npm run admin -- <noun> <verb>`: what operators do to organisations, keys and secrets. */
import { openDatabase } from '../../db/connection';
import { isDatabaseAway } from '../errors/classify';
import { errorCode } from '../errors/error-code';
import { readAdminSettings } from '../settings';
import { HELP, readCommandLine, UsageError } from './command-line';
import { runCommand } from './run-command';

async function main(): Promise<void> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.kind === 'help') {
    console.log(HELP);
    return;
  }
  const { databaseUrl, secretsKey } = readAdminSettings(process.env);
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'admin' });
  try {
    console.log(await runCommand({ db, secretsKey }, command));
  } finally {
    await db.destroy();
  }
}

function wordsFor(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\nSee: npm run admin -- --help`;
  if (isDatabaseAway(error)) return 'Postgres does not answer at DATABASE_URL';
  if (errorCode(error) === '42P01') return 'The database has no tables yet: run "npm run migrate" first';
  return error instanceof Error ? error.message : String(error);
}

main().catch((error: unknown) => {
  console.error(wordsFor(error));
  process.exitCode = 1;
});
