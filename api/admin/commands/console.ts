import type { Command } from 'commander';
import { SIGN_IN_LASTS_MS } from '../../../db/clients/console-tokens';
import { issueSignInLink } from '../../console/sign-in-link';
import { organisation } from '../organisation';
import { noun, runs, verb, type Admin } from '../verb';
import { keyOf } from './key';

const MINUTE_MS = 60_000;

export function consoleCommands(program: Command, admin: Admin): void {
  const console = noun(program, 'console', 'the console in the browser');
  link(console, admin);
}

function link(console: Command, admin: Admin): void {
  const command = verb(console, 'link', 'where somebody signs in to the console, once', [
    'link --org Acme',
    'link --org Acme --key vap_Xx1yZ2w3',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--key <key>',
      'whose rights the session has; default: a key "console" with all, made if there is none',
    );
  runs<{ org: string; key?: string }>(command, admin, async (session, options) => {
    const client = await organisation(session.db, options.org);
    const key = options.key === undefined ? null : await keyOf(session.db, options.key, client.id);
    const wanted = { clientId: client.id, keyId: key?.id ?? null, actor: session.actor };
    const { path, expiresAt, keyId } = await session.db.transaction((trx) =>
      issueSignInLink(trx, wanted, session.clock.now()),
    );
    const text = `Open it below the address of the API, within ${SIGN_IN_LASTS_MS / MINUTE_MS} minutes; it works once:\n${path}`;
    return { text, json: { path, key_id: keyId, expires_at: expiresAt } };
  });
}
