import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import type { Db } from './connection';
import { rows, timestamp } from './query';

const SECRET_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface IssuedSecret {
  id: string;
  /** `whsec_<base64 of 32 bytes>`. Shown once; stored encrypted, because every delivery is signed with it. */
  secret: string;
}

/** `secretsKey` is 32 bytes. A client may have two secrets during a rotation: both sign. */
export async function issueSigningSecret(
  db: Db,
  clientId: string,
  secretsKey: Buffer,
): Promise<IssuedSecret> {
  const id = randomUUID();
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  await db('signing_secrets').insert({
    id,
    client_id: clientId,
    secret_encrypted: encrypt(secret, secretsKey),
  });
  return { id, secret };
}

/** The secrets that sign now, the newest first. Fails when `secretsKey` is not the one that they were stored with. */
export async function activeSecrets(
  db: Db,
  clientId: string,
  secretsKey: Buffer,
  now: number,
): Promise<string[]> {
  const stored = await rows<{ encrypted: Buffer }>(
    db,
    `select secret_encrypted as encrypted from signing_secrets
     where client_id = :clientId and (expires_at is null or expires_at > :now) order by created_at desc, id`,
    { clientId, now: timestamp(now) },
  );
  return stored.map(({ encrypted }) => decryptSecret(encrypted, secretsKey));
}

/** Laid out as iv, tag, ciphertext. */
function encrypt(text: string, key: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** For one secret read beside its delivery. */
export function decryptSecret(stored: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, stored.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(stored.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(stored.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
