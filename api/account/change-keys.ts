import {
  countValidKeys,
  findClientKey,
  forgetOldKeys,
  holdValidKey,
  issueApiKey,
  MOST_VALID_KEYS,
  revokeApiKey,
  SCOPES,
  type ApiKey,
  type Scope,
} from '../../db/clients/api-keys';
import { recordAudit, type AuditAction } from '../../db/clients/audit';
import { lockClient } from '../../db/clients/clients';
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

/** A session is a person's for some hours: a key that it makes does not last for ever. */
export const SESSION_KEY_LASTS_DAYS = 90;

/**
 * A key that may do no more, and lasts no longer, than the one that makes it.
 * @throws ApiError 403 for a scope that the caller lacks, 409 where the organisation has as many keys as it may
 */
export async function createKey(
  { db, clock }: Dependencies,
  wanted: NewKey,
  caller: Caller,
): Promise<CreatedKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    // Two at once would else each find room for the last one.
    await lockClient(trx, caller.id);
    // As it is at this moment: a key that was revoked since the request was let in leaves none behind.
    const own = await holdValidKey(trx, caller.actor.id, now);
    if (own === undefined) throw invalidApiKey();
    assertScopes(own, wanted.scopes);
    const expiresAt = expiryOf(wanted, latestExpiry(own, caller, now), now);
    if ((await countValidKeys(trx, caller.id, now)) >= MOST_VALID_KEYS) throw tooManyKeys(MOST_VALID_KEYS);
    await forgetOldKeys(trx, caller.id, now);
    const issued = await issueApiKey(trx, caller.id, {
      label: wanted.name.trim(),
      // Written out: a scope that is added one day is not given to keys that were made before by somebody without it.
      scopes: SCOPES.filter((scope) => wanted.scopes.includes(scope)),
      expiresAt,
      madeBy: caller.actor.id,
    });
    await record(trx, 'key.create', issued.id, { caller, now });
    return { key: issued.key, stored: await ownKey(trx, issued.id, caller) };
  });
}

/**
 * Requests with the key, with the keys that it made, and with sessions of these are refused from now on. Again it changes nothing.
 * @throws ApiError 404 for another organisation's, 403 for a key that may do more than the caller
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
  const found = await findClientKey(trx, id, keyId);
  if (found === undefined) throw keyNotFound();
  return found;
}

export function assertScopes(holder: Pick<Caller, 'scopes'>, needed: readonly Scope[]): void {
  for (const scope of needed) assertScope(holder, scope);
}

/** Null for never. */
function latestExpiry(
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  { session }: Caller,
  now: number,
): { at: number; whose: string } | null {
  const ofKey = expiresAt && { at: expiresAt.getTime(), whose: 'that of the key of the request' };
  if (session === undefined) return ofKey;
  const at = now + SESSION_KEY_LASTS_DAYS * 24 * 60 * 60 * 1000;
  const ofSession = {
    at,
    whose: `${SESSION_KEY_LASTS_DAYS} days ahead, as a session of the console makes the key`,
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
  if (at <= now) throw wrongExpiry('must lie ahead');
  if (latest !== null && at > latest.at) throw wrongExpiry(`must not be later than ${latest.whose}`);
  return at;
}

const wrongExpiry = (msg: string) => invalidInput([{ loc: ['body', 'expires_at'], msg, type: 'key.expiry' }]);

const record = (
  trx: Db,
  action: AuditAction,
  subjectId: string,
  { caller, now }: { caller: Caller; now: number },
): Promise<void> => recordAudit(trx, { clientId: caller.id, actor: caller.actor, action, subjectId, now });
