/** Entry point of `npm run admin -- <noun> <verb>`, the operators' command line. */
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { openDatabase } from '../../db/kernel/connection';
import { fileMove, fileStorage } from '../../runtime/storage';
import { temporalAccess } from '../../runtime/temporal-access';
import { operatorProfile } from '../campaigns/campaign-rules';
import { readAdminSettings } from '../settings';
import { temporalConnection, temporalPort } from '../dependencies/temporal-client';
import { runCommandLine } from './command-line';
import type { Connections } from './session';
import { processTerminal } from './terminal';

/** Longer than for API requests, because one command can write a million numbers and an operator can wait. */
const STATEMENT_LIMIT_MS = 15_000;

async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process;
  const noColour = (process.env.NO_COLOR ?? '') !== '';
  const closing: (() => Promise<void>)[] = [];
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2), {
      terminal: processTerminal({ stdin, stdout, stderr, noColour }),
      open: () => open(closing),
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

function open(closing: (() => Promise<void>)[]): Connections {
  const settings = readAdminSettings(process.env);
  const db = openDatabase({
    ...settings.database,
    poolSize: 2,
    timeoutMs: STATEMENT_LIMIT_MS,
    applicationName: 'admin',
  });
  closing.push(() => db.destroy());
  return {
    db,
    secretsKeys: settings.secretsKeys,
    clock: { now: () => Date.now() },
    ofOperator: operatorProfile(settings),
    log: pino({ level: 'silent' }),
    storage: fileStorage(settings.storage),
    fileMove: fileMove(settings.storage),
    temporal: () => {
      const connection = Connection.lazy(temporalConnection(temporalAccess(settings.temporal)));
      closing.push(() => connection.close());
      return temporalPort(new Client({ connection, namespace: settings.temporal.namespace }));
    },
  };
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
