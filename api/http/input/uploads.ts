/** Keeps uploaded files on disk while a request is handled, because a hundred of them would fill the memory. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StorageUnavailable } from '../../../runtime/storage/file-storage';
import type { ApiContext } from '../context';

export interface UploadedFile {
  filename: string;
  bytes: number;
  sha256: Buffer;
  read(): Promise<Buffer>;
  stream(): AsyncIterable<Buffer>;
}

/** Longer than any request takes. */
const ABANDONED_AFTER_MS = 3_600_000;
const SEPARATOR = '_';

/** Writes a file that is deleted once the request is handled. */
export async function writeUpload(
  ctx: ApiContext,
  { filename, content }: { filename: string; content: Readable },
): Promise<UploadedFile> {
  const folder = ctx.state.bodies.uploadFolder;
  const path = join(folder, [hostname(), process.pid, randomUUID()].join(SEPARATOR));
  const handled = new AbortController();
  ctx.state.releases.push(async () => {
    handled.abort();
    await rm(path, { force: true }).catch(() => undefined);
  });
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    await mkdir(folder, { recursive: true });
    await pipeline(
      content,
      async function* counted(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
      { signal: handled.signal },
    );
  } catch (error) {
    throw new StorageUnavailable(error);
  }
  return {
    filename,
    bytes,
    sha256: hash.digest(),
    read: () => readFile(path),
    stream: () => createReadStream(path),
  };
}

/** Removes files that killed processes of this host left behind, and files of other hosts that are older than an hour. */
export async function removeLeftUploads(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const [host, pid] = name.split(SEPARATOR);
    const isDead = host === hostname() && !isOtherProcess(Number(pid));
    const age = now - ((await stat(path).catch(() => null))?.mtimeMs ?? now);
    if (isDead || age > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/** Returns true if another process with this id is running. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
