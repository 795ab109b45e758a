import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Client } from './clients';
import type { Db } from './connection';
import { firstRow, timestamp } from './query';

const KEY_BYTES = 24;
/** Enough to recognise a key in a list, far too little to guess the rest. */
const PREFIX_LENGTH = 12;

export interface IssuedKey {
  id: string;
  /** Shown once: only its hash is stored. */
  key: string;
  prefix: string;
}

// 192 random bits cannot be guessed, so a slow hash would only make every request slower.
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export async function issueApiKey(db: Db, clientId: string): Promise<IssuedKey> {
  const id = randomUUID();
  const key = `vap_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const prefix = key.slice(0, PREFIX_LENGTH);
  await db('api_keys').insert({ id, client_id: clientId, prefix, key_hash: hashOf(key) });
  return { id, key, prefix };
}

/** Undefined for an unknown, an expired and a revoked key alike, so that nobody can tell them apart. */
export function clientOfKey(db: Db, key: string, now: number): Promise<Client | undefined> {
  return firstRow<Client>(
    db,
    `select c.id, c.name, c.max_concurrency as "maxConcurrency"
     from api_keys k join clients c on c.id = k.client_id
     where k.key_hash = :hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > :now)`,
    { hash: hashOf(key), now: timestamp(now) },
  );
}
