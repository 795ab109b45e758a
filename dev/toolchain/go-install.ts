import { errorText } from '../error-code';
import { delimiter } from 'node:path';
import { missingCommand } from './missing-command';
import { runOrFail } from './run';

/** Where Go's own installer puts it, which is on PATH only after a shell's profile was changed. */
const USUAL_FOLDER = '/usr/local/go/bin';

const BUILT_WITHIN_MS = 20 * 60_000;

/** Builds programs into a folder. Throws an error that says so where Go is not installed. */
export async function goInstall(
  packages: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Promise<void> {
  await runOrFail({
    command: 'go',
    args: ['install', ...packages],
    timeoutMs: BUILT_WITHIN_MS,
    env: {
      ...environment,
      GOBIN: folder,
      PATH: [environment.PATH, USUAL_FOLDER].filter(Boolean).join(delimiter),
    },
    cwd: folder,
  }).catch((cause: unknown) => {
    throw new Error(missingCommand(cause, 'go') ?? errorText(cause), { cause });
  });
}
