import { delimiter } from 'node:path';
import { run, runOrFail } from './run';

/** Where Go's own installer puts it, which is on PATH only after a shell's profile was changed. */
const USUAL_FOLDER = '/usr/local/go/bin';

const BUILT_WITHIN_MS = 20 * 60_000;
const ANSWERS_WITHIN_MS = 5_000;
/** Any would do. "latest" is never answered from Go's cache. */
const ASKED_FOR = 'golang.org/x/mod@latest';

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
  });
}

/** Rejects when Go does not reach modules: only it knows the machine's module proxy, HTTP proxy and log-in. */
export async function goReachesModules(environment: NodeJS.ProcessEnv): Promise<void> {
  const { code } = await run({
    command: 'go',
    args: ['list', '-m', ASKED_FOR],
    timeoutMs: ANSWERS_WITHIN_MS,
    env: { ...environment, GO111MODULE: 'on', GOFLAGS: '-mod=mod' },
    cwd: '/',
  });
  // What it prints may hold the proxy's address, and with it a password.
  if (code !== 0) throw new Error('its module proxy does not answer');
}
