import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Secrets = {
  carrierSecret: string;
  /** 32 bytes in base64. */
  secretsKey: string;
};

/** Derives another secret, so that the data folder doesn't need to store it. */
export const derivedSecret = ({ carrierSecret }: Secrets, purpose: string): string =>
  createHash('sha256').update(`${purpose}:${carrierSecret}`).digest('hex');

/**
 * Returns the data folder's secrets and creates them on first use. They never change, because stored data is encrypted with one of them.
 */
export async function stableSecrets(folder: string): Promise<Secrets> {
  const file = join(folder, 'secrets.json');
  const stored = await readSecrets(file);
  if (stored !== null) return stored;
  const made: Secrets = {
    carrierSecret: randomBytes(24).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
  };
  const unfinished = `${file}.new-${process.pid}`;
  await writeFile(unfinished, JSON.stringify(made), { mode: 0o600 });
  try {
    // Linking fails if another start was faster. Use the secrets of that start.
    await link(unfinished, file);
    return made;
  } catch (error) {
    const first = await readSecrets(file);
    if (first === null) throw error;
    return first;
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function readSecrets(file: string): Promise<Secrets | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const stored: unknown = JSON.parse(text);
  if (typeof stored === 'object' && stored !== null && 'carrierSecret' in stored && 'secretsKey' in stored) {
    const { carrierSecret, secretsKey } = stored;
    if (typeof carrierSecret === 'string' && typeof secretsKey === 'string')
      return { carrierSecret, secretsKey };
  }
  throw new Error(
    `${file} is damaged, and stored webhook secrets cannot be decrypted without it: restore the file, or run "npm run clean"`,
  );
}
