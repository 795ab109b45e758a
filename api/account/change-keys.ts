import {
  countValidKeys,
  findOrganizationKey,
  forgetOldKeys,
  holdValidKey,
  issueApiKey,
  MOST_VALID_KEYS,
  revokeApiKey,
  SCOPES,
  type ApiKey,
  type Scope,
} from '../../db/organizations/api-keys';
import { recordAudit, type AuditAction } from '../../db/organizations/audit';
import { lockOrganization } from '../../db/organizations/organizations';
import type { Db } from '../../db/kernel/connection';
import type { ApiDependencies } from '../dependencies';
import { assertScope, type Caller } from '../http/auth/api-key';
import { invalidApiKey, invalidInput, keyNotFound, tooManyKeys } from '../http/errors/refusals';
import type { NewKey } from './key-resource';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock'>;

export interface CreatedKey {
  key: string;
  stored: ApiKey;
}

/** A session belongs to a person and lasts hours, so keys that it creates must expire. */
export const SESSION_KEY_LASTS_DAYS = 90;

/**
 * Creates a key that may do no more, and lasts no longer, than the key that creates it.
 * @throws ApiError 403 for a scope that the caller lacks, 409 if the organization has too many keys
 */
export async function createKey(
  { db, clock }: Dependencies,
  wanted: NewKey,
  caller: Caller,
): Promise<CreatedKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    // Serialize, because two concurrent requests would both find room for the last key.
    await lockOrganization(trx, caller.id);
    // Re-read the caller's key: if it was revoked since the request was admitted, it must not leave a new key behind.
    const own = await holdValidKey(trx, caller.actor.id, now);
    if (own === undefined) throw invalidApiKey();
    assertScopes(own, wanted.scopes);
    const expiresAt = expiryOf(wanted, latestExpiry(own, caller, now), now);
    if ((await countValidKeys(trx, caller.id, now)) >= MOST_VALID_KEYS) throw tooManyKeys(MOST_VALID_KEYS);
    await forgetOldKeys(trx, caller.id, now);
    const issued = await issueApiKey(trx, caller.id, {
      label: wanted.name.trim(),
      // Store scopes explicitly, so that scopes added in the future aren't granted to existing keys.
      scopes: SCOPES.filter((scope) => wanted.scopes.includes(scope)),
      expiresAt,
      madeBy: caller.actor.id,
    });
    await record(trx, 'key.create', issued.id, { caller, now });
    return { key: issued.key, stored: await ownKey(trx, issued.id, caller) };
  });
}

/**
 * Revokes the key, the keys that it created, and their sessions. Revoking it again changes nothing.
 * @throws ApiError 404 for another organization's key, 403 for a key that may do more than the caller
 */
export async function revokeKey({ db, clock }: Dependencies, keyId: string, caller: Caller): Promise<ApiKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const found = await ownKey(trx, keyId, caller);
    assertScopes(caller, found.scopes ?? SCOPES);
    for (const id of await revokeApiKey(trx, keyId, now))
      await record(trx, 'key.revoke', id, { caller, now });
    return ownKey(trx, keyId, caller);
  });
}

/** @throws ApiError 404 for a key of another organization */
export async function ownKey(trx: Db, keyId: string, { id }: Caller): Promise<ApiKey> {
  const found = await findOrganizationKey(trx, id, keyId);
  if (found === undefined) throw keyNotFound();
  return found;
}

export function assertScopes(holder: Pick<Caller, 'scopes'>, needed: readonly Scope[]): void {
  for (const scope of needed) assertScope(holder, scope);
}

/** Returns null if the new key may last forever. */
function latestExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  { session }: Caller,
  now: number,
): { at: number; whose: string } | null {
  const ofKey = expiresAt && { at: expiresAt.getTime(), whose: "the expiry of this request's API key" };
  if (session === undefined) return ofKey;
  const at = now + SESSION_KEY_LASTS_DAYS * 24 * 60 * 60 * 1000;
  const ofSession = {
    at,
    whose: `${SESSION_KEY_LASTS_DAYS} days from now for a key created by a console session`,
  };
  return ofKey !== null && ofKey.at <= at ? ofKey : ofSession;
}

function expiryOf(
  { expires_at: wanted }: NewKey,
  latest: { at: number; whose: string } | null,
  now: number,
): number | undefined {
  if (wanted === undefined) return latest?.at;
  const at = Date.parse(wanted);
  if (at <= now) throw wrongExpiry('must be in the future');
  if (latest !== null && at > latest.at) throw wrongExpiry(`must not be later than ${latest.whose}`);
  return at;
}

const wrongExpiry = (msg: string) => invalidInput([{ loc: ['body', 'expires_at'], msg, type: 'key.expiry' }]);

const record = (
  trx: Db,
  action: AuditAction,
  subjectId: string,
  { caller, now }: { caller: Caller; now: number },
): Promise<void> =>
  recordAudit(trx, { organizationId: caller.id, actor: caller.actor, action, subjectId, now });
