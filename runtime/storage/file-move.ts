/** Moves the files that the folder still has into the bucket, while the platform runs. */
import type { FileStorage } from './file-storage';
import { folderStorage, keysInFolder } from './folder-storage';

/** `there` was in the bucket already: an earlier run copied it and died, or it is newer there. `gone` was removed meanwhile. */
export type Move = 'moved' | 'there' | 'gone';

export interface FileMove {
  /** Of the files that are in the folder now. */
  keys(): Promise<string[]>;
  /** Leaves it in the folder, or in the bucket, or in both, where it fails. */
  move(key: string): Promise<Move>;
}

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
  // Erased while it was copied: a removal takes it from the folder first and from the bucket then, so one of the two finds the copy.
  if (still === undefined) await bucket.remove(key);
  return still !== undefined;
}
