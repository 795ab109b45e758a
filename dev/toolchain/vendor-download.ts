import { errorText } from '../error-text';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runOrFail } from './run';

/** Where the Temporal SDKs and the CLI's own installer download from. */
export const VENDOR_URL = 'https://temporal.download';

const FIRST_BYTE_MS = 5000;
const STALL_MS = 15_000;
const EXTRACT_MS = 120_000;

export interface VendorArchive {
  /** Of a `.tar.gz`. */
  archiveUrl: string;
  /** The program's path in it. */
  fileToExtract: string;
}

/** Downloads one of the vendor's archives and puts its program into `folder` as `fileName`. */
export async function vendorDownload(options: {
  baseUrl: string;
  /** For example `cli/v1.5.1`. */
  artifact: string;
  folder: string;
  fileName: string;
}): Promise<void> {
  await archiveDownload(await findArchive(options), options);
}

/** Rejects when the vendor's service does not offer the artifact for this platform, or does not answer. Downloads nothing. */
export async function vendorAnswers({
  baseUrl = VENDOR_URL,
  artifact,
}: {
  baseUrl?: string | undefined;
  artifact: string;
}): Promise<void> {
  await findArchive({ baseUrl, artifact });
}

/** As `vendorAnswers`, of an archive whose address is known. */
export async function archiveAnswers({ archiveUrl }: VendorArchive): Promise<void> {
  await fetchInTime(archiveUrl, 'HEAD');
}

async function findArchive({ baseUrl, artifact }: { baseUrl: string; artifact: string }) {
  const answer: unknown = await (await fetchInTime(`${baseUrl}/${artifact}?${platformQuery()}`)).json();
  return readAnswer(answer);
}

/** As `vendorDownload`, of an archive whose address is known. */
export async function archiveDownload(
  { archiveUrl, fileToExtract }: VendorArchive,
  { folder, fileName }: { folder: string; fileName: string },
): Promise<void> {
  const archive = join(folder, 'archive.tar.gz');
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  await save(archiveUrl, archive);
  await runOrFail({
    command: 'tar',
    args: ['-xzf', archive, '-C', unpacked],
    timeoutMs: EXTRACT_MS,
    env: process.env,
  });
  await rename(join(unpacked, fileToExtract), join(folder, fileName));
  await rm(unpacked, { recursive: true });
  await rm(archive);
}

function platformQuery(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return new URLSearchParams({ platform: process.platform, arch, format: 'tar.gz' }).toString();
}

/** Aborts when no answer begins in time; the body may take longer. */
async function fetchInTime(url: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), FIRST_BYTE_MS);
  try {
    const response = await fetch(url, { method, signal: abort.signal });
    if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
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
  throw new Error('the download service answered in an unknown form');
}

/** The name comes from outside: it must not lead out of the folder. */
function safeName(fileToExtract: string): string {
  if (fileToExtract.split('/').includes('..')) return basename(fileToExtract);
  return fileToExtract;
}

async function save(url: string, file: string): Promise<void> {
  const response = await fetchInTime(url);
  if (response.body === null) throw new Error('the download was empty');
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALL_MS);
  const watch = new Transform({
    transform(chunk, _encoding, done) {
      timer.refresh();
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.from(response.body), watch, createWriteStream(file), {
      signal: stalled.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}
