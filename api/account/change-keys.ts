import {
  countValidKeys,
  findClientKey,
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

/**
 * A key that may do nothing, and lasts no longer, than the one that makes it.
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
    const expiresAt = expiryOf(wanted, own, now);
    if ((await countValidKeys(trx, caller.id, now)) >= MOST_VALID_KEYS) throw tooManyKeys(MOST_VALID_KEYS);
    const issued = await issueApiKey(trx, caller.id, {
      label: wanted.name.trim(),
      // Written out: a scope that is added one day is not given to keys that were made before by somebody without it.
      scopes: SCOPES.filter((scope) => wanted.scopes.includes(scope)),
      expiresAt,
    });
    await record(trx, 'key.create', issued.id, { caller, now });
    return { key: issued.key, stored: await ownKey(trx, issued.id, caller) };
  });
}

/**
 * Requests with the key and sessions of it are refused from now on. Again it changes nothing.
 * @throws ApiError 404 for another organisation's, 403 for a key that may do more than the caller
 */
export async function revokeKey({ db, clock }: Dependencies, keyId: string, caller: Caller): Promise<ApiKey> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const found = await ownKey(trx, keyId, caller);
    assertScopes(caller, found.scopes ?? SCOPES);
    if (await revokeApiKey(trx, keyId, now)) await record(trx, 'key.revoke', keyId, { caller, now });
    return ownKey(trx, keyId, caller);
  });
}

async function ownKey(trx: Db, keyId: string, { id }: Caller): Promise<ApiKey> {
  const found = await findClientKey(trx, id, keyId);
  if (found === undefined) throw keyNotFound();
  return found;
}

function assertScopes(holder: Pick<Caller, 'scopes'>, needed: readonly Scope[]): void {
  for (const scope of needed) assertScope(holder, scope);
}

function expiryOf(
  { expires_at: wanted }: NewKey,
  { expiresAt }: Pick<ApiKey, 'expiresAt'>,
  now: number,
): number | undefined {
  const latest = expiresAt?.getTime();
  if (wanted === undefined) return latest;
  const at = Date.parse(wanted);
  if (at <= now) throw wrongExpiry('must lie ahead');
  if (latest !== undefined && at > latest)
    throw wrongExpiry('must not be later than that of the key of the request');
  return at;
}

const wrongExpiry = (msg: string) => invalidInput([{ loc: ['body', 'expires_at'], msg, type: 'key.expiry' }]);

const record = (
  trx: Db,
  action: AuditAction,
  subjectId: string,
  { caller, now }: { caller: Caller; now: number },
): Promise<void> => recordAudit(trx, { clientId: caller.id, actor: caller.actor, action, subjectId, now });
