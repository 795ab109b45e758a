import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './errors/error-code';

/** Keys are ours, never a client's file name: no upload can choose where it is written. */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>;
  /** Undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Without effect when there is none. */
  remove(key: string): Promise<void>;
}

export function contactFileKey(campaignId: string, format: string): string {
  return `${campaignId}.${format}`;
}

export function folderStorage(dataDir: string): FileStorage {
  const pathOf = (key: string): string => join(dataDir, 'files', key);
  return {
    async put(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      // Flushed and renamed: a crash leaves the whole file or none, and what was acknowledged survives a power cut.
      await writeFile(`${path}.part`, content, { flush: true });
      await rename(`${path}.part`, path);
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
