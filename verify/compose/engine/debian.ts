/** Downloads Debian packages with apt into a local folder and unpacks them there, without installing them. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { run, runOrFail } from '../../../dev/toolchain/run';
import { CannotRun, KEYRING } from './machine';

export const STABLE = 'bookworm';
export const TESTING = 'testing';

/** The engine comes from Debian testing. Programs that must run with the machine's older glibc come from bookworm. */
const PACKAGES = {
  [TESTING]: [
    ...['docker.io', 'docker-cli', 'containerd', 'docker-buildx', 'docker-compose', 'tini-static'],
    'debootstrap',
  ],
  [STABLE]: [
    ...['runc', 'libseccomp2', 'iptables', 'libip4tc2', 'libip6tc2', 'libxtables12', 'libmnl0', 'libnftnl11'],
    ...['libnetfilter-conntrack3', 'libnfnetlink0'],
  ],
};

const DOWNLOADED_WITHIN_MS = 5 * 60_000;

/** Returns the address of the Debian mirror that the machine's apt uses. */
export async function debianMirror(): Promise<string> {
  const format = '$(ORIGIN) $(COMPONENT) $(SUITE) $(REPO_URI)';
  const { code, output } = await run({
    command: 'apt-get',
    args: ['indextargets', '--format', format, 'Created-By: Packages'],
    timeoutMs: 30_000,
  });
  const uri = code === 0 ? mirrorIn(output) : null;
  if (uri === null) {
    throw new CannotRun(
      'apt has no index of Debian\'s section "main". Run "apt-get update" on a Debian machine; sources of other systems do not serve.',
    );
  }
  return uri;
}

/** Takes the first line for Debian's main archive, because security and update suites lack most packages. */
function mirrorIn(output: string): string | null {
  return /^Debian main (?!\S*(?:-security|-updates|-backports))\S+ (\S+)$/m.exec(output)?.[1] ?? null;
}

/** Unpacks the engine's packages unless `folder` already has them. */
export async function unpackEngine(folder: string, mirror: string): Promise<void> {
  if (existsSync(folder)) return;
  const made = `${folder}.new`;
  const apt = `${folder}.apt`;
  await Promise.all([removeFolder(made), removeFolder(apt)]);
  await mkdir(join(apt, 'lists', 'partial'), { recursive: true });
  await mkdir(join(apt, 'packages'));
  const suites = Object.keys(PACKAGES);
  const sources = suites.map((suite) => `deb [signed-by=${KEYRING}] ${mirror} ${suite} main\n`);
  await writeFile(join(apt, 'sources.list'), sources.join(''));
  const get = (...args: string[]) =>
    runOrFail({
      command: 'apt-get',
      args: [...optionsFor(apt), ...args],
      timeoutMs: DOWNLOADED_WITHIN_MS,
      env: { ...process.env, LC_ALL: 'C' },
      cwd: join(apt, 'packages'),
    });
  await get('update');
  await get(
    'download',
    ...Object.entries(PACKAGES).flatMap(([suite, names]) => names.map((n) => `${n}/${suite}`)),
  );
  await mkdir(made);
  for (const name of await readdir(join(apt, 'packages'))) {
    const args = ['--extract', join(apt, 'packages', name), made];
    await runOrFail({ command: 'dpkg-deb', args, timeoutMs: DOWNLOADED_WITHIN_MS });
  }
  await removeFolder(apt);
  await rename(made, folder);
}

/** Keeps all of apt's state in `apt`. The machine's proxies and certificates apply. */
const optionsFor = (apt: string): string[] =>
  [
    `Dir::State=${apt}`,
    `Dir::State::Lists=${apt}/lists`,
    'Dir::State::status=/dev/null',
    `Dir::Cache=${apt}`,
    `Dir::Etc::sourcelist=${apt}/sources.list`,
    'Dir::Etc::sourceparts=-',
    'Dir::Etc::preferences=/dev/null',
    'Dir::Etc::preferencesparts=/dev/null',
    'APT::Sandbox::User=root',
    'Acquire::Check-Valid-Until=false',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
    'Acquire::Languages=none',
  ].flatMap((option) => ['--option', option]);
