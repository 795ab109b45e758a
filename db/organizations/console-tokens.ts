/**
 * Tokens that open the console instead of an API key: browser sessions, and one-time sign-in links that start a session. Only hashes are
 * stored.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../kernel/connection';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';
import { HOLDER_COLUMNS, hashOf, IS_VALID_KEY, hashPrefixOf, type KeyHolder } from './api-keys';

const SESSION_LASTS_MS = 12 * 60 * 60 * 1000;
export const SIGN_IN_LASTS_MS = 10 * 60 * 1000;
/** Maximum number of sessions, and of sign-in links, per key. A new one replaces the oldest. */
export const MAX_TOKENS_OF_KEY = 50;

const TOKEN_BYTES = 32;
const LASTS_MS = { session: SESSION_LASTS_MS, sign_in: SIGN_IN_LASTS_MS } as const;
type Kind = keyof typeof LASTS_MS;

interface IssuedToken {
  /** Shown once. */
  token: string;
  expiresAt: Date;
}

export interface ConsoleSession extends IssuedToken {
  id: string;
  holder: KeyHolder;
  /** The console shows links to Temporal's Web UI. */
  showsWorkflows: boolean;
}

interface TokenOptions {
  /** IP address of the browser that signs in. */
  address?: string | null;
  showsWorkflows?: boolean;
}

/** Issues a token that creates one session of the key. */
export const issueSignInToken = (
  trx: Db,
  keyId: string,
  now: number,
  options: TokenOptions = {},
): Promise<IssuedToken> => issue(trx, { kind: 'sign_in', keyId, ...options }, now);

export const openSession = (
  trx: Db,
  keyId: string,
  now: number,
  options: TokenOptions = {},
): Promise<IssuedToken & { id: string }> => issue(trx, { kind: 'session', keyId, ...options }, now);

async function issue(
  trx: Db,
  { kind, keyId, address = null, showsWorkflows = false }: TokenOptions & { kind: Kind; keyId: string },
  now: number,
): Promise<IssuedToken & { id: string }> {
  // Without the lock, two simultaneous tokens could exceed the maximum.
  const { keyHash } = await onlyRow<{ keyHash: Buffer }>(
    trx,
    'select key_hash as "keyHash" from api_keys where id = :keyId for no key update',
    { keyId },
  );
  await makeRoom(trx, { kind, keyId }, now);
  const id = randomUUID();
  const token = `${hashPrefixOf(keyHash).toString('base64url')}.${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const expiresAt = new Date(now + LASTS_MS[kind]);
  await trx('console_tokens').insert({
    id,
    token_hash: hashOf(token),
    kind,
    key_id: keyId,
    address,
    shows_workflows: showsWorkflows,
    created_at: timestamp(now),
    expires_at: expiresAt,
  });
  return { id, token, expiresAt };
}

/** Removes the key's expired tokens. If there is still no room for a new token of this kind, also removes the oldest ones. */
async function makeRoom(trx: Db, { kind, keyId }: { kind: Kind; keyId: string }, now: number): Promise<void> {
  await rows(
    trx,
    `delete from console_tokens where key_id = :keyId and (expires_at <= :now or id in (
       select id from console_tokens where key_id = :keyId and kind = :kind and expires_at > :now
       order by created_at desc, id desc offset :kept))`,
    { keyId, kind, now: timestamp(now), kept: MAX_TOKENS_OF_KEY - 1 },
  );
}

/**
 * Uses up a sign-in token and returns the holder of its key. Returns undefined if the token is unknown, used or expired, or if its key
 * isn't valid.
 */
export async function useSignInToken(
  trx: Db,
  token: string,
  now: number,
): Promise<(KeyHolder & { showsWorkflows: boolean }) | undefined> {
  return firstRow(
    trx,
    `with used as (
       delete from console_tokens where token_hash = :hash and kind = 'sign_in' and expires_at > :now returning key_id, shows_workflows)
     select ${HOLDER_COLUMNS}, u.shows_workflows as "showsWorkflows" from used u join api_keys k on k.id = u.key_id join organizations c on c.id = k.organization_id
     where ${IS_VALID_KEY}`,
    { hash: hashOf(token), now: timestamp(now) },
  );
}

/**
 * Returns a session with the current scopes of its key. Returns undefined if the session is unknown or expired, or if its key isn't valid.
 */
export async function findSession(db: Db, token: string, now: number): Promise<ConsoleSession | undefined> {
  const found = await firstRow<
    KeyHolder & Pick<ConsoleSession, 'expiresAt' | 'showsWorkflows'> & { sessionId: string }
  >(
    db,
    `select ${HOLDER_COLUMNS}, t.id as "sessionId", t.expires_at as "expiresAt", t.shows_workflows as "showsWorkflows"
     from console_tokens t join api_keys k on k.id = t.key_id join organizations c on c.id = k.organization_id
     where t.token_hash = :hash and t.kind = 'session' and t.expires_at > :now and ${IS_VALID_KEY}`,
    { hash: hashOf(token), now: timestamp(now) },
  );
  if (found === undefined) return undefined;
  const { sessionId, expiresAt, showsWorkflows, ...holder } = found;
  return { id: sessionId, token, expiresAt, showsWorkflows, holder };
}

/** Returns the tokens that still open a session of a valid key. */
export async function openSessions(
  db: Db,
  tokens: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const found = await rows<{ hash: string }>(
    db,
    `select encode(t.token_hash, 'hex') as hash from console_tokens t join api_keys k on k.id = t.key_id
     where t.token_hash = any(:hashes) and t.kind = 'session' and t.expires_at > :now and ${IS_VALID_KEY}`,
    { hashes: tokens.map(hashOf), now: timestamp(now) },
  );
  const open = new Set(found.map(({ hash }) => hash));
  return new Set(tokens.filter((token) => open.has(hashOf(token).toString('hex'))));
}

/** Session as shown to its organization. */
interface SessionOfKey {
  id: string;
  createdAt: Date;
  expiresAt: Date;
  address: string | null;
}

/** Returns sessions, newest first. */
export const sessionsOfKey = (db: Db, keyId: string, now: number): Promise<SessionOfKey[]> =>
  rows<SessionOfKey>(
    db,
    `select id, created_at as "createdAt", expires_at as "expiresAt", address from console_tokens
     where key_id = :keyId and kind = 'session' and expires_at > :now order by created_at desc, id desc`,
    { keyId, now: timestamp(now) },
  );

export async function keyOfSession(
  db: Db,
  organizationId: string,
  sessionId: string,
): Promise<string | undefined> {
  const found = await firstRow<{ keyId: string }>(
    db,
    `select t.key_id as "keyId" from console_tokens t join api_keys k on k.id = t.key_id
     where t.id = :sessionId and t.kind = 'session' and k.organization_id = :organizationId`,
    { organizationId, sessionId },
  );
  return found?.keyId;
}

/** Ends one session of the key, or all of them and its sign-in links if `sessionId` is null. Returns how many sessions were open. */
export async function endSessionsOfKey(
  trx: Db,
  { keyId, sessionId }: { keyId: string; sessionId: string | null },
  now: number,
): Promise<number> {
  const ended = await rows<{ wasOpen: boolean }>(
    trx,
    `delete from console_tokens where key_id = :keyId and (:sessionId::uuid is null or (id = :sessionId::uuid and kind = 'session'))
     returning kind = 'session' and expires_at > :now as "wasOpen"`,
    { keyId, sessionId, now: timestamp(now) },
  );
  return ended.filter(({ wasOpen }) => wasOpen).length;
}

export async function endSession(db: Db, token: string): Promise<void> {
  await rows(db, `delete from console_tokens where token_hash = :hash and kind = 'session'`, {
    hash: hashOf(token),
  });
}

/** Returns how many tokens it removed. */
export async function removeExpiredTokens(db: Db, now: number): Promise<number> {
  const removed = await rows(db, 'delete from console_tokens where expires_at <= :now returning 1', {
    now: timestamp(now),
  });
  return removed.length;
}
