import { issueApiKey, validKeyNamed } from '../../db/clients/api-keys';
import { recordAudit, type Actor } from '../../db/clients/audit';
import { lockClient } from '../../db/clients/clients';
import { issueSignInToken } from '../../db/clients/console-tokens';
import type { Db } from '../../db/kernel/connection';

/** The key of those that sign in without one of their own: nobody is ever shown it. */
const KEY_NAME = 'console';

export interface SignInLink {
  /** Below the address of the API. Its last part never leaves the browser with a request for a page. */
  path: string;
  keyId: string;
  expiresAt: Date;
}

/** For a session of the key; of the organisation's key `console`, which has all scopes, where it is null. */
export async function issueSignInLink(
  trx: Db,
  { clientId, keyId, actor }: { clientId: string; keyId: string | null; actor: Actor },
  now: number,
): Promise<SignInLink> {
  const id = keyId ?? (await consoleKey(trx, clientId, now));
  const { token, expiresAt } = await issueSignInToken(trx, id, now);
  await recordAudit(trx, { clientId, actor, action: 'console.link', subjectId: id, now });
  return { path: `/console/#sign-in=${token}`, keyId: id, expiresAt };
}

async function consoleKey(trx: Db, clientId: string, now: number): Promise<string> {
  // Two links at once make one key.
  await lockClient(trx, clientId);
  const known = await validKeyNamed(trx, { clientId, label: KEY_NAME }, now);
  return known ?? (await issueApiKey(trx, clientId, { label: KEY_NAME })).id;
}
