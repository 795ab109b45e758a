import type { Command } from 'commander';
import type { Db } from '../../../db/kernel/connection';
import { SIGN_IN_LASTS_MS } from '../../../db/clients/console-tokens';
import { issueSignInLink, type WantedLink } from '../../console/sign-in-link';
import { label } from '../option-values';
import { organisation } from '../organisation';
import { UsageError } from '../usage-error';
import { noun, runs, verb, type Admin } from '../verb';
import { keyOf } from './key';

const MINUTE_MS = 60_000;

export function consoleCommands(program: Command, admin: Admin): void {
  const console = noun(program, 'console', 'the console in the browser');
  link(console, admin);
}

function link(console: Command, admin: Admin): void {
  const command = verb(console, 'link', 'where somebody signs in to the console, once', [
    'link --org Acme --for Asha',
    'link --org Acme --for Asha --workflows',
    'link --org Acme --key vap_Xx1yZ2w3',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--for <person>',
      'who signs in; a key of their own with all scopes is made if there is none',
      label,
    )
    .option('--key <key>', 'the key whose rights the session has, instead of a person')
    .option(
      '--workflows',
      "show the addresses of Temporal's Web UI (TEMPORAL_WEB_UI), which is the operator's",
    );
  runs<{ org: string; for?: string; key?: string; workflows?: true }>(
    command,
    admin,
    async (session, options) => {
      const client = await organisation(session.db, options.org);
      const of = await signedInBy(session.db, client.id, options);
      const wanted = {
        clientId: client.id,
        of,
        showsWorkflows: options.workflows ?? false,
        actor: session.actor,
      };
      const { path, expiresAt, keyId } = await session.db.transaction((trx) =>
        issueSignInLink(trx, wanted, session.clock.now()),
      );
      const text = `Open it below the address of the API, within ${SIGN_IN_LASTS_MS / MINUTE_MS} minutes; it works once:\n${path}`;
      return { text, json: { path, key_id: keyId, expires_at: expiresAt } };
    },
  );
}

async function signedInBy(
  db: Db,
  clientId: string,
  { for: person, key }: { for?: string; key?: string },
): Promise<WantedLink['of']> {
  if (key !== undefined && person === undefined) return { keyId: (await keyOf(db, key, clientId)).id };
  if (key === undefined && person !== undefined) return { person };
  throw new UsageError('Name either the person with --for, or a key with --key');
}
