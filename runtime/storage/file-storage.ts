/** Where contact files and recordings are stored. Shared by the processes that write them and those that delete them. */
import type { Readable } from 'node:stream';

/** Keys are ours, never a client's file name: no upload can choose where it is written. */
export interface FileStorage {
  put(key: string, content: Buffer): Promise<void>;
  /** Streams it to the end, or keeps nothing: what breaks off leaves what was there before. Returns how many bytes were stored. */
  putStream(key: string, content: AsyncIterable<Buffer>): Promise<number>;
  /** The whole file, or the bytes from `first` to `last`, both included. Undefined when there is none. Who does not read it to its end destroys it. */
  read(key: string, range?: ByteRange): Promise<StoredFile | undefined>;
  /** Also what an upload that was killed left of it. Without effect when there is none. */
  remove(key: string): Promise<void>;
  /** Rejects unless files could be stored and read now, as far as one request can show it. Stores nothing. */
  check(signal: AbortSignal): Promise<void>;
}

export interface ByteRange {
  first: number;
  last: number;
}

export interface StoredFile {
  /** How many come, not how many there are. */
  bytes: number;
  content: Readable;
}

/** The storage did not do what was asked of it: away, too slow, full, or refusing us. Nothing is known of the file but what was known before. */
export class StorageUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The storage of files does not answer as it should: ${nameOf(cause)}`, { cause });
    this.name = 'StorageUnavailable';
  }
}

/** S3's code of the fault, or the error's kind: its message may have an address with a signature. */
const nameOf = (cause: unknown): string => (cause instanceof Error ? cause.name : String(cause));
