/** Creates the base images of the stand-ins, and finds or builds the programs inside them. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../../dev/error-text';
import { removeFolder } from '../../../dev/remove-folder';
import {
  findTool,
  type FoundTool,
  goInstall,
  printedVersion,
  type Tool,
  type ToolSearch,
} from '../../../dev/toolchain/find-tool';
import { livekitServer } from '../../../dev/toolchain/media-tools';
import { run, runOrFail } from '../../../dev/toolchain/run';
import { livekitSip } from '../../../dev/toolchain/media-tools';
import { temporalCli } from '../../../dev/toolchain/temporal-tools';
import { sqlToolBeside, temporalServer } from '../../../dev/toolchain/temporal-tools';
import type { Docker } from '../docker';
import { STABLE, TESTING } from '../engine/debian';
import { KEYRING } from '../engine/machine';

const MADE_WITHIN_MS = 15 * 60_000;

export const baseImage = (suite: string): string => `compose-test/${suite}`;

interface BaseOptions {
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

const UI_VERSION = 'v2.49.1';
const UI_PACKAGE = `github.com/temporalio/ui-server/v2/cmd/server@${UI_VERSION}`;
const UI_PROGRAM = 'ui-server';

const temporalUi: Tool = {
  title: "Temporal's Web UI",
  variable: 'TEMPORAL_UI_PATH',
  program: UI_PROGRAM,
  cacheName: `temporal-ui-${UI_VERSION}`,
  vendorArtifact: null,
  remedy: `install Go, which then builds ${UI_PACKAGE}`,
  verify: async (path, environment) =>
    (await printedVersion({ pattern: /version (\d+)\.(\d+)\.\d+/ }, { path, environment })).whole,
  build: {
    title: "building Temporal's Web UI with go, about 2 minutes",
    commands: ['go'],
    into: async (folder, environment) => {
      await goInstall([UI_PACKAGE], { folder, environment });
      await rename(join(folder, 'server'), join(folder, UI_PROGRAM));
    },
  },
};

export interface Programs {
  temporalServer: string;
  temporalSqlTool: string;
  temporal: string;
  temporalUi: string;
  livekitServer: string;
  /** Null if the machine has none, because it can't be installed from Go's module proxy. */
  livekitSip: string | null;
  /** Why `livekitSip` is null. */
  withoutBridge: string;
}

/** May build with Go for minutes. Builds run one at a time, because each uses all processors. */
export async function findPrograms(search: Omit<ToolSearch, 'configuredPath'>): Promise<Programs> {
  const find = (tool: Tool): Promise<FoundTool> =>
    findTool(tool, { ...search, configuredPath: search.environment[tool.variable] });
  const server = (await find(temporalServer)).path;
  let withoutBridge = '';
  return {
    temporalServer: server,
    temporalSqlTool: sqlToolBeside(server),
    temporal: (await find(temporalCli)).path,
    temporalUi: (await find(temporalUi)).path,
    livekitServer: (await find(livekitServer)).path,
    livekitSip: await find(livekitSip).then(
      ({ path }) => path,
      (error: unknown) => ((withoutBridge = errorText(error)), null),
    ),
    withoutBridge,
  };
}
