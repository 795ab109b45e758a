import { issueApiKey } from '../../db/api-keys';
import { findClient, insertClient } from '../../db/clients';
import type { Db } from '../../db/connection';
import { issueSigningSecret } from '../../db/signing-secrets';
import { assertNever } from '../../workflows/domain/assert-never';
import { HELP, UsageError, type AdminCommand } from './command-line';

/** What to print. */
export async function runCommand(
  { db, secretsKey }: { db: Db; secretsKey: Buffer },
  command: AdminCommand,
): Promise<string> {
  switch (command.kind) {
    case 'help':
      return HELP;
    case 'org create': {
      const { name, maxConcurrency } = command;
      const { id, maxConcurrency: lines } = await insertClient(db, {
        name,
        ...(maxConcurrency !== undefined && { maxConcurrency }),
      });
      const text = `Created ${name}, with at most ${lines} calls at once.\nId: ${id}`;
      return command.json ? JSON.stringify({ id, name }) : text;
    }
    case 'key create': {
      await assertClient(db, command.clientId);
      const { id, key } = await issueApiKey(db, command.clientId);
      const text = `API key, shown this once: ${key}\nId: ${id}`;
      return command.json ? JSON.stringify({ id, key }) : text;
    }
    case 'secret create': {
      await assertClient(db, command.clientId);
      const { id, secret } = await issueSigningSecret(db, command.clientId, secretsKey);
      const text = `Signing secret, shown this once: ${secret}\nId: ${id}`;
      return command.json ? JSON.stringify({ id, secret }) : text;
    }
    default:
      return assertNever(command);
  }
}

async function assertClient(db: Db, clientId: string): Promise<void> {
  if ((await findClient(db, clientId)) === undefined) {
    throw new UsageError(`There is no organisation with the id ${clientId}`);
  }
}
