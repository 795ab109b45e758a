import { text } from 'node:stream/consumers';
import type { ByteRange, FileStorage } from '../../runtime/storage/file-storage';

/** Returns the text stored under a key, or undefined. */
export async function storedText(
  storage: FileStorage,
  key: string,
  range?: ByteRange,
): Promise<string | undefined> {
  const file = await storage.read(key, range);
  return file === undefined ? undefined : text(file.content);
}

export async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}
