/** Contact files and recordings. Shared by the processes that write them and those that delete them. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
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
  /** Also what an upload that was killed left of it. Without effect when there is none. */
  remove(key: string): Promise<void>;
}

export function folderStorage(dataDir: string): FileStorage {
  const pathOf = (key: string): string => join(dataDir, 'files', key);
  return {
    async put(key, content) {
      await writeWhole(pathOf(key), Readable.from([content]));
    },
    putStream: (key, content) => writeWhole(pathOf(key), content),
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
      await rm(partsOf(pathOf(key)), { recursive: true, force: true });
    },
  };
}

/** Beside the file, in a folder by its name: what a kill left of an upload is found without a search. */
const partsOf = (path: string): string => `${path}.part`;

/** Flushed and renamed: a crash leaves the whole file or none, and what was acknowledged survives a power cut. */
async function writeWhole(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const { part, file } = await openPart(partsOf(path));
  try {
    const bytes = await writeFlushed(file, content);
    await rename(part, path);
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    // Not empty while the same file is on its way once more.
    await rmdir(partsOf(path)).catch(() => undefined);
  }
}

/** A file of its own for each upload: the same one may be on its way twice, and the end of the other takes the folder away. */
async function openPart(folder: string): Promise<{ part: string; file: FileHandle }> {
  for (;;) {
    await mkdir(folder, { recursive: true });
    const part = join(folder, randomUUID());
    try {
      return { part, file: await open(part, 'wx') };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

async function writeFlushed(file: FileHandle, content: AsyncIterable<Buffer>): Promise<number> {
  // Flushed when it ends, and closed with the stream.
  const stream = file.createWriteStream({ flush: true });
  await pipeline(content, stream);
  return stream.bytesWritten;
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
