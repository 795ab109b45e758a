import { delimiter } from 'node:path';
import { run, runOrFail } from './run';

/** Go's own installer uses this folder, which is only on PATH if the user's shell profile adds it. */
const USUAL_FOLDER = '/usr/local/go/bin';

const BUILT_WITHIN_MS = 20 * 60_000;
const ANSWERS_WITHIN_MS = 5_000;
/** Any module works here. Go never takes "latest" from its cache. */
const ASKED_FOR = 'golang.org/x/mod@latest';

/** Builds programs into a folder. Throws a clear error if Go isn't installed. */
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

/**
 * Rejects if Go can't download modules. Tests through Go, because only Go knows the machine's module proxy, HTTP proxy and credentials.
 */
export async function goReachesModules(environment: NodeJS.ProcessEnv): Promise<void> {
  const { code } = await run({
    command: 'go',
    args: ['list', '-m', ASKED_FOR],
    timeoutMs: ANSWERS_WITHIN_MS,
    env: { ...environment, GO111MODULE: 'on', GOFLAGS: '-mod=mod' },
    cwd: '/',
  });
  // The output is omitted, because it may contain the proxy's URL with a password.
  if (code !== 0) throw new Error('its module proxy does not answer');
}
