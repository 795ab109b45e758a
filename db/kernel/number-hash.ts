/** Keyed hashes of phone numbers, which count calls to a number after the number itself was erased. */
import { createHmac } from 'node:crypto';
import { derivedKey, type SecretsKeys } from './secrets-keys';

/** Derives the keys from those of the deployment, the current one first. */
export function numberHashKeys({ current, previous }: SecretsKeys): [Buffer, ...Buffer[]] {
  const keyOf = (secretsKey: Buffer) => derivedKey(secretsKey, 'callback cap');
  return previous === null ? [keyOf(current)] : [keyOf(current), keyOf(previous)];
}

/** Returns the hash of a number in hexadecimal. Organizations can't compare theirs. */
export const numberHash = (key: Buffer, organizationId: string, number: string): string =>
  createHmac('sha256', key).update(`${organizationId} ${number}`).digest('hex');

export const numberHashes = (keys: readonly Buffer[], organizationId: string, number: string): string[] =>
  keys.map((key) => numberHash(key, organizationId, number));

/** Returns the function that hashes with the current key. */
export const hashingWith =
  ([current]: readonly [Buffer, ...Buffer[]]) =>
  (organizationId: string, number: string): string =>
    numberHash(current, organizationId, number);
