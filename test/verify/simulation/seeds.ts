import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../../dev/stack/repository';

/** Runs the built program: in Jest's own sandbox a seed takes three times as long. Its output, with the story of a seed that fails. */
export async function simulated(...options: string[]): Promise<string> {
  const program = join(repositoryRoot(), 'dist', 'verify', 'simulation', 'main.js');
  return promisify(execFile)(process.execPath, [program, ...options]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}
