/** Stores files in a folder that the processes share. */
import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from './file-storage';

const filesIn = (dataDir: string): string => join(dataDir, 'files');

export function folderStorage(dataDir: string): FileStorage {
  const pathOf = (key: string): string => join(filesIn(dataDir), key);
  return {
    async put(key, content) {
      await writeWhole(pathOf(key), Readable.from([content]));
    },
    putStream: (key, content) => writeWhole(pathOf(key), content),
    async read(key, range) {
      const file = await openExisting(pathOf(key));
      if (file === undefined) return undefined;
      try {
        const { size } = await file.stat();
        const { first, last } = range ?? { first: 0, last: size - 1 };
        const bytes = Math.max(0, Math.min(last, size - 1) - first + 1);
        if (bytes === 0) {
          await file.close();
          return { bytes, content: Readable.from([]) };
        }
        return { bytes, content: file.createReadStream({ start: first, end: last }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
      await rm(partsOf(pathOf(key)), { recursive: true, force: true });
    },
    async check() {
      await mkdir(filesIn(dataDir), { recursive: true });
      await access(filesIn(dataDir), constants.R_OK | constants.W_OK | constants.X_OK);
    },
  };
}

/** Returns the keys of complete files, in any order. Files that are stored or removed at the same time may or may not be included. */
export async function keysInFolder(dataDir: string): Promise<string[]> {
  const folder = filesIn(dataDir);
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(PARTS))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const PARTS = '.part';

/** Folder for a file's unfinished uploads, so that the leftovers of a killed upload are easy to find. */
const partsOf = (path: string): string => `${path}${PARTS}`;

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Writes, flushes and renames. A crash therefore leaves either the whole file or none, and an acknowledged file survives a power failure.
 */
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
    // Fails if another upload of the same file is in progress.
    await rmdir(partsOf(path)).catch(() => undefined);
  }
}

/** Creates a file for this upload. Retries, because another upload of the same key removes the folder when it ends. */
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
  // Node flushes at the end, and closes the file with the stream.
  const stream = file.createWriteStream({ flush: true });
  await pipeline(content, stream);
  return stream.bytesWritten;
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
