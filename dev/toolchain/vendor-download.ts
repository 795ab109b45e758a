import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeFolder } from '../remove-folder';
import { errorText } from '../error-text';
import { discardDownload, resumableDownload } from './resumable-download';
import { runOrFail } from './run';

/** The Temporal SDKs and the CLI's own installer download from here. */
export const VENDOR_URL = 'https://temporal.download';

const FIRST_BYTE_MS = 5000;
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
  /** Path of the archive. A partial download stays there, and the next attempt resumes it. */
  archive: string;
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
export async function vendorAnswers({
  baseUrl = VENDOR_URL,
  artifact,
}: {
  baseUrl?: string | undefined;
  artifact: string;
}): Promise<void> {
  await findArchive({ baseUrl, artifact });
}

/** Like `vendorAnswers`, for an archive with a known URL. */
export async function archiveAnswers({ archiveUrl }: VendorArchive): Promise<void> {
  await fetchInTime(archiveUrl, { method: 'HEAD' });
}

async function findArchive({ baseUrl, artifact }: { baseUrl: string; artifact: string }) {
  const answer: unknown = await (await fetchInTime(`${baseUrl}/${artifact}?${platformQuery()}`)).json();
  return readAnswer(answer);
}

/** Like `vendorDownload`, for an archive with a known URL. */
export async function archiveDownload(
  { archiveUrl, fileToExtract }: VendorArchive,
  { folder, fileName, archive, onProgress }: Destination,
): Promise<void> {
  const estimate = new DownloadEstimate();
  await resumableDownload({
    url: archiveUrl,
    file: archive,
    fetch: (url, headers) => fetchInTime(url, { headers, allowed: [416] }),
    onProgress: (bytes, size) => onProgress(size === null ? megabytes(bytes) : estimate.of(bytes, size)),
  });
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  try {
    await runOrFail({
      command: 'tar',
      args: ['-xzf', archive, '-C', unpacked],
      timeoutMs: EXTRACT_MS,
      env: process.env,
    });
    await rename(join(unpacked, fileToExtract), join(folder, fileName));
  } finally {
    // Also removes an archive that can't be unpacked, so that the next download starts over.
    await discardDownload(archive);
  }
  await removeFolder(unpacked);
}

const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const megabytes = (bytes: number): string => `${inMegabytes(bytes)} MB`;

/** Estimates the remaining time of a download from its average speed so far. */
class DownloadEstimate {
  private begun: { atMs: number; bytes: number } | null = null;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** Returns text such as "12.0 of 34.1 MB, about 8 s left". */
  of(bytes: number, size: number): string {
    this.begun ??= { atMs: this.nowMs(), bytes };
    const seconds = (this.nowMs() - this.begun.atMs) / 1000;
    const perSecond = (bytes - this.begun.bytes) / seconds;
    const left =
      perSecond > 0 && bytes < size ? `, about ${Math.ceil((size - bytes) / perSecond)} s left` : '';
    return `${inMegabytes(bytes)} of ${megabytes(size)}${left}`;
  }
}

function platformQuery(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return new URLSearchParams({ platform: process.platform, arch, format: 'tar.gz' }).toString();
}

/** Aborts if the response doesn't begin in time. The body may take longer. */
async function fetchInTime(
  url: string,
  {
    method = 'GET',
    headers = {},
    allowed = [],
  }: { method?: 'GET' | 'HEAD'; headers?: Record<string, string>; allowed?: readonly number[] } = {},
): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), FIRST_BYTE_MS);
  try {
    const response = await fetch(url, { method, headers, signal: abort.signal });
    if (!response.ok && !allowed.includes(response.status))
      throw new Error(`${new URL(url).host} returned ${response.status}`);
    return response;
  } catch (cause) {
    const why = abort.signal.aborted ? `no answer within ${FIRST_BYTE_MS / 1000} s` : reason(cause);
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

/** The name comes from the server, so it must not point outside the folder. */
function safeName(fileToExtract: string): string {
  if (fileToExtract.split('/').includes('..')) return basename(fileToExtract);
  return fileToExtract;
}
