/** Contact files and recordings. Shared by the processes that write them and those that delete them. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Keys are ours, never a client's file name: no upload can choose where it is written. */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>;
  /** Streams it to the end, or keeps nothing: what breaks off leaves what was there before. Returns how many bytes were stored. */
  putStream(key: string, content: AsyncIterable<Buffer>): Promise<number>;
  /** Undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** The bytes from `first` to `last`, both included. Undefined when there is none. */
  read(key: string, range: { first: number; last: number }): Promise<Readable | undefined>;
  /** Without effect when there is none. */
  remove(key: string): Promise<void>;
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
    async putStream(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      // One for each upload: the same file may be on its way twice.
      const part = `${path}.${randomUUID()}.part`;
      try {
        const bytes = await writeFlushed(part, content);
        await rename(part, path);
        return bytes;
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async read(key, { first, last }) {
      try {
        const file = await open(pathOf(key), 'r');
        return file.createReadStream({ start: first, end: last });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

async function writeFlushed(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  const file = await open(path, 'wx');
  // Flushed when it ends, and closed with the stream.
  const stream = file.createWriteStream({ flush: true });
  await pipeline(content, stream);
  return stream.bytesWritten;
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
