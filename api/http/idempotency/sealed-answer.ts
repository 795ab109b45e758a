import { open, seal, type Lock } from '../../../db/kernel/sealed-bytes';
import type { SecretsKeys } from '../../../db/kernel/secrets-keys';

/**
 * Answers hold credentials (tokens of media and captions, signed addresses) and e-mail addresses, so they are stored encrypted.
 * Bound to the subject: an answer moved to another row does not open.
 */
export const sealAnswer = (body: unknown, subjectId: string, secretsKeys: SecretsKeys): Buffer =>
  seal(JSON.stringify(body), answerLock(secretsKeys, subjectId));

/** The caller names the body that it sealed. Fails when `secretsKeys` lacks the key that it was sealed with. */
export const openAnswer = <Body>(sealed: Buffer, subjectId: string, secretsKeys: SecretsKeys): Body =>
  JSON.parse(open(sealed, answerLock(secretsKeys, subjectId))) as Body;

export const answerLock = (keys: SecretsKeys, subject: string): Lock => ({
  keys,
  purpose: 'idempotency answers',
  subject,
});
