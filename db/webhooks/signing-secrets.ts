import { randomBytes, randomUUID } from 'node:crypto';
import { lockClient } from '../clients/clients';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { open, seal, type Lock } from '../kernel/sealed-bytes';
import type { SecretsKeys } from '../kernel/secrets-keys';

const SECRET_BYTES = 32;

export interface IssuedSecret {
  id: string;
  /** `whsec_<base64 of 32 bytes>`. Shown once; stored encrypted, because every delivery is signed with it. */
  secret: string;
}

/** With the expired ones, which lists show. */
const MOST_KEPT_SECRETS = 100;

/** A newer secret is never among those that go while an older one is valid: at most two are. */
const FORGET_OLD = `delete from signing_secrets where id in (
  select id from signing_secrets where client_id = :clientId and expires_at <= now()
  order by created_at desc, id offset :kept)`;

/** Does not look how many are valid: see `addSigningSecret`. */
export async function issueSigningSecret(
  db: Db,
  clientId: string,
  secretsKeys: SecretsKeys,
): Promise<IssuedSecret> {
  await rows(db, FORGET_OLD, { clientId, kept: MOST_KEPT_SECRETS - 1 });
  const id = randomUUID();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await db('signing_secrets').insert({
    id,
    client_id: clientId,
    secret_encrypted: seal(secret, signingSecretLock(secretsKeys)),
  });
  return { id, secret };
}

/** The secrets that sign now, the newest first. Fails when `secretsKeys` lacks the key that one was stored with. */
export async function activeSecrets(
  db: Db,
  clientId: string,
  secretsKeys: SecretsKeys,
  now: number,
): Promise<string[]> {
  const stored = await rows<{ encrypted: Buffer }>(
    db,
    `select secret_encrypted as encrypted from signing_secrets
     where client_id = :clientId and (expires_at is null or expires_at > :now) order by created_at desc, id`,
    { clientId, now: timestamp(now) },
  );
  return stored.map(({ encrypted }) => decryptSecret(encrypted, secretsKeys));
}

/** During a rotation there are two. More would make every delivery carry, and every receiver check, more signatures. */
const MAX_VALID_SECRETS = 2;

/** A secret as operators see it. */
export interface SigningSecret {
  id: string;
  clientId: string;
  createdAt: Date;
  expiresAt: Date | null;
}

const SIGNING_SECRET = `select id, client_id as "clientId", created_at as "createdAt", expires_at as "expiresAt" from signing_secrets`;

/** The newest first, those that do not sign any more included; all of them where no limit is given. */
export function listSigningSecrets(
  db: Db,
  clientId: string,
  limit: number | null = null,
): Promise<SigningSecret[]> {
  return rows<SigningSecret>(
    db,
    `${SIGNING_SECRET} where client_id = :clientId order by created_at desc, id limit :limit`,
    { clientId, limit },
  );
}

/** Whether it signs now. */
export const stateOfSecret = ({ expiresAt }: SigningSecret, now: number): 'valid' | 'expired' =>
  expiresAt === null || expiresAt.getTime() > now ? 'valid' : 'expired';

export function findSigningSecret(db: Db, secretId: string): Promise<SigningSecret | undefined> {
  return firstRow<SigningSecret>(db, `${SIGNING_SECRET} where id = :secretId`, { secretId });
}

function validSecrets(trx: Db, clientId: string, now: number): Promise<SigningSecret[]> {
  return rows<SigningSecret>(
    trx,
    `${SIGNING_SECRET} where client_id = :clientId and (expires_at is null or expires_at > :now) order by created_at, id`,
    { clientId, now: timestamp(now) },
  );
}

export type SecretAddition =
  | { kind: 'added'; issued: IssuedSecret; before: SigningSecret[] }
  /** Two are valid already; nothing was changed. */
  | { kind: 'too many'; valid: SigningSecret[] };

/** One more secret beside the one that is valid, or the first. */
export async function addSigningSecret(
  trx: Db,
  { clientId, secretsKeys, now }: { clientId: string; secretsKeys: SecretsKeys; now: number },
): Promise<SecretAddition> {
  // Two operators at once would else each find one secret and leave three.
  await lockClient(trx, clientId);
  const before = await validSecrets(trx, clientId, now);
  if (before.length >= MAX_VALID_SECRETS) return { kind: 'too many', valid: before };
  return { kind: 'added', issued: await issueSigningSecret(trx, clientId, secretsKeys), before };
}

/**
 * A new secret; the valid ones go on signing beside it for `overlapMs`, so that receivers change at their leisure. One that expires
 * sooner anyway keeps its time. Without an overlap the old ones sign nothing from now on.
 */
export async function rotateSigningSecret(
  trx: Db,
  rotation: { clientId: string; secretsKeys: SecretsKeys; overlapMs: number; now: number },
): Promise<SecretAddition> {
  const { clientId, overlapMs, now } = rotation;
  await lockClient(trx, clientId);
  const before = await validSecrets(trx, clientId, now);
  if (before.length >= MAX_VALID_SECRETS && overlapMs > 0) return { kind: 'too many', valid: before };
  await rows(
    trx,
    `update signing_secrets set expires_at = least(expires_at, :expiresAt)
     where client_id = :clientId and (expires_at is null or expires_at > :now)`,
    { clientId, now: timestamp(now), expiresAt: timestamp(now + overlapMs) },
  );
  return { kind: 'added', issued: await issueSigningSecret(trx, clientId, rotation.secretsKeys), before };
}

/** Signs nothing from now on. False where it had expired before. */
export async function revokeSigningSecret(trx: Db, secretId: string, now: number): Promise<boolean> {
  const revoked = await rows(
    trx,
    `update signing_secrets set expires_at = :now where id = :secretId and (expires_at is null or expires_at > :now) returning id`,
    { secretId, now: timestamp(now) },
  );
  return revoked.length > 0;
}

/** Bound to no subject. */
export const signingSecretLock = (keys: SecretsKeys): Lock => ({
  keys,
  purpose: 'signing secrets',
  subject: '',
});

/** For one secret read beside its delivery. */
export const decryptSecret = (stored: Buffer, secretsKeys: SecretsKeys): string =>
  open(stored, signingSecretLock(secretsKeys));
