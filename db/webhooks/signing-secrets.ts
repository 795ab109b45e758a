import { randomBytes, randomUUID } from 'node:crypto';
import { lockOrganization } from '../organizations/organizations';
import type { Db } from '../kernel/connection';
import { firstRow, rows, timestamp } from '../kernel/query';
import { type SecretsKeys, open, seal, type Lock } from '../kernel/secrets-keys';

const SECRET_BYTES = 32;

export interface IssuedSecret {
  id: string;
  /** `whsec_<base64 of 32 bytes>`. Shown once. Stored encrypted, because deliveries are signed with it. */
  secret: string;
}

/** Maximum number of secrets that are kept, including expired ones, which lists show. */
const MAX_KEPT_SECRETS = 100;

/** Deletes the oldest expired secrets. Valid secrets, of which there are at most two, always stay. */
const FORGET_OLD = `delete from signing_secrets where id in (
  select id from signing_secrets where organization_id = :organizationId and expires_at <= now()
  order by created_at desc, id offset :kept)`;

/** Doesn't limit the number of valid secrets. Use `addSigningSecret` for that. */
export async function issueSigningSecret(
  db: Db,
  organizationId: string,
  secretsKeys: SecretsKeys,
): Promise<IssuedSecret> {
  await rows(db, FORGET_OLD, { organizationId, kept: MAX_KEPT_SECRETS - 1 });
  const id = randomUUID();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await db('signing_secrets').insert({
    id,
    organization_id: organizationId,
    secret_encrypted: seal(secret, signingSecretLock(secretsKeys)),
  });
  return { id, secret };
}

/**
 * Returns the valid secrets, newest first.
 * @throws {UnknownSecretsKey} if `secretsKeys` lacks the key of one
 */
export async function activeSecrets(
  db: Db,
  organizationId: string,
  secretsKeys: SecretsKeys,
  now: number,
): Promise<string[]> {
  const stored = await rows<{ encrypted: Buffer }>(
    db,
    `select secret_encrypted as encrypted from signing_secrets
     where organization_id = :organizationId and (expires_at is null or expires_at > :now) order by created_at desc, id`,
    { organizationId, now: timestamp(now) },
  );
  return stored.map(({ encrypted }) => decryptSecret(encrypted, secretsKeys));
}

/** Two are needed for a rotation. More would add signatures to every delivery. */
const MAX_VALID_SECRETS = 2;

/** Signing secret without its value, as shown to operators. */
interface SigningSecret {
  id: string;
  organizationId: string;
  createdAt: Date;
  expiresAt: Date | null;
}

const SIGNING_SECRET = `select id, organization_id as "organizationId", created_at as "createdAt", expires_at as "expiresAt" from signing_secrets`;

/** Returns secrets, newest first, including expired ones. A null limit returns all. */
export function listSigningSecrets(
  db: Db,
  organizationId: string,
  limit: number | null = null,
): Promise<SigningSecret[]> {
  return rows<SigningSecret>(
    db,
    `${SIGNING_SECRET} where organization_id = :organizationId order by created_at desc, id limit :limit`,
    { organizationId, limit },
  );
}

export const stateOfSecret = ({ expiresAt }: SigningSecret, now: number): 'valid' | 'expired' =>
  expiresAt === null || expiresAt.getTime() > now ? 'valid' : 'expired';

export function findSigningSecret(db: Db, secretId: string): Promise<SigningSecret | undefined> {
  return firstRow<SigningSecret>(db, `${SIGNING_SECRET} where id = :secretId`, { secretId });
}

function validSecrets(trx: Db, organizationId: string, now: number): Promise<SigningSecret[]> {
  return rows<SigningSecret>(
    trx,
    `${SIGNING_SECRET} where organization_id = :organizationId and (expires_at is null or expires_at > :now) order by created_at, id`,
    { organizationId, now: timestamp(now) },
  );
}

export type SecretAddition =
  | { kind: 'added'; issued: IssuedSecret; before: SigningSecret[] }
  /** Two secrets are already valid, so nothing was changed. */
  | { kind: 'too many'; valid: SigningSecret[] };

/** Adds a secret. There can be one valid secret already. */
export async function addSigningSecret(
  trx: Db,
  { organizationId, secretsKeys, now }: { organizationId: string; secretsKeys: SecretsKeys; now: number },
): Promise<SecretAddition> {
  // Without the lock, two simultaneous additions could leave three secrets.
  await lockOrganization(trx, organizationId);
  const before = await validSecrets(trx, organizationId, now);
  if (before.length >= MAX_VALID_SECRETS) return { kind: 'too many', valid: before };
  return { kind: 'added', issued: await issueSigningSecret(trx, organizationId, secretsKeys), before };
}

/**
 * Issues a new secret. Old secrets stay valid for `overlapMs` (unless they expire sooner), so that receivers have time to change. 0 expires
 * them immediately.
 */
export async function rotateSigningSecret(
  trx: Db,
  rotation: { organizationId: string; secretsKeys: SecretsKeys; overlapMs: number; now: number },
): Promise<SecretAddition> {
  const { organizationId, overlapMs, now } = rotation;
  await lockOrganization(trx, organizationId);
  const before = await validSecrets(trx, organizationId, now);
  if (before.length >= MAX_VALID_SECRETS && overlapMs > 0) return { kind: 'too many', valid: before };
  await rows(
    trx,
    `update signing_secrets set expires_at = least(expires_at, :expiresAt)
     where organization_id = :organizationId and (expires_at is null or expires_at > :now)`,
    { organizationId, now: timestamp(now), expiresAt: timestamp(now + overlapMs) },
  );
  return {
    kind: 'added',
    issued: await issueSigningSecret(trx, organizationId, rotation.secretsKeys),
    before,
  };
}

/** Expires a secret immediately. Returns false if it had already expired. */
export async function revokeSigningSecret(trx: Db, secretId: string, now: number): Promise<boolean> {
  const revoked = await rows(
    trx,
    `update signing_secrets set expires_at = :now where id = :secretId and (expires_at is null or expires_at > :now) returning id`,
    { secretId, now: timestamp(now) },
  );
  return revoked.length > 0;
}

export const signingSecretLock = (keys: SecretsKeys): Lock => ({
  keys,
  purpose: 'signing secrets',
  subject: '',
});

/** Decrypts a secret that was read together with its delivery. */
export const decryptSecret = (stored: Buffer, secretsKeys: SecretsKeys): string =>
  open(stored, signingSecretLock(secretsKeys));
