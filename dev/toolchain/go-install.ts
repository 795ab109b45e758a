import { errorText } from '../error-code';
import { missingCommand } from './missing-command';
import { runOrFail } from './run';

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
    env: { ...environment, GOBIN: folder },
    cwd: folder,
  }).catch((cause: unknown) => {
    throw new Error(missingCommand(cause, 'go') ?? errorText(cause), { cause });
  });
}
