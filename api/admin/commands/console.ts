import type { Command } from 'commander';
import type { Db } from '../../../db/kernel/connection';
import { SIGN_IN_LASTS_MS } from '../../../db/organizations/console-tokens';
import { issueSignInLink, type WantedLink } from '../../console/sign-in-link';
import { label } from '../option-values';
import { requireOrganization, UsageError } from '../session';
import { noun, runs, verb, type Admin } from '../verb';
import { keyOf } from './key';

const MINUTE_MS = 60_000;

export function consoleCommands(program: Command, admin: Admin): void {
  const console = noun(program, 'console', 'the operations console');
  link(console, admin);
}

function link(console: Command, admin: Admin): void {
  const command = verb(console, 'link', 'create a link that signs a person in to the console once', [
    'link --org Acme --for Asha',
    'link --org Acme --for Asha --workflows',
    'link --org Acme --key vap_Xx1yZ2w3',
  ])
    .requiredOption('--org <org>', 'id or name')
    .option(
      '--for <person>',
      "person who signs in; gets their own key with all scopes if they don't have one yet",
      label,
    )
    .option('--key <key>', 'API key that the session acts for, instead of a person')
    .option(
      '--workflows',
      "show links to Temporal's Web UI (TEMPORAL_WEB_UI), which shows all organizations",
    );
  runs<{ org: string; for?: string; key?: string; workflows?: true }>(
    command,
    admin,
    async (session, options) => {
      const organization = await requireOrganization(session.db, options.org);
      const of = await signedInBy(session.db, organization.id, options);
      const wanted = {
        organizationId: organization.id,
        of,
        showsWorkflows: options.workflows ?? false,
        actor: session.actor,
      };
      const { path, expiresAt, keyId } = await session.db.transaction((trx) =>
        issueSignInLink(trx, wanted, session.clock.now()),
      );
      const text = `Append this path to the URL of the API and open it within ${SIGN_IN_LASTS_MS / MINUTE_MS} minutes. It works only once:\n${path}`;
      return { text, json: { path, key_id: keyId, expires_at: expiresAt } };
    },
  );
}

async function signedInBy(
  db: Db,
  organizationId: string,
  { for: person, key }: { for?: string; key?: string },
): Promise<WantedLink['of']> {
  if (key !== undefined && person === undefined) return { keyId: (await keyOf(db, key, organizationId)).id };
  if (key === undefined && person !== undefined) return { person };
  throw new UsageError('Pass either --for or --key');
}
