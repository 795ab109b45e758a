/** Opens the configured storage. */
import type { FileStorage } from './file-storage';
import { folderStorage, keysInFolder } from './folder-storage';
import type { S3Options } from './s3-storage';

interface StorageSettings {
  /** Folder for the files that aren't in the bucket. */
  dataDir: string;
  /** Null if there is no bucket. */
  s3: S3Options | null;
}

export function fileStorage({ dataDir, s3 }: StorageSettings): FileStorage {
  const folder = folderStorage(dataDir);
  return s3 === null ? folder : bucketBeforeFolder(bucketOf(s3), folder);
}

/** Moves the folder's files to the bucket. Null if there is no bucket. */
export const fileMove = ({ dataDir, s3 }: StorageSettings): FileMove | null =>
  s3 === null ? null : moveBetween(dataDir, bucketOf(s3));

/** Loads the SDK with the first request, because that takes 0.25 s and 21 MiB. */
function bucketOf(options: S3Options): FileStorage {
  let loading: Promise<FileStorage> | null = null;
  const bucket = (): Promise<FileStorage> =>
    (loading ??= import('./s3-storage.js').then(({ s3Storage }) => s3Storage(options)));
  return {
    put: async (key, content) => (await bucket()).put(key, content),
    putStream: async (key, content) => (await bucket()).putStream(key, content),
    read: async (key, range) => (await bucket()).read(key, range),
    remove: async (key) => (await bucket()).remove(key),
    check: async (signal) => (await bucket()).check(signal),
  };
}

/** Stores files in the bucket. Reads from the folder until `admin storage move` has moved the file. */
export function bucketBeforeFolder(bucket: FileStorage, folder: FileStorage): FileStorage {
  return {
    put: (key, content) => bucket.put(key, content),
    putStream: (key, content) => bucket.putStream(key, content),
    read: async (key, range) => (await bucket.read(key, range)) ?? (await folder.read(key, range)),
    // Remove from the folder first, so that a concurrent move finds the file gone and deletes its copy.
    async remove(key) {
      await folder.remove(key);
      await bucket.remove(key);
    },
    check: (signal) => bucket.check(signal),
  };
}

/** `there`: the bucket already had the file, from an earlier run or a newer upload. `gone`: the file was removed during the move. */
export type Move = 'moved' | 'there' | 'gone';

export interface FileMove {
  /** Keys of the files in the folder. */
  keys(): Promise<string[]>;
  /** Moves a file. If this fails, the file is in the folder, in the bucket, or in both. */
  move(key: string): Promise<Move>;
}

/** Moves the remaining files from the folder to the bucket while the platform runs. */
export function moveBetween(dataDir: string, bucket: FileStorage): FileMove {
  const folder = folderStorage(dataDir);
  return {
    keys: () => keysInFolder(dataDir),
    async move(key) {
      const there = await bucket.read(key);
      there?.content.destroy();
      if (there === undefined && !(await copy(key, folder, bucket))) return 'gone';
      await folder.remove(key);
      return there === undefined ? 'moved' : 'there';
    },
  };
}

async function copy(key: string, folder: FileStorage, bucket: FileStorage): Promise<boolean> {
  const file = await folder.read(key);
  if (file === undefined) return false;
  const bytes = await bucket.putStream(key, file.content);
  if (bytes !== file.bytes) throw new Error(`${key} changed while it was copied`);
  const still = await folder.read(key);
  still?.content.destroy();
  // The file was erased during the copy. A removal deletes from the folder first and then from the bucket, so either the removal or this
  // line deletes the copy.
  if (still === undefined) await bucket.remove(key);
  return still !== undefined;
}
