import { readAdminSettings } from '../../api/settings';
import { issueApiKey } from '../../db/clients/api-keys';
import { insertClient } from '../../db/clients/clients';
import { openDatabase } from '../../db/kernel/connection';
import { issueSigningSecret } from '../../db/webhooks/signing-secrets';

export interface DemoOrganisation {
  id: string;
  name: string;
  key: string;
  /** The secret that signs the webhooks. */
  secret: string;
}

/** Creates an organization, its API key and its signing secret, as an operator does with `npm run admin`. */
export async function createOrganisation(options: {
  databaseUrl: string;
  /** Must be the worker's key, or the worker can't decrypt the secret. */
  secretsKey: string;
  name: string;
  lines: number;
}): Promise<DemoOrganisation> {
  const { database, secretsKeys } = readAdminSettings({
    DATABASE_URL: options.databaseUrl,
    SECRETS_KEY: options.secretsKey,
  });
  const db = openDatabase({ ...database, poolSize: 1, applicationName: 'demo' });
  try {
    const client = await insertClient(db, { name: options.name, maxConcurrency: options.lines });
    const { key } = await issueApiKey(db, client.id);
    const { secret } = await issueSigningSecret(db, client.id, secretsKeys);
    return { id: client.id, name: client.name, key, secret };
  } finally {
    await db.destroy();
  }
}
