import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { publish } from './published';

const RUNS_THE_CLIENT = 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)';

/** Treats Python like a server: locates it, or reports it as missing. */
export async function openPython(): Promise<void> {
  const path = process.env.PYTHON_PATH ?? 'python3';
  try {
    await promisify(execFile)(path, ['-c', RUNS_THE_CLIENT]);
    publish('TEST_PYTHON', path);
  } catch {
    const remedy = 'Install it (Debian: apt-get install python3), or set PYTHON_PATH to the program.';
    publish('TEST_MISSING_python', `Python 3.11 or newer was not found as "${path}". ${remedy}`);
  }
}
