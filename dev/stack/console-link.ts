import { issueSignInLink } from '../../api/console/sign-in-link';
import { findClient, insertClient, newestClient, type Client } from '../../db/clients/clients';
import { openDatabase, type Db } from '../../db/kernel/connection';

/** Name of the organization that is created if there is none. */
const FIRST_ORGANISATION = 'My organization';

/**
 * Returns a link that signs in to the console once, as `admin console link` does. Without an id it uses the newest organization, and
 * creates one if there is none.
 */
export async function consoleLink(
  { databaseUrl, apiUrl }: { databaseUrl: string; apiUrl: string },
  { clientId, by }: { clientId: string | null; by: string },
): Promise<string> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'console link' });
  try {
    const path = await db.transaction(async (trx) => {
      const client = await organisationFor(trx, clientId);
      const actor = { kind: 'operator', id: by, requestId: null } as const;
      const wanted = { clientId: client.id, of: { person: by }, showsWorkflows: true, actor };
      return (await issueSignInLink(trx, wanted, Date.now())).path;
    });
    return apiUrl + path;
  } finally {
    await db.destroy();
  }
}

async function organisationFor(db: Db, clientId: string | null): Promise<Client> {
  const known = clientId === null ? await newestClient(db) : await findClient(db, clientId);
  if (known !== undefined) return known;
  if (clientId !== null) throw new Error('the organization no longer exists');
  return insertClient(db, { name: FIRST_ORGANISATION });
}
