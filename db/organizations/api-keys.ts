import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { ORGANIZATION_COLUMNS, type Organization } from './organizations';
import type { Db } from '../kernel/connection';
import { countOf, ofOrganization } from '../kernel/conditions';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

const KEY_BYTES = 24;
/** Enough to recognize a key in a list, but too little to guess the rest. */
export const PREFIX_LENGTH = 12;
/** Precision of `lastUsedAt`. A key costs one write per minute instead of one per request. */
export const LAST_USED_PRECISION_MS = 60_000;

/** `read`: view data. `operate`: calls, campaigns and redeliveries. `configure`: change agents. */
export const SCOPES = ['read', 'operate', 'configure'] as const;
export type Scope = (typeof SCOPES)[number];

interface IssuedKey {
  id: string;
  /** Shown once, because only its hash is stored. */
  key: string;
  prefix: string;
}

/** The organization of a request, and the key that the request used. The key is the actor in the audit log. */
export type KeyHolder = Organization & {
  keyId: string;
  /** Label of the key, or its prefix if it has none. */
  keyName: string;
  /** Null means all scopes. */
  scopes: readonly Scope[] | null;
  lastUsedAt: Date | null;
};

/** Hashes a key or token. A fast hash is enough, because 192 random bits can't be guessed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** SQL columns of a KeyHolder, from `api_keys k` and `organizations c`. */
export const HOLDER_COLUMNS = `${ORGANIZATION_COLUMNS}, k.id as "keyId", coalesce(k.label, k.prefix) as "keyName", k.scopes,
  k.last_used_at as "lastUsedAt"`;

export const IS_VALID_KEY = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > :now)';

export interface KeyOptions {
  label?: string | undefined;
  /** Default: never. */
  expiresAt?: number | undefined;
  /** At least one scope. Default: all. */
  scopes?: readonly Scope[] | undefined;
  /** Id of the key that creates this key. Default: none. */
  madeBy?: string | undefined;
}

export async function issueApiKey(
  db: Db,
  organizationId: string,
  { label, expiresAt, scopes, madeBy }: KeyOptions = {},
): Promise<IssuedKey> {
  const id = randomUUID();
  const key = `vap_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  await db('api_keys').insert({
    id,
    organization_id: organizationId,
    prefix,
    key_hash: hashOf(key),
    label: label ?? null,
    expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    scopes: scopes === undefined ? null : [...scopes],
    made_by: madeBy ?? null,
  });
  return { id, key, prefix };
}

/** Returns undefined for an unknown, expired or revoked key. Doesn't tell which. */
export async function organizationOfKey(db: Db, key: string, now: number): Promise<KeyHolder | undefined> {
  const hash = hashOf(key);
  const found = await firstRow<KeyHolder & { hash: Buffer }>(
    db,
    `select ${HOLDER_COLUMNS}, k.key_hash as hash
     from api_keys k join organizations c on c.id = k.organization_id
     where k.key_hash = :hash and ${IS_VALID_KEY}`,
    { hash, now: timestamp(now) },
  );
  if (found === undefined) return undefined;
  const { hash: stored, ...holder } = found;
  // Redundant, because the exact look-up compares hashes and its timing reveals nothing else. Protects against a later look-up by prefix or
  // through a cache.
  return timingSafeEqual(stored, hash) ? holder : undefined;
}

/** Returns the key with this secret, even if it is revoked or expired. */
export const keyOfSecret = (
  db: Db,
  secret: string,
): Promise<{ id: string; organizationId: string } | undefined> =>
  firstRow(db, 'select id, organization_id as "organizationId" from api_keys where key_hash = :hash', {
    hash: hashOf(secret),
  });

const HASH_PREFIX_BYTES = 8;

/**
 * Returns the first bytes of a key's hash, which reveal nothing about the key. The chance that a wrong key has the prefix of a valid one is
 * negligible.
 */
export const hashPrefixOf = (keyHash: Buffer): Buffer => keyHash.subarray(0, HASH_PREFIX_BYTES);

/** A console token begins with its key's hash prefix, so that wrong tokens can be rejected without a query. */
const TOKEN = /^([\w-]{11})\.[\w-]{43}$/;

const hashPrefixIn = (secret: string): Buffer => {
  const hashPrefix = TOKEN.exec(secret)?.[1];
  return hashPrefix === undefined ? hashPrefixOf(hashOf(secret)) : Buffer.from(hashPrefix, 'base64url');
};

/** Sorted hash prefixes of keys in one buffer, so that 100,000 keys take only 800 kB. */
export class KeyHashPrefixes {
  constructor(private readonly prefixes: Buffer) {}

  get count(): number {
    return this.prefixes.length / HASH_PREFIX_BYTES;
  }

  /** Returns false if the secret can't be a valid key or the console token of one. */
  has(secret: string): boolean {
    const sought = hashPrefixIn(secret);
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = sought.compare(
        this.prefixes,
        middle * HASH_PREFIX_BYTES,
        (middle + 1) * HASH_PREFIX_BYTES,
      );
      if (order === 0) return true;
      if (order < 0) to = middle;
      else from = middle + 1;
    }
    return false;
  }
}

/** Reads the hash prefixes of all valid keys. */
export async function validKeyHashPrefixes(db: Db, now: number): Promise<KeyHashPrefixes> {
  const { prefixes } = await onlyRow<{ prefixes: Buffer | null }>(
    db,
    `select string_agg(substring(k.key_hash for :bytes::integer), ''::bytea order by k.key_hash) as prefixes
     from api_keys k where ${IS_VALID_KEY}`,
    { bytes: HASH_PREFIX_BYTES, now: timestamp(now) },
  );
  return new KeyHashPrefixes(prefixes ?? Buffer.alloc(0));
}

/** Updates `lastUsedAt` at most once a minute across all processes. */
export async function noteKeyUse(db: Db, keyId: string, now: number): Promise<void> {
  await rows(
    db,
    `update api_keys set last_used_at = :now where id = :keyId and (last_used_at is null or last_used_at <= :stale)`,
    { keyId, now: timestamp(now), stale: timestamp(now - LAST_USED_PRECISION_MS) },
  );
}

/** API key without its secret and hash, as shown to operators. */
export interface ApiKey {
  id: string;
  organizationId: string;
  organizationName: string;
  label: string | null;
  prefix: string;
  /** Id of the key that created this key. Null if an operator did. */
  madeBy: string | null;
  createdAt: Date;
  scopes: readonly Scope[] | null;
  /** Accurate to the minute. */
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const API_KEY = `select k.id, k.organization_id as "organizationId", c.name as "organizationName", k.label, k.prefix, k.made_by as "madeBy", k.scopes,
  k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
  from api_keys k join organizations c on c.id = k.organization_id`;

/** Returns keys, newest first, of one organization or of all if `organizationId` is null. */
export function listApiKeys(db: Db, organizationId: string | null): Promise<ApiKey[]> {
  return rows<ApiKey>(
    db,
    `${API_KEY} where :organizationId::uuid is null or k.organization_id = :organizationId::uuid order by k.created_at desc, k.id`,
    { organizationId },
  );
}

/** Returns the id of the oldest valid key with this label and all scopes. */
export async function validKeyNamed(
  db: Db,
  { organizationId, label }: { organizationId: string; label: string },
  now: number,
): Promise<string | undefined> {
  const found = await firstRow<{ id: string }>(
    db,
    `select k.id from api_keys k
     where k.organization_id = :organizationId and k.label = :label and k.scopes is null and ${IS_VALID_KEY}
     order by k.created_at, k.id limit 1`,
    { organizationId, label, now: timestamp(now) },
  );
  return found?.id;
}

/**
 * Maximum number of valid keys per organization that the API creates. The limit exists because every process rereads the hash prefixes of
 * all keys.
 */
export const MAX_VALID_KEYS = 100;

/** Returns an organization's keys, newest first. */
export function apiKeyPage(db: Db, organizationId: string, page: Page): Promise<Listed<ApiKey>> {
  const found = ofOrganization(organizationId, {});
  return listed(page, countOf(db, 'api_keys', found, 'created_at desc, id desc'), ({ limit, offset }) =>
    rows<ApiKey>(
      db,
      `${API_KEY} where k.organization_id = :organizationId ${sortedBy('desc', 'k.created_at', 'k.id')}`,
      {
        organizationId,
        limit,
        offset,
      },
    ),
  );
}

/** Maximum number of stored keys per organization. Invalid keys are kept so that lists and the audit log can name them. */
export const MAX_KEPT_KEYS = 1_000;

/** Makes room for another key by deleting the oldest invalid ones. */
export async function forgetOldKeys(trx: Db, organizationId: string, now: number): Promise<void> {
  await rows(
    trx,
    `delete from api_keys where id in (
       select k.id from api_keys k where k.organization_id = :organizationId and not (${IS_VALID_KEY})
       order by k.created_at desc, k.id offset :kept)`,
    { organizationId, now: timestamp(now), kept: MAX_KEPT_KEYS - MAX_VALID_KEYS - 1 },
  );
}

export async function countValidKeys(db: Db, organizationId: string, now: number): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from api_keys k where k.organization_id = :organizationId and ${IS_VALID_KEY}`,
    { organizationId, now: timestamp(now) },
  );
  return total;
}

export const findOrganizationKey = (
  db: Db,
  organizationId: string,
  keyId: string,
): Promise<ApiKey | undefined> =>
  firstRow<ApiKey>(db, `${API_KEY} where k.id = :keyId and k.organization_id = :organizationId`, {
    organizationId,
    keyId,
  });

/**
 * Returns a valid key's scopes and expiry, and locks them against changes until the transaction ends. Returns undefined for an invalid key.
 */
export const holdValidKey = (
  trx: Db,
  keyId: string,
  now: number,
): Promise<Pick<ApiKey, 'scopes' | 'expiresAt'> | undefined> =>
  firstRow(
    trx,
    `select k.scopes, k.expires_at as "expiresAt" from api_keys k where k.id = :keyId and ${IS_VALID_KEY} for share`,
    { keyId, now: timestamp(now) },
  );

export type KeyState = 'valid' | 'expired' | 'revoked';

export function stateOfKey({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= now ? 'expired' : 'valid';
}

/** Finds keys by id or by prefix, which isn't necessarily unique. */
export function findApiKeys(db: Db, idOrPrefix: string): Promise<ApiKey[]> {
  return rows<ApiKey>(db, `${API_KEY} where k.id::text = lower(:idOrPrefix) or k.prefix = :idOrPrefix`, {
    idOrPrefix,
  });
}

/** SQL for the key `:keyId` and all keys that it created, directly or indirectly. */
const WITH_MADE = `with recursive made as (
  select id from api_keys where id = :keyId union select k.id from api_keys k join made m on k.made_by = m.id)`;

/** Locks the key's organization. Keys are created under the same lock, so a change can't miss a key that is being created. */
async function lockOrganizationOf(trx: Db, keyId: string): Promise<void> {
  await rows(
    trx,
    'select 1 from organizations where id = (select organization_id from api_keys where id = :keyId) for no key update',
    { keyId },
  );
}

/** Revokes the key and all keys that it created. Returns the ids of the keys that weren't revoked before. */
export async function revokeApiKey(trx: Db, keyId: string, now: number): Promise<string[]> {
  await lockOrganizationOf(trx, keyId);
  const revoked = await rows<{ id: string }>(
    trx,
    `${WITH_MADE} update api_keys set revoked_at = :now
     where id in (select id from made) and revoked_at is null returning id`,
    { keyId, now: timestamp(now) },
  );
  return revoked.map(({ id }) => id);
}

/**
 * Sets the expiry (null for never) and shortens that of the keys that it created. Returns false for a revoked key, which stays revoked.
 */
export async function expireApiKey(trx: Db, keyId: string, expiresAt: number | null): Promise<boolean> {
  await lockOrganizationOf(trx, keyId);
  const changed = await rows<{ id: string }>(
    trx,
    `${WITH_MADE} update api_keys
     set expires_at = case when id = :keyId then :expiresAt::timestamptz else least(expires_at, :expiresAt::timestamptz) end
     where id in (select id from made) and revoked_at is null returning id`,
    { keyId, expiresAt: expiresAt === null ? null : timestamp(expiresAt) },
  );
  return changed.some(({ id }) => id === keyId);
}
