import { hkdfSync } from 'node:crypto';

/** A key of its own for each purpose, so that a signature made for one is worth nothing for another. */
export function derivedKey(secretsKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', `voice-agent-platform ${purpose}`, 32));
}
