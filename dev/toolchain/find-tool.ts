import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { removeFolder } from '../remove-folder';
import { errorCode } from '../../db/kernel/error-code';
import { errorText } from '../error-text';
import { during, note, type OnProgress } from '../progress';
import { withLock } from './lock';
import {
  archiveDownload,
  VENDOR_URL,
  vendorDownload,
  type Destination,
  type VendorArchive,
} from './vendor-download';
import { run, runOrFail } from './run';

type Origin = 'configured' | 'PATH' | 'cache' | 'download' | 'build';

export type FoundTool = { path: string; origin: Origin; version: string };

export type ToolSearch = {
  /** Path from the tool's own variable. If it is set but wrong, the search fails instead of continuing elsewhere. */
  configuredPath: string | undefined;
  environment: NodeJS.ProcessEnv;
  cacheFolder: string;
  onProgress: OnProgress;
  vendorUrl?: string;
};

export type Tool = {
  title: string;
  variable: string;
  /** Name of the program on PATH and in the cache. */
  program: string;
  cacheName: string;
  /** Name in the vendor's download service; null if the service doesn't offer the tool. */
  vendorArtifact: string | null;
  /** For a vendor without a download service: its release for this platform; null if there is none. */
  vendorArchive?: VendorArchive | null;
  /** Command or setting that helps the user if the tool can't be found, downloaded or built. */
  remedy: string;
  /** Runs the program and returns its version. Rejects if it doesn't run or is too old. */
  verify: (path: string, environment: NodeJS.ProcessEnv) => Promise<string>;
  /** Null for a system package. */
  build: ToolBuild | null;
};

export type ToolBuild = {
  /** Shown during the build: what is built, with which program, and how long it takes. */
  title: string;
  /** Commands that the build requires. */
  commands: readonly string[];
  /** Puts the program and everything it needs into `folder`, which is renamed afterwards. */
  into: (folder: string, environment: NodeJS.ProcessEnv) => Promise<void>;
};

/** The tool isn't available on this machine. The message explains what was tried and what to do. */
export class ToolMissing extends Error {
  /** `configured`: the program at the path in the tool's variable failed, and nothing else was tried. */
  constructor(
    readonly tool: Tool,
    readonly tried: string[],
    { configured = false } = {},
  ) {
    super(
      configured
        ? `${tried.join('; ')}\nSet ${tool.variable} to ${tool.title}, or unset it to search for it.`
        : `${tool.title} was not found.\n${tried.map((line) => `  - ${line}`).join('\n')}\n` +
            `To get it: ${tool.remedy}, or set ${tool.variable} to the program.`,
    );
    this.name = 'ToolMissing';
  }
}

/**
 * Searches for a server's program at the configured path, on PATH and in the cache, but doesn't obtain it. `tried` explains why it wasn't
 * found. Throws `ToolMissing` if the configured program doesn't run.
 */
export async function locateTool(
  tool: Tool,
  search: Omit<ToolSearch, 'onProgress'>,
): Promise<{ found: FoundTool | null; tried: string[] }> {
  const { configuredPath, environment } = search;
  const tried: string[] = [];
  if (configuredPath) {
    const version = await tool.verify(configuredPath, environment).catch((error: unknown) => {
      const fault = `${tool.variable}=${configuredPath} does not run: ${firstLine(error)}`;
      throw new ToolMissing(tool, [fault], { configured: true });
    });
    return { found: { path: configuredPath, origin: 'configured', version }, tried };
  }
  return { found: (await onPath(tool, environment, tried)) ?? (await inCache(tool, search)), tried };
}

/**
 * Finds a server's program, or downloads or builds it, and checks that it runs. The first time may take minutes. Concurrent processes share
 * one download or build.
 */
export async function findTool(tool: Tool, search: ToolSearch): Promise<FoundTool> {
  const { found, tried } = await locateTool(tool, search);
  if (found !== null) return found;

  await mkdir(search.cacheFolder, { recursive: true });
  return withLock(
    join(search.cacheFolder, `${tool.cacheName}.lock`),
    {
      timeoutMs: 20 * 60_000,
      onWait: () => note(search.onProgress, `waiting for another process that is getting ${tool.title}`),
    },
    async () => {
      const made = await inCache(tool, search);
      if (made !== null) return made;
      await removeLeftovers(tool, search.cacheFolder);
      return obtain(tool, search, tried);
    },
  );
}

/** Removes leftovers of killed processes. Call this only while holding the lock. */
async function removeLeftovers(tool: Tool, folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(`${tool.cacheName}.new-`));
  await Promise.all(left.map((name) => removeFolder(join(folder, name))));
}

async function obtain(tool: Tool, search: ToolSearch, tried: string[]): Promise<FoundTool> {
  const { environment, onProgress, vendorUrl } = search;
  const { vendorArtifact: artifact, vendorArchive: archive, build } = tool;
  const download = (get: (destination: Destination) => Promise<void>) => (folder: string) =>
    during(onProgress, `downloading ${tool.title}`, (show) =>
      get({ folder, fileName: tool.program, onProgress: show }),
    );
  const baseUrl = vendorUrl ?? VENDOR_URL;
  const ways: [Origin, (folder: string) => Promise<void>][] = [];
  if (artifact !== null) {
    ways.push(['download', download((to) => vendorDownload({ baseUrl, artifact }, to))]);
  }
  if (archive) ways.push(['download', download((to) => archiveDownload(archive, to))]);
  if (build !== null) {
    ways.push(['build', (folder) => during(onProgress, build.title, () => build.into(folder, environment))]);
  }

  for (const [origin, fill] of ways) {
    try {
      return { ...(await intoCache(tool, search, fill)), origin };
    } catch (error) {
      tried.push(`${origin}: ${errorText(error)}`);
    }
  }
  throw new ToolMissing(tool, tried);
}

async function onPath(
  tool: Tool,
  environment: NodeJS.ProcessEnv,
  tried: string[],
): Promise<FoundTool | null> {
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, tool.program);
    if (!(await isExecutable(path))) continue;
    try {
      return { path, origin: 'PATH', version: await tool.verify(path, environment) };
    } catch (error) {
      tried.push(`${path}: ${firstLine(error)}`);
    }
  }
  tried.push(`no suitable ${tool.program} on PATH`);
  return null;
}

async function inCache(
  tool: Tool,
  { cacheFolder, environment }: Pick<ToolSearch, 'cacheFolder' | 'environment'>,
): Promise<FoundTool | null> {
  const path = join(cacheFolder, tool.cacheName, tool.program);
  if (!(await isExecutable(path))) return null;
  const version = await tool.verify(path, environment).catch(() => null);
  return version === null ? null : { path, origin: 'cache', version };
}

/** Fills a new folder, runs the program there, and then renames the folder to the cache entry. */
async function intoCache(
  tool: Tool,
  { cacheFolder, environment }: ToolSearch,
  fill: (folder: string) => Promise<void>,
): Promise<{ path: string; version: string }> {
  const folder = await mkdtemp(join(cacheFolder, `${tool.cacheName}.new-`));
  try {
    await fill(folder);
    await chmod(join(folder, tool.program), 0o755);
    await chmod(folder, 0o755);
    const version = await tool.verify(join(folder, tool.program), environment);
    const entry = join(cacheFolder, tool.cacheName);
    // An existing entry contains a program that does not run, because a working one would have been used.
    await removeFolder(entry);
    await rename(folder, entry);
    return { path: join(entry, tool.program), version };
  } finally {
    await removeFolder(folder);
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function firstLine(error: unknown): string {
  if (errorCode(error) === 'ENOENT') return 'there is no such program';
  if (errorCode(error) === 'EACCES') return 'it is not executable';
  return errorText(error).split('\n', 1)[0] ?? '';
}

interface VersionWanted {
  /** Finds the version in the output. Its groups are the parts to compare, from most to least significant. */
  pattern: RegExp;
  /** Oldest accepted version; any by default. */
  oldest?: readonly number[];
  /** Prefix of the message about an old version. */
  of?: string;
  /** Argument that prints the version; `--version` by default. */
  argument?: string;
}

/** Returns the version that a program prints, as the pattern matches it. Throws if there is no match or the version is too old. */
export async function printedVersion(
  { pattern, oldest = [], of = '', argument = '--version' }: VersionWanted,
  { path, environment }: { path: string; environment: NodeJS.ProcessEnv },
): Promise<{ found: string; whole: string }> {
  const { output } = await run({ command: path, args: [argument], timeoutMs: 20_000, env: environment });
  const match = pattern.exec(output);
  if (match === null) {
    const [line = ''] = output.trim().split('\n');
    throw new Error(`${argument} printed ${line === '' ? 'nothing' : `"${line.slice(0, 80)}"`}`);
  }
  const version = match.slice(1).map(Number);
  if (isOlder(version, oldest))
    throw new Error(`${of}${version.join('.')} is older than ${oldest.join('.')}`);
  return { found: match[0], whole: output.trim() };
}

function isOlder(version: readonly number[], oldest: readonly number[]): boolean {
  const differing = oldest.findIndex((part, index) => version[index] !== part);
  return differing !== -1 && (version[differing] ?? 0) < (oldest[differing] ?? 0);
}

/** Go's own installer uses this folder, which is only on PATH if the user's shell profile adds it. */
const USUAL_FOLDER = '/usr/local/go/bin';

const BUILD_TIMEOUT_MS = 20 * 60_000;
const RESPONSE_TIMEOUT_MS = 5_000;
/** Any module works here. Go never takes "latest" from its cache. */
const ANY_MODULE = 'golang.org/x/mod@latest';

/** Builds programs into a folder. Throws a clear error if Go isn't installed. */
export async function goInstall(
  packages: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Promise<void> {
  await runOrFail({
    command: 'go',
    args: ['install', ...packages],
    timeoutMs: BUILD_TIMEOUT_MS,
    env: {
      ...environment,
      GOBIN: folder,
      PATH: [environment.PATH, USUAL_FOLDER].filter(Boolean).join(delimiter),
    },
    cwd: folder,
  });
}

/**
 * Rejects if Go can't download modules. Tests through Go, because only Go knows the machine's module proxy, HTTP proxy and credentials.
 */
export async function goReachesModules(environment: NodeJS.ProcessEnv): Promise<void> {
  const { code } = await run({
    command: 'go',
    args: ['list', '-m', ANY_MODULE],
    timeoutMs: RESPONSE_TIMEOUT_MS,
    env: { ...environment, GO111MODULE: 'on', GOFLAGS: '-mod=mod' },
    cwd: '/',
  });
  // The error omits Go's output, which may contain the proxy's URL with a password.
  if (code !== 0) throw new Error("its module proxy isn't responding");
}
