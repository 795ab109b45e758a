/** What opens the console in place of an API key: sessions of browsers, and sign-in links that make one once. Only hashes are stored. */
import { randomBytes } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { HOLDER_COLUMNS, hashOf, IS_VALID_KEY, type KeyHolder } from './api-keys';

export const SESSION_LASTS_MS = 12 * 60 * 60 * 1000;
export const SIGN_IN_LASTS_MS = 10 * 60 * 1000;

const TOKEN_BYTES = 32;
const LASTS_MS = { session: SESSION_LASTS_MS, sign_in: SIGN_IN_LASTS_MS } as const;
type Kind = keyof typeof LASTS_MS;

export interface IssuedToken {
  /** Shown once. */
  token: string;
  expiresAt: Date;
}

export interface ConsoleSession extends IssuedToken {
  holder: KeyHolder;
}

/** One that makes a session of the key, once. */
export const issueSignInToken = (db: Db, keyId: string, now: number): Promise<IssuedToken> =>
  issue(db, 'sign_in', keyId, now);

export const openSession = (db: Db, keyId: string, now: number): Promise<IssuedToken> =>
  issue(db, 'session', keyId, now);

async function issue(db: Db, kind: Kind, keyId: string, now: number): Promise<IssuedToken> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(now + LASTS_MS[kind]);
  await db('console_tokens').insert({
    token_hash: hashOf(token),
    kind,
    key_id: keyId,
    expires_at: expiresAt,
  });
  return { token, expiresAt };
}

/** The holder of the link's key; of two who use one link at once, one gets it. Undefined for a token that is unknown, used or expired, and for one of a key that is not valid. */
export async function useSignInToken(trx: Db, token: string, now: number): Promise<KeyHolder | undefined> {
  return firstRow<KeyHolder>(
    trx,
    `with used as (
       delete from console_tokens where token_hash = :hash and kind = 'sign_in' and expires_at > :now returning key_id)
     select ${HOLDER_COLUMNS} from used u join api_keys k on k.id = u.key_id join clients c on c.id = k.client_id
     where ${IS_VALID_KEY}`,
    { hash: hashOf(token), now: timestamp(now) },
  );
}

/** With the scopes that its key has now. Undefined for a session that is unknown or over, and for one of a key that is not valid any more. */
export async function findSession(db: Db, token: string, now: number): Promise<ConsoleSession | undefined> {
  const found = await firstRow<KeyHolder & { expiresAt: Date }>(
    db,
    `select ${HOLDER_COLUMNS}, t.expires_at as "expiresAt"
     from console_tokens t join api_keys k on k.id = t.key_id join clients c on c.id = k.client_id
     where t.token_hash = :hash and t.kind = 'session' and t.expires_at > :now and ${IS_VALID_KEY}`,
    { hash: hashOf(token), now: timestamp(now) },
  );
  if (found === undefined) return undefined;
  const { expiresAt, ...holder } = found;
  return { token, expiresAt, holder };
}

export async function endSession(db: Db, token: string): Promise<void> {
  await rows(db, `delete from console_tokens where token_hash = :hash and kind = 'session'`, {
    hash: hashOf(token),
  });
}

/** How many there were. */
export async function removeExpiredTokens(db: Db, now: number): Promise<number> {
  const removed = await rows(db, 'delete from console_tokens where expires_at <= :now returning 1', {
    now: timestamp(now),
  });
  return removed.length;
}
