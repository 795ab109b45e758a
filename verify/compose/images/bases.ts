/** Creates the base images of the stand-ins: small Debian systems made by debootstrap. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { run, runOrFail } from '../../../dev/toolchain/run';
import type { Docker } from '../docker';
import { KEYRING, STABLE, TESTING } from '../engine/debian';

const MADE_WITHIN_MS = 15 * 60_000;

export const baseImage = (suite: string): string => `compose-test/${suite}`;

export interface BaseOptions {
  docker: Docker;
  /** Folder with the engine's programs. */
  folder: string;
  mirror: string;
}

/** Creates missing base images in parallel. */
export async function makeBases(options: BaseOptions): Promise<void> {
  await Promise.all(
    [STABLE, TESTING].map(async (suite) => {
      if (!(await options.docker.imageExists(baseImage(suite)))) await makeBase(suite, options);
    }),
  );
}

async function makeBase(suite: string, { docker, folder, mirror }: BaseOptions): Promise<void> {
  const root = join(folder, `root-of-${suite}`);
  const archive = `${root}.tar`;
  await removeFolder(root);
  await mkdir(root);
  const programs = join(folder, 'programs', 'usr');
  const { LD_LIBRARY_PATH: _engines, ...environment } = docker.environment;
  await runOrFail({
    command: join(programs, 'sbin', 'debootstrap'),
    args: ['--variant=minbase', `--keyring=${KEYRING}`, suite, root, mirror],
    timeoutMs: MADE_WITHIN_MS,
    env: { ...environment, DEBOOTSTRAP_DIR: join(programs, 'share', 'debootstrap') },
  });
  await writeFile(join(root, 'etc', 'apt', 'apt.conf.d', '99-machine'), await machinesAptOptions());
  const args = [
    '--directory',
    root,
    '--exclude=./var/cache/apt/archives/*.deb',
    '--create',
    '--file',
    archive,
    '.',
  ];
  await runOrFail({ command: 'tar', args, timeoutMs: MADE_WITHIN_MS });
  await docker.output(['import', archive, baseImage(suite)], { timeoutMs: MADE_WITHIN_MS });
  await rm(archive);
  await removeFolder(root);
}

/** Returns the options with which the machine's apt reaches its mirror, such as proxies. */
async function machinesAptOptions(): Promise<string> {
  const { output } = await run({ command: 'apt-config', args: ['dump'], timeoutMs: 30_000 });
  const lines = output.split('\n').filter((line) => /^Acquire::https?::\S+ ".+";$/.test(line));
  return [...lines, 'Acquire::Check-Valid-Until "false";', ''].join('\n');
}

/** Returns additional certificates that the machine's Node trusts, or an empty string. */
export async function machinesAuthorities(): Promise<string> {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  return file ? readFile(file, 'utf8').catch(() => '') : '';
}
