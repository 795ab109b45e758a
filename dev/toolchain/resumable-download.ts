/** Downloads a file and resumes after an interruption, even if an earlier process was interrupted. */
import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isJsonObject } from '../../domain/json';

const STALL_MS = 15_000;
/** Maximum number of attempts. Retries only if the previous attempt made progress. */
const MAX_ATTEMPTS = 5;

/** Fetches a URL, with a time limit until the response begins. Rejects for error statuses except 416. */
export type Fetch = (url: string, headers: Record<string, string>) => Promise<Response>;

export interface Download {
  url: string;
  /** Partial file, which is kept after a failure. `file`.json next to it records its URL and version. */
  file: string;
  fetch: Fetch;
  /** `size` is null if the server doesn't send it. */
  onProgress: (bytes: number, size: number | null) => void;
}

/** Resolves when the file is complete, or rejects with the last attempt's error. */
export async function resumableDownload(download: Download): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await sizeOf(download.file);
    try {
      await attemptDownload(download);
      await rm(recordOf(download.file), { force: true });
      return;
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || (await sizeOf(download.file)) <= before) throw error;
    }
  }
}

export async function discardDownload(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(recordOf(file), { force: true });
}

const recordOf = (file: string): string => `${file}.json`;

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

async function attemptDownload({ url, file, fetch, onProgress }: Download): Promise<void> {
  const kept = await keptOf(file, url);
  // Requests uncompressed bytes, because sizes and ranges refer to them.
  const response = await fetch(url, { 'Accept-Encoding': 'identity', ...(kept !== null && rangeFrom(kept)) });
  if (response.status === 416) {
    await discardDownload(file);
    if (kept === null) throw new Error('the server rejected the range request');
    return attemptDownload({ url, file, fetch, onProgress });
  }
  const start = kept !== null && startOf(response) === kept.bytes ? kept.bytes : 0;
  if (response.status === 206 && start === 0)
    throw new Error('the server sent a different range than requested');
  if (response.body === null) throw new Error('the download was empty');
  const version = versionOf(response);
  // A download can be resumed only if the server sends a version.
  if (start === 0) await discardDownload(file);
  if (start === 0 && version !== null) await writeFile(recordOf(file), JSON.stringify({ url, version }));
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const size = Number.isNaN(length) ? null : start + length;
  const received = await save(response.body, { file, start, onBytes: (bytes) => onProgress(bytes, size) });
  if (size !== null && received !== size)
    throw new Error(`the download ended after ${received} of ${size} bytes`);
}

interface Kept {
  bytes: number;
  version: string;
}

/** Returns null if there is nothing to resume. */
async function keptOf(file: string, url: string): Promise<Kept | null> {
  const bytes = await sizeOf(file);
  const record: unknown = await readFile(recordOf(file), 'utf8').then(JSON.parse, () => null);
  if (bytes === 0 || !isJsonObject(record) || record.url !== url || typeof record.version !== 'string')
    return null;
  return { bytes, version: record.version };
}

/** If the file on the server has changed, the server sends all of it. */
const rangeFrom = ({ bytes, version }: Kept): Record<string, string> => ({
  Range: `bytes=${bytes}-`,
  'If-Range': version,
});

function startOf({ status, headers }: Response): number | null {
  const [, start] = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '') ?? [];
  return status === 206 && start !== undefined ? Number(start) : null;
}

/** Weak tags don't identify exact bytes. */
function versionOf({ headers }: Response): string | null {
  const tag = headers.get('etag');
  return tag !== null && !tag.startsWith('W/') ? tag : headers.get('last-modified');
}

async function save(
  body: NonNullable<Response['body']>,
  { file, start, onBytes }: { file: string; start: number; onBytes: (bytes: number) => void },
): Promise<number> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALL_MS);
  let bytes = start;
  const watch = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      timer.refresh();
      bytes += chunk.length;
      onBytes(bytes);
      done(null, chunk);
    },
  });
  try {
    const out = createWriteStream(file, { flags: start === 0 ? 'w' : 'a' });
    await pipeline(Readable.from(body), watch, out, { signal: stalled.signal });
    return bytes;
  } finally {
    clearTimeout(timer);
  }
}
