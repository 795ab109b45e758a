/** Moves the remaining files from the folder to the bucket while the platform runs. */
import type { FileStorage } from './file-storage';
import { folderStorage, keysInFolder } from './folder-storage';

/** `there`: the bucket already had the file, from an earlier run or a newer upload. `gone`: the file was removed during the move. */
export type Move = 'moved' | 'there' | 'gone';

export interface FileMove {
  /** Keys of the files in the folder. */
  keys(): Promise<string[]>;
  /** Moves a file. If this fails, the file is in the folder, in the bucket, or in both. */
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
  // The file was erased during the copy. A removal deletes from the folder first and then from the bucket, so either the removal or this
  // line deletes the copy.
  if (still === undefined) await bucket.remove(key);
  return still !== undefined;
}
