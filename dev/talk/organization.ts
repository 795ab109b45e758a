/** The organization whose agents the user talks to, and its API keys. The keys are revoked when the command ends. */
import { issueApiKey, revokeApiKey } from '../../db/organizations/api-keys';
import { issueSignInToken } from '../../db/organizations/console-tokens';
import { insertOrganization } from '../../db/organizations/organizations';
import { openDatabase } from '../../db/kernel/connection';

export interface TalkOrganization {
  /** API key of this command. */
  key: string;
  /** Issues a sign-in token with a separate key. The session can read and make calls but can't change agents. */
  issueSignIn: () => Promise<string>;
  /** Revokes all keys. */
  close: () => Promise<void>;
}

const NAME = 'Garden Clinic (npm run talk)';
/** Concurrent conversations. */
export const LINES = 4;
/** Limits the keys' lifetime in case they can't be revoked. */
const KEYS_EXPIRE_MS = 12 * 3_600_000;

export async function openOrganization(databaseUrl: string): Promise<TalkOrganization> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1, applicationName: 'talk' });
  const issued: string[] = [];
  const organization = await insertOrganization(db, { name: NAME, maxConcurrency: LINES });
  const issue = async (options: { label: string; scopes?: readonly ('read' | 'operate')[] }) => {
    const { id, key } = await issueApiKey(db, organization.id, {
      ...options,
      expiresAt: Date.now() + KEYS_EXPIRE_MS,
    });
    issued.push(id);
    return { id, key };
  };
  const { key } = await issue({ label: 'npm run talk' });
  return {
    key,
    issueSignIn: async () => {
      const { id } = await issue({ label: 'npm run talk: page', scopes: ['read', 'operate'] });
      return (await issueSignInToken(db, id, Date.now())).token;
    },
    close: async () => {
      for (const id of issued) await revokeApiKey(db, id, Date.now());
      await db.destroy();
    },
  };
}
