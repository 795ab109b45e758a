import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../../dev/stack/repository';

/** Runs the built program, because a seed takes three times as long inside Jest. Returns its output, with the story of a failed seed. */
export async function simulated(...options: string[]): Promise<string> {
  const program = join(repositoryRoot(), 'dist', 'verify', 'simulation', 'main.js');
  return promisify(execFile)(process.execPath, [program, ...options]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}
