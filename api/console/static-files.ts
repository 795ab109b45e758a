/** Serves the console's built files from disk on each request, because the console may be built while the API runs. */
import { stat } from 'node:fs/promises';
import { basename, extname, join, normalize, sep } from 'node:path';

const COMPILED = 'dist';

/** Returns the repository's root, also when run from compiled code. */
function root(): string {
  const folder = join(__dirname, '..', '..');
  return basename(folder) === COMPILED ? join(folder, '..') : folder;
}

export const CONSOLE_FOLDER = join(root(), 'console', 'dist');

export interface StaticFile {
  path: string;
  bytes: number;
  type: string;
  etag: string;
  /** `br` or `gzip` if the file is compressed, otherwise null. */
  encoding: string | null;
  /** True if the file's name changes with its content. */
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

/** In order of preference. */
const COMPRESSED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const HASHED = /[-.][\w-]{8,}\.\w+$/;
const ASSETS = 'assets/';

/** `name` is the path after `/console/`. Returns null if the file doesn't exist or has a type that the console doesn't use. */
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
    // An older file comes from an earlier build.
    if (file === null || file.writtenMs < plain.writtenMs) continue;
    return { ...common, path: path + extension, bytes: file.bytes, etag: etagOf(file, encoding), encoding };
  }
  return { ...common, path, bytes: plain.bytes, etag: etagOf(plain, 'plain'), encoding: null };
}

/** A missing asset must be a 404, because the browser can't use the page in place of a script. */
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
