import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { CLIENT_COLUMNS, type Client } from './clients';
import type { Db } from '../kernel/connection';
import { countOf, ofClient } from '../kernel/conditions';
import { listed, sortedBy, type Listed, type Page } from '../kernel/list-page';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

const KEY_BYTES = 24;
/** Enough to recognise a key in a list, far too little to guess the rest. */
export const PREFIX_LENGTH = 12;
/** How exact `lastUsedAt` is: one more write a key a minute, instead of one a request. */
export const LAST_USED_PRECISION_MS = 60_000;

/** What a key may do: look; act (calls, campaigns, redeliveries); change agents. */
export const SCOPES = ['read', 'operate', 'configure'] as const;
export type Scope = (typeof SCOPES)[number];

export interface IssuedKey {
  id: string;
  /** Shown once: only its hash is stored. */
  key: string;
  prefix: string;
}

/** The client, and which of its keys it used: what the audit names as the actor. */
export type KeyHolder = Client & {
  keyId: string;
  /** What an operator calls the key, or its first characters. */
  keyName: string;
  /** Null for a key that has all. */
  scopes: readonly Scope[] | null;
  lastUsedAt: Date | null;
};

/** Of a key or a token: 192 random bits cannot be guessed, so a slow hash would only make every request slower. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Of a row `k` of api_keys and a row `c` of clients. */
export const HOLDER_COLUMNS = `${CLIENT_COLUMNS}, k.id as "keyId", coalesce(k.label, k.prefix) as "keyName", k.scopes,
  k.last_used_at as "lastUsedAt"`;

export const IS_VALID_KEY = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > :now)';

export interface KeyOptions {
  label?: string | undefined;
  /** Never unless given. */
  expiresAt?: number | undefined;
  /** At least one; all unless given. */
  scopes?: readonly Scope[] | undefined;
  /** The id of the key that makes it; none unless given. */
  madeBy?: string | undefined;
}

export async function issueApiKey(
  db: Db,
  clientId: string,
  { label, expiresAt, scopes, madeBy }: KeyOptions = {},
): Promise<IssuedKey> {
  const id = randomUUID();
  const key = `vap_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  await db('api_keys').insert({
    id,
    client_id: clientId,
    prefix,
    key_hash: hashOf(key),
    label: label ?? null,
    expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    scopes: scopes === undefined ? null : [...scopes],
    made_by: madeBy ?? null,
  });
  return { id, key, prefix };
}

/** Undefined for an unknown, an expired and a revoked key alike, so that nobody can distinguish them. */
export async function clientOfKey(db: Db, key: string, now: number): Promise<KeyHolder | undefined> {
  const hash = hashOf(key);
  const found = await firstRow<KeyHolder & { hash: Buffer }>(
    db,
    `select ${HOLDER_COLUMNS}, k.key_hash as hash
     from api_keys k join clients c on c.id = k.client_id
     where k.key_hash = :hash and ${IS_VALID_KEY}`,
    { hash, now: timestamp(now) },
  );
  if (found === undefined) return undefined;
  const { hash: stored, ...holder } = found;
  // The index compares byte by byte, but of hashes: an attacker who measures how far two of them agree learns nothing that brings a key
  // nearer, as no chosen key has a chosen hash. So this decides nothing today. It holds where a look-up is loosened: by prefix,
  // through a cache.
  return timingSafeEqual(stored, hash) ? holder : undefined;
}

/** The key that a secret belongs to, even if it is revoked or expired. */
export const keyOfSecret = (db: Db, secret: string): Promise<{ id: string; clientId: string } | undefined> =>
  firstRow(db, 'select id, client_id as "clientId" from api_keys where key_hash = :hash', {
    hash: hashOf(secret),
  });

const MARK_BYTES = 8;

/** The beginning of a key's hash. A wrong key has that of a valid key by no chance, and the mark is of no use to find a key by. */
export const markOf = (keyHash: Buffer): Buffer => keyHash.subarray(0, MARK_BYTES);

/** A token of the console begins with the mark of its key, so that marks of keys tell wrong tokens from those that can be valid. */
const TOKEN = /^([\w-]{11})\.[\w-]{43}$/;

const markIn = (secret: string): Buffer => {
  const mark = TOKEN.exec(secret)?.[1];
  return mark === undefined ? markOf(hashOf(secret)) : Buffer.from(mark, 'base64url');
};

/** The marks of keys in order, in one piece of memory: a hundred thousand keys take 800 kB and no objects. */
export class KeyMarks {
  constructor(private readonly marks: Buffer) {}

  get count(): number {
    return this.marks.length / MARK_BYTES;
  }

  /** Whether the secret can be a valid key, or a token of one. */
  has(secret: string): boolean {
    const sought = markIn(secret);
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = sought.compare(this.marks, middle * MARK_BYTES, (middle + 1) * MARK_BYTES);
      if (order === 0) return true;
      if (order < 0) to = middle;
      else from = middle + 1;
    }
    return false;
  }
}

/** The marks of every key that is valid now, however many sessions the keys have. */
export async function validKeyMarks(db: Db, now: number): Promise<KeyMarks> {
  const { marks } = await onlyRow<{ marks: Buffer | null }>(
    db,
    `select string_agg(substring(k.key_hash for :bytes::integer), ''::bytea order by k.key_hash) as marks
     from api_keys k where ${IS_VALID_KEY}`,
    { bytes: MARK_BYTES, now: timestamp(now) },
  );
  return new KeyMarks(marks ?? Buffer.alloc(0));
}

/** Many processes may find the minute over at once: the first writes, the others find it written. */
export async function noteKeyUse(db: Db, keyId: string, now: number): Promise<void> {
  await rows(
    db,
    `update api_keys set last_used_at = :now where id = :keyId and (last_used_at is null or last_used_at <= :stale)`,
    { keyId, now: timestamp(now), stale: timestamp(now - LAST_USED_PRECISION_MS) },
  );
}

/** A key as operators see it: never the key, nor its hash. */
export interface ApiKey {
  id: string;
  clientId: string;
  clientName: string;
  label: string | null;
  prefix: string;
  /** The id of the key that made it; null of a key that an operator made. */
  madeBy: string | null;
  createdAt: Date;
  scopes: readonly Scope[] | null;
  /** To the minute. */
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const API_KEY = `select k.id, k.client_id as "clientId", c.name as "clientName", k.label, k.prefix, k.made_by as "madeBy", k.scopes,
  k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
  from api_keys k join clients c on c.id = k.client_id`;

/** The newest first; of all clients where none is named. */
export function listApiKeys(db: Db, clientId: string | null): Promise<ApiKey[]> {
  return rows<ApiKey>(
    db,
    `${API_KEY} where :clientId::uuid is null or k.client_id = :clientId::uuid order by k.created_at desc, k.id`,
    { clientId },
  );
}

/** The oldest of this name that has all scopes and is valid; undefined for none. */
export async function validKeyNamed(
  db: Db,
  { clientId, label }: { clientId: string; label: string },
  now: number,
): Promise<string | undefined> {
  const found = await firstRow<{ id: string }>(
    db,
    `select k.id from api_keys k
     where k.client_id = :clientId and k.label = :label and k.scopes is null and ${IS_VALID_KEY}
     order by k.created_at, k.id limit 1`,
    { clientId, label, now: timestamp(now) },
  );
  return found?.id;
}

/** How many keys of one organisation the API makes valid at a time: every process reads the marks of all keys over and over. */
export const MOST_VALID_KEYS = 100;

/** One organisation's, the newest first. */
export function apiKeyPage(db: Db, clientId: string, page: Page): Promise<Listed<ApiKey>> {
  const found = ofClient(clientId, {});
  return listed(page, countOf(db, 'api_keys', found, 'created_at desc, id desc'), ({ limit, offset }) =>
    rows<ApiKey>(db, `${API_KEY} where k.client_id = :clientId ${sortedBy('desc', 'k.created_at', 'k.id')}`, {
      clientId,
      limit,
      offset,
    }),
  );
}

/** Keys that are not valid are kept so that lists and the audit name them: these many with the valid ones. */
export const MOST_KEPT_KEYS = 1_000;

/** Makes room for another key: the oldest that are not valid go. */
export async function forgetOldKeys(trx: Db, clientId: string, now: number): Promise<void> {
  await rows(
    trx,
    `delete from api_keys where id in (
       select k.id from api_keys k where k.client_id = :clientId and not (${IS_VALID_KEY})
       order by k.created_at desc, k.id offset :kept)`,
    { clientId, now: timestamp(now), kept: MOST_KEPT_KEYS - MOST_VALID_KEYS - 1 },
  );
}

export async function countValidKeys(db: Db, clientId: string, now: number): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from api_keys k where k.client_id = :clientId and ${IS_VALID_KEY}`,
    { clientId, now: timestamp(now) },
  );
  return total;
}

export const findClientKey = (db: Db, clientId: string, keyId: string): Promise<ApiKey | undefined> =>
  firstRow<ApiKey>(db, `${API_KEY} where k.id = :keyId and k.client_id = :clientId`, { clientId, keyId });

/** What a key may do and for how long, as it is now; nobody changes that before the transaction ends. Undefined for a key that is not valid. */
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

/** By its id, or by its first twelve characters as lists show them; two keys with the same twelve are possible. */
export function findApiKeys(db: Db, idOrPrefix: string): Promise<ApiKey[]> {
  return rows<ApiKey>(db, `${API_KEY} where k.id::text = lower(:idOrPrefix) or k.prefix = :idOrPrefix`, {
    idOrPrefix,
  });
}

/** The key `:keyId` and all that it made, directly or not. */
const WITH_MADE = `with recursive made as (
  select id from api_keys where id = :keyId union select k.id from api_keys k join made m on k.made_by = m.id)`;

/** Keys are made under the lock of their organization, so none is made meanwhile that a change of its maker would miss. */
async function lockClientOf(trx: Db, keyId: string): Promise<void> {
  await rows(
    trx,
    'select 1 from clients where id = (select client_id from api_keys where id = :keyId) for no key update',
    { keyId },
  );
}

/** Requests with the key, and with all keys that it made, are refused from now on. Returns the ids of those that were not revoked before. */
export async function revokeApiKey(trx: Db, keyId: string, now: number): Promise<string[]> {
  await lockClientOf(trx, keyId);
  const revoked = await rows<{ id: string }>(
    trx,
    `${WITH_MADE} update api_keys set revoked_at = :now
     where id in (select id from made) and revoked_at is null returning id`,
    { keyId, now: timestamp(now) },
  );
  return revoked.map(({ id }) => id);
}

/** Null for never. Keys that it made last no longer than it does. False for a revoked key, which stays revoked. */
export async function expireApiKey(trx: Db, keyId: string, expiresAt: number | null): Promise<boolean> {
  await lockClientOf(trx, keyId);
  const changed = await rows<{ id: string }>(
    trx,
    `${WITH_MADE} update api_keys
     set expires_at = case when id = :keyId then :expiresAt::timestamptz else least(expires_at, :expiresAt::timestamptz) end
     where id in (select id from made) and revoked_at is null returning id`,
    { keyId, expiresAt: expiresAt === null ? null : timestamp(expiresAt) },
  );
  return changed.some(({ id }) => id === keyId);
}
