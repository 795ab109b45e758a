/** Installs pinned Python packages into a separate virtual environment in the cache folder. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../remove-folder';
import { during, note, type OnProgress } from '../progress';
import { cacheFolder } from './cache-folder';
import { withLock } from './lock';
import { PipOutput } from './pip-output';
import { findPython, type FoundPython } from './python';
import { lastLines, run, runOrFail } from './run';

export interface PythonPackages {
  /** Interpreter of the virtual environment. */
  python: string;
  /** Megabytes that this call downloaded; 0 if everything was cached. */
  downloadedMb: number;
}

/** Written last. A folder without this file is left over from an interrupted installation. */
const COMPLETE = 'complete';
const INSTALL_WITHIN_MS = 30 * 60_000;
const VENV_WITHIN_MS = 120_000;

/**
 * Installs the packages of a requirements file; returns within seconds if everything is cached. pip checks each file against its hash and
 * keeps complete downloads, so an interrupted installation continues where it stopped.
 */
export async function installPythonPackages(options: {
  /** Name of the folder in the cache. */
  name: string;
  /** Shown during the installation. */
  title: string;
  /** Approximate download size of the first installation. */
  downloadMb: number;
  /** Path of a requirements.txt. */
  requirements: string;
  environment: NodeJS.ProcessEnv;
  onProgress: OnProgress;
}): Promise<PythonPackages> {
  const { name, title, downloadMb, requirements, environment, onProgress } = options;
  const found = await findPython(environment, title);
  const cache = cacheFolder(environment);
  const folder = join(cache, await folderName(name, requirements, found));
  const python = join(folder, 'bin', 'python');
  const isComplete = (): boolean => existsSync(join(folder, COMPLETE)) && existsSync(python);
  if (isComplete()) return { python, downloadedMb: 0 };
  await mkdir(cache, { recursive: true });
  const onWait = (): void => note(onProgress, `waiting for another process that is installing ${title}`);
  return withLock(`${folder}.lock`, { timeoutMs: INSTALL_WITHIN_MS, onWait }, async () => {
    if (isComplete()) return { python, downloadedMb: 0 };
    const downloads = join(cache, `${name}-downloads`);
    await removeFolder(folder);
    const output = new PipOutput((line) => note(onProgress, line), downloadMb);
    await during(onProgress, `installing ${title}, about ${downloadMb} MB to download`, async () => {
      await makeVenv(found, folder, environment);
      await install({ python, requirements, downloads, environment, output });
    });
    await writeFile(join(folder, COMPLETE), '');
    // The packages are installed, so their downloads are no longer needed.
    await removeFolder(downloads);
    return { python, downloadedMb: output.downloadedMb };
  });
}

/** Each combination of packages and Python version has its own folder. */
async function folderName(name: string, requirements: string, { version }: FoundPython): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  return `${name}-${hash.slice(0, 12)}-python${version}`;
}

async function makeVenv(found: FoundPython, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['-m', 'venv', folder];
  const { code, output } = await run({ command: found.path, args, env, timeoutMs: VENV_WITHIN_MS });
  if (code === 0) return;
  const hint = output.includes('ensurepip')
    ? `\nTo get ensurepip, install it (Debian: apt-get install python${found.version}-venv).`
    : '';
  throw new Error(`could not create a virtual environment with ${found.path}:\n${lastLines(output)}${hint}`);
}

async function install(options: {
  python: string;
  requirements: string;
  downloads: string;
  environment: NodeJS.ProcessEnv;
  output: PipOutput;
}): Promise<void> {
  await runOrFail({
    command: options.python,
    args: [
      ...['-m', 'pip', 'install', '--require-hashes', '--only-binary', ':all:', '--progress-bar', 'off'],
      ...['--no-input', '--disable-pip-version-check', '--cache-dir', options.downloads],
      ...['--requirement', options.requirements],
    ],
    // Makes pip print its lines immediately.
    env: { ...options.environment, PYTHONUNBUFFERED: '1' },
    timeoutMs: INSTALL_WITHIN_MS,
    onLine: (line) => options.output.read(line),
  });
}
