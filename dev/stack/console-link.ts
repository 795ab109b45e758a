import { issueSignInLink } from '../../api/console/sign-in-link';
import {
  findOrganization,
  insertOrganization,
  newestOrganization,
  type Organization,
} from '../../db/organizations/organizations';
import { openDatabase, type Db } from '../../db/kernel/connection';

/** Name of the organization that is created if none exists. */
const FIRST_ORGANIZATION = 'My organization';

/**
 * Returns a single-use link that signs in to the console, as `admin console link` does. Without an id, uses the newest organization or
 * creates the first one.
 */
export async function consoleLink(
  { databaseUrl, apiUrl }: { databaseUrl: string; apiUrl: string },
  { organizationId, by }: { organizationId: string | null; by: string },
): Promise<string> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'console link' });
  try {
    const path = await db.transaction(async (trx) => {
      const organization = await organizationFor(trx, organizationId);
      const actor = { kind: 'operator', id: by, requestId: null } as const;
      const wanted = { organizationId: organization.id, of: { person: by }, showsWorkflows: true, actor };
      return (await issueSignInLink(trx, wanted, Date.now())).path;
    });
    return apiUrl + path;
  } finally {
    await db.destroy();
  }
}

async function organizationFor(db: Db, organizationId: string | null): Promise<Organization> {
  const known =
    organizationId === null ? await newestOrganization(db) : await findOrganization(db, organizationId);
  if (known !== undefined) return known;
  if (organizationId !== null) throw new Error('the organization no longer exists');
  return insertOrganization(db, { name: FIRST_ORGANIZATION });
}
