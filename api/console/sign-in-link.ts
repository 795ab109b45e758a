import { issueApiKey, validKeyNamed } from '../../db/organizations/api-keys';
import { recordAudit, type Actor } from '../../db/organizations/audit';
import { lockOrganization } from '../../db/organizations/organizations';
import { issueSignInToken } from '../../db/organizations/console-tokens';
import type { Db } from '../../db/kernel/connection';

/** A person who signs in without an API key gets one that is never shown, so that the audit log names who acted. */
const keyNameOf = (person: string): string => `console: ${person}`;

interface SignInLink {
  /** Path below the API's URL. Browsers don't send the fragment to the server. */
  path: string;
  keyId: string;
  expiresAt: Date;
}

export interface WantedLink {
  organizationId: string;
  /** The key that the session acts for, or a person. A person's key, with all scopes, is created if it doesn't exist. */
  of: { keyId: string } | { person: string };
  showsWorkflows?: boolean;
  actor: Actor;
}

export async function issueSignInLink(
  trx: Db,
  { organizationId, of, showsWorkflows = false, actor }: WantedLink,
  now: number,
): Promise<SignInLink> {
  const id = 'keyId' in of ? of.keyId : await keyOfPerson(trx, { organizationId, person: of.person }, now);
  const { token, expiresAt } = await issueSignInToken(trx, id, now, { showsWorkflows });
  await recordAudit(trx, { organizationId, actor, action: 'console.link', subjectId: id, now });
  return { path: `/console/#sign-in=${token}`, keyId: id, expiresAt };
}

async function keyOfPerson(
  trx: Db,
  { organizationId, person }: { organizationId: string; person: string },
  now: number,
): Promise<string> {
  // Lock, so that two concurrent links create one key.
  await lockOrganization(trx, organizationId);
  const label = keyNameOf(person);
  const known = await validKeyNamed(trx, { organizationId, label }, now);
  return known ?? (await issueApiKey(trx, organizationId, { label })).id;
}
