import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { removeFolder } from '../remove-folder';
import { errorText } from '../error-text';
import { runOrFail } from './run';

/** The Temporal SDKs and the CLI's own installer download from here. */
export const VENDOR_URL = 'https://temporal.download';

const FIRST_BYTE_MS = 5000;
/** Ends a download that receives nothing for this long. */
const STALL_MS = 15_000;
const MAX_ATTEMPTS = 3;
const EXTRACT_MS = 120_000;

export interface VendorArchive {
  /** URL of a `.tar.gz`. */
  archiveUrl: string;
  /** Path of the program in the archive. */
  fileToExtract: string;
}

export interface Destination {
  folder: string;
  fileName: string;
  /** Called with text such as "12.0 of 34.1 MB, about 8 s left". */
  onProgress: (received: string) => void;
}

/** Downloads an archive from the vendor and puts its program into `folder` as `fileName`. */
export async function vendorDownload(
  // `artifact` is, for example, `cli/v1.5.1`.
  { baseUrl, artifact }: { baseUrl: string; artifact: string },
  destination: Destination,
): Promise<void> {
  await archiveDownload(await findArchive({ baseUrl, artifact }), destination);
}

/**
 * Checks the vendor's service without downloading. Rejects if the service doesn't offer the artifact for this platform or doesn't respond.
 */
export async function checkVendor({
  baseUrl = VENDOR_URL,
  artifact,
}: {
  baseUrl?: string | undefined;
  artifact: string;
}): Promise<void> {
  await findArchive({ baseUrl, artifact });
}

/** Like `checkVendor`, for an archive with a known URL. */
export async function checkArchive({ archiveUrl }: VendorArchive): Promise<void> {
  await fetchInTime(archiveUrl, { method: 'HEAD' });
}

async function findArchive({ baseUrl, artifact }: { baseUrl: string; artifact: string }) {
  const answer: unknown = await (await fetchInTime(`${baseUrl}/${artifact}?${platformQuery()}`)).json();
  return readAnswer(answer);
}

/** Like `vendorDownload`, for an archive with a known URL. */
export async function archiveDownload(
  { archiveUrl, fileToExtract }: VendorArchive,
  { folder, fileName, onProgress }: Destination,
): Promise<void> {
  const unpacked = join(folder, 'unpacked');
  const archive = join(unpacked, 'archive.tar.gz');
  await mkdir(unpacked);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await download(archiveUrl, archive, onProgress);
      break;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
  await runOrFail({
    command: 'tar',
    args: ['-xzf', archive, '-C', unpacked],
    timeoutMs: EXTRACT_MS,
    env: process.env,
  });
  await rename(join(unpacked, fileToExtract), join(folder, fileName));
  await removeFolder(unpacked);
}

async function download(url: string, file: string, onProgress: Destination['onProgress']): Promise<void> {
  // Requests uncompressed bytes, because the size refers to them.
  const response = await fetchInTime(url, { headers: { 'Accept-Encoding': 'identity' } });
  if (response.body === null) throw new Error('the download was empty');
  const size = Number(response.headers.get('content-length') ?? Number.NaN);
  const startedAtMs = performance.now();
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALL_MS);
  let bytes = 0;
  const watch = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      timer.refresh();
      bytes += chunk.length;
      onProgress(progressText(bytes, size, performance.now() - startedAtMs));
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.from(response.body), watch, createWriteStream(file), { signal: stalled.signal });
  } finally {
    clearTimeout(timer);
  }
  if (bytes !== size && !Number.isNaN(size)) {
    throw new Error(`the download ended after ${bytes} of ${size} bytes`);
  }
}

/** Estimates the remaining time from the average speed so far. `size` is NaN if the server doesn't send it. */
function progressText(bytes: number, size: number, elapsedMs: number): string {
  const megabytes = (count: number): string => (count / 1e6).toFixed(1);
  if (Number.isNaN(size)) return `${megabytes(bytes)} MB`;
  const leftS = Math.ceil((((size - bytes) / bytes) * elapsedMs) / 1000);
  return `${megabytes(bytes)} of ${megabytes(size)} MB${bytes < size ? `, about ${leftS} s left` : ''}`;
}

function platformQuery(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return new URLSearchParams({ platform: process.platform, arch, format: 'tar.gz' }).toString();
}

/** Aborts if the response doesn't begin in time. The body may take longer. */
async function fetchInTime(
  url: string,
  { method = 'GET', headers = {} }: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {},
): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), FIRST_BYTE_MS);
  try {
    const response = await fetch(url, { method, headers, signal: abort.signal });
    if (!response.ok) throw new Error(`returned ${response.status}`);
    return response;
  } catch (cause) {
    const why = abort.signal.aborted ? `no response within ${FIRST_BYTE_MS / 1000} s` : reason(cause);
    throw new Error(`${new URL(url).host}: ${why}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function reason(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return errorText(cause ?? error);
}

function readAnswer(answer: unknown): VendorArchive {
  if (typeof answer === 'object' && answer !== null && 'archiveUrl' in answer && 'fileToExtract' in answer) {
    const { archiveUrl, fileToExtract } = answer;
    if (typeof archiveUrl === 'string' && typeof fileToExtract === 'string') {
      return { archiveUrl, fileToExtract: safeName(fileToExtract) };
    }
  }
  throw new Error('the download service returned an unexpected response');
}

/** The server chooses the name, so the name must not point outside the folder. */
function safeName(fileToExtract: string): string {
  if (fileToExtract.split('/').includes('..')) return basename(fileToExtract);
  return fileToExtract;
}
