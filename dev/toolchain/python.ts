/** Finds a Python interpreter. Python must be installed as a system package; this neither downloads nor builds it. */
import { errorText } from '../error-text';
import { missingCommand } from './missing-command';
import { run } from './run';

export interface FoundPython {
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
