import { readAdminSettings } from '../../api/settings';
import { issueApiKey } from '../../db/organizations/api-keys';
import { insertOrganization } from '../../db/organizations/organizations';
import { openDatabase } from '../../db/kernel/connection';
import { issueSigningSecret } from '../../db/webhooks/signing-secrets';

export interface DemoOrganization {
  id: string;
  name: string;
  key: string;
  /** The secret that signs the webhooks. */
  secret: string;
}

/** Creates an organization, its API key and its signing secret, as an operator does with `npm run admin`. */
export async function createOrganization(options: {
  databaseUrl: string;
  /** Must be the worker's key, or the worker can't decrypt the secret. */
  secretsKey: string;
  name: string;
  lines: number;
}): Promise<DemoOrganization> {
  const { database, secretsKeys } = readAdminSettings({
    DATABASE_URL: options.databaseUrl,
    SECRETS_KEY: options.secretsKey,
  });
  const db = openDatabase({ ...database, poolSize: 1, applicationName: 'demo' });
  try {
    const organization = await insertOrganization(db, { name: options.name, maxConcurrency: options.lines });
    const { key } = await issueApiKey(db, organization.id);
    const { secret } = await issueSigningSecret(db, organization.id, secretsKeys);
    return { id: organization.id, name: organization.name, key, secret };
  } finally {
    await db.destroy();
  }
}
