/** Installs pinned Python packages into a separate virtual environment in the cache folder. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../remove-folder';
import { during, note, type OnProgress } from '../progress';
import { cacheFolder } from './cache-folder';
import { withLock } from './lock';
import { lastLines, run, runOrFail, missingCommand } from './run';
import { errorText } from '../error-text';

export interface PythonPackages {
  /** Interpreter of the virtual environment. */
  python: string;
  /** Megabytes that this call downloaded; 0 if everything was cached. */
  downloadedMb: number;
}

/** Written last. A folder without this file is left over from an interrupted installation. */
const COMPLETE = 'complete';
const INSTALL_TIMEOUT_MS = 30 * 60_000;
const VENV_TIMEOUT_MS = 120_000;

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
  return withLock(`${folder}.lock`, { timeoutMs: INSTALL_TIMEOUT_MS, onWait }, async () => {
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
  const { code, output } = await run({ command: found.path, args, env, timeoutMs: VENV_TIMEOUT_MS });
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
    timeoutMs: INSTALL_TIMEOUT_MS,
    onLine: (line) => options.output.read(line),
  });
}

/** Matches pip's lines about a file. The groups are whether it is downloaded or cached, its name and its size. */
const FILE =
  /^\s*(Downloading|Using cached) (?:.*\/)?([^\s/]+?)(?:\.metadata)? \(([\d.]+) (bytes|kB|MB|GB)\)/;
const BYTES = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9 } as const;
/** Smaller files download too quickly to mention. */
const SHOWN_FROM_BYTES = 1e6;

class PipOutput {
  private bytes = 0;

  constructor(
    private readonly show: (line: string) => void,
    private readonly totalMb: number,
  ) {}

  read(line: string): void {
    const [, verb, file = '', amount, unit] = FILE.exec(line) ?? [];
    if (verb !== 'Downloading') return;
    const bytes = Number(amount) * BYTES[unit as keyof typeof BYTES];
    this.bytes += bytes;
    if (bytes < SHOWN_FROM_BYTES) return;
    const soFar = Math.round(this.bytes / 1e6);
    this.show(`downloading ${packageOf(file)}, ${amount} ${unit} (${soFar} of about ${this.totalMb} MB)`);
  }

  get downloadedMb(): number {
    return Math.round(this.bytes / 1e5) / 10;
  }
}

/** `piper_tts-1.8.0-cp39-….whl` becomes piper-tts 1.8.0. */
function packageOf(file: string): string {
  const [name = file, version = ''] = file.split('-');
  return `${name.replaceAll('_', '-')} ${version}`.trim();
}

interface FoundPython {
  path: string;
  /** Major and minor version, such as `3.11`. Packages are installed for a particular one. */
  version: string;
}

const OLDEST = [3, 10] as const;
/** A newer Python may exist next to an outdated `python3`. */
const PROGRAMS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const PRINT_VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';

/**
 * Returns `PYTHON_PATH`, or the first of the usual programs on PATH that is new enough. `runs` describes in the error what needs Python.
 *
 * @throws Error that explains what was found instead and how to get Python
 */
export async function findPython(environment: NodeJS.ProcessEnv, runs: string): Promise<FoundPython> {
  const configured = environment.PYTHON_PATH;
  const tried: string[] = [];
  for (const path of configured ? [configured] : PROGRAMS) {
    const answer = await versionOf(path, environment);
    if ('fault' in answer) {
      if (answer.fault !== null) tried.push(`${path}: ${answer.fault}`);
      continue;
    }
    return { path, version: answer.version };
  }
  const found = tried.length === 0 ? '' : ` (${tried.join('; ')})`;
  throw new Error(
    `Python ${OLDEST.join('.')} or newer was not found${found}. It is needed for ${runs}.\n` +
      'To get it, install it (Debian: apt-get install python3 python3-venv), or set PYTHON_PATH to the program.',
  );
}

/** `fault` is null if the program doesn't exist, which is worth mentioning only if the user named it. */
async function versionOf(
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ version: string } | { fault: string | null }> {
  try {
    const { code, output } = await run({
      command: path,
      args: ['-c', PRINT_VERSION],
      env: environment,
      timeoutMs: 20_000,
    });
    const match = /^(\d+)\.(\d+)$/m.exec(output);
    if (code !== 0 || match === null) return { fault: 'it does not run' };
    const [, major, minor] = match.map(Number);
    const isOld = major !== OLDEST[0] || (minor ?? 0) < OLDEST[1];
    return isOld ? { fault: `it is ${match[0]}` } : { version: match[0] };
  } catch (error) {
    const isNamed = path === environment.PYTHON_PATH;
    return {
      fault:
        missingCommand(error, path) === null ? errorText(error) : isNamed ? 'there is no such program' : null,
    };
  }
}
