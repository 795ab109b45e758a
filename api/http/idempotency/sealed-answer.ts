import { open, seal } from '../../../db/kernel/sealed-bytes';
import { derivedKey } from '../derived-key';

/**
 * Answers hold credentials (tokens of media and captions, signed addresses) and e-mail addresses, so they are stored encrypted.
 * Bound to the subject: an answer moved to another row does not open.
 */
export const sealAnswer = (body: unknown, subjectId: string, secretsKey: Buffer): Buffer =>
  seal(JSON.stringify(body), { key: keyOf(secretsKey), subject: subjectId });

/** The caller names the body that it sealed. Fails when `secretsKey` is not the one that it was sealed with. */
export const openAnswer = <Body>(sealed: Buffer, subjectId: string, secretsKey: Buffer): Body =>
  JSON.parse(open(sealed, { key: keyOf(secretsKey), subject: subjectId })) as Body;

const keyOf = (secretsKey: Buffer): Buffer => derivedKey(secretsKey, 'idempotency answers');
