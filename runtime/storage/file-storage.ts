/** Storage of contact files and recordings, which several processes share. */
import type { Readable } from 'node:stream';

/** The platform generates the keys and never uses an uploaded file's name, so an upload can't choose where it is written. */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>;
  /** Stores the whole stream and returns its size in bytes. If the stream breaks off, the previous file is kept. */
  putStream(key: string, content: AsyncIterable<Buffer>): Promise<number>;
  /**
   * Reads the file, or the bytes from `first` to `last` (inclusive). Returns undefined if it doesn't exist. Read the stream to its end or
   * destroy it.
   */
  read(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Removes the file and the leftover parts of killed uploads. Does nothing if the file doesn't exist. */
  remove(key: string): Promise<void>;
  /** Rejects if files can't be stored or read right now, as far as one request can tell. Stores nothing. */
  check(signal: AbortSignal): Promise<void>;
}

export interface ByteRange {
  first: number;
  last: number;
}

interface StoredFile {
  /** Number of bytes in this stream, not in the whole file. */
  bytes: number;
  content: Readable;
}

/** The storage failed, because it's down, too slow, full or rejects our credentials. The state of the file is unknown. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The file storage failed: ${nameOf(cause)}`, { cause });
    this.name = 'StorageUnavailable';
  }
}

/** S3's error code, or the error's name. The message can contain a signed URL. */
const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : String(cause));
