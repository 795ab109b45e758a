/** The files that the console was built into, as they are on disk at each request: it may be built while the API runs. */
import { stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

export interface StaticFile {
  path: string;
  bytes: number;
  type: string;
  etag: string;
  /** `br` or `gzip` where the file is compressed. */
  encoding: string | null;
  /** Its name changes with its content. */
  isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The better one first. */
const COMPRESSED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const HASHED = /[-.][\w-]{8,}\.\w+$/;
const ASSETS = 'assets/';

/** By the part of the address after `/console/`. Null where there is no such file, and for kinds of file that no page has. */
export async function fileOf(
  folder: string,
  name: string,
  accepts: (encoding: string) => boolean,
): Promise<StaticFile | null> {
  const type = TYPES[extname(name)];
  const path = join(folder, normalize(name));
  if (type === undefined || name.includes('\0') || !path.startsWith(folder + sep)) return null;
  const plain = await known(path);
  if (plain === null) return null;
  const common = { type, isImmutable: name.startsWith(ASSETS) && HASHED.test(name) };
  for (const [encoding, extension] of COMPRESSED) {
    if (!accepts(encoding)) continue;
    const file = await known(path + extension);
    // One that is older is of an earlier build.
    if (file === null || file.writtenMs < plain.writtenMs) continue;
    return { ...common, path: path + extension, bytes: file.bytes, etag: etagOf(file, encoding), encoding };
  }
  return { ...common, path, bytes: plain.bytes, etag: etagOf(plain, 'plain'), encoding: null };
}

/** A part of the page that is not there is missing: a script must not be answered with the page itself. */
export const isAsset = (name: string): boolean => name.startsWith(ASSETS);

interface Known {
  bytes: number;
  writtenMs: number;
}

async function known(path: string): Promise<Known | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? { bytes: found.size, writtenMs: found.mtimeMs } : null;
}

const etagOf = ({ bytes, writtenMs }: Known, encoding: string): string =>
  `"${bytes.toString(36)}-${Math.round(writtenMs).toString(36)}-${encoding}"`;
