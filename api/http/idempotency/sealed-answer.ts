import { type SecretsKeys, open, seal, type Lock } from '../../../db/kernel/secrets-keys';

/**
 * Encrypts a stored response, because it holds credentials (media and captions tokens, signed URLs) and e-mail addresses. It is bound to
 * the subject, so it can't be decrypted in another row.
 */
export const sealAnswer = (body: unknown, subjectId: string, secretsKeys: SecretsKeys): Buffer =>
  seal(JSON.stringify(body), answerLock(secretsKeys, subjectId));

/** `Body` must be the type that was sealed. Throws if `secretsKeys` lacks the key that it was sealed with. */
export const openAnswer = <Body>(sealed: Buffer, subjectId: string, secretsKeys: SecretsKeys): Body =>
  JSON.parse(open(sealed, answerLock(secretsKeys, subjectId))) as Body;

export const answerLock = (keys: SecretsKeys, subject: string): Lock => ({
  keys,
  purpose: 'idempotency answers',
  subject,
});
