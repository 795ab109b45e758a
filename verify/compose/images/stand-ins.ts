/** Builds local images under the names in docker-compose.yml and the Dockerfiles, for machines without access to a registry. */
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../../dev/remove-folder';
import { repositoryRoot } from '../../../dev/stack/repository';
import { runOrFail } from '../../../dev/toolchain/run';
import type { Docker } from '../docker';
import { STABLE } from '../engine/debian';
import { baseImage, machinesAuthorities, type Programs } from './bases';

export const PHONES_IMAGE = 'compose-test/phones';
const RECIPES = join(repositoryRoot(), 'verify', 'compose', 'images');
const BUILT_WITHIN_MS = 10 * 60_000;
const AUTHORITIES = '/usr/local/share/authorities.pem';

interface StandIn {
  /** Name in docker-compose.yml or a Dockerfile, without a tag. */
  repository: string;
  recipe: string;
  /** Files of the build context, by path. */
  files?: Readonly<Record<string, string>>;
  arguments?: Readonly<Record<string, string>>;
  /** Adds files to the build context. */
  prepare?: (context: string, tag: string) => Promise<void>;
}

/** Returns `repository:tag` of each image in these files that has a digest. */
export function pinnedImages(texts: readonly string[]): string[] {
  const named = texts.flatMap((text) => [...text.matchAll(/(?:image:|FROM) (\S+?)@sha256:[0-9a-f]{64}/g)]);
  return [...new Set(named.map(([, name = '']) => name))];
}

export const withoutDigests = (text: string): string => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');

/** Builds stand-ins that are missing or whose recipe has changed. */
export async function makeStandIns(
  docker: Docker,
  images: readonly string[],
  programs: Programs,
): Promise<void> {
  const standIns = await standInsOf(programs);
  for (const image of images) {
    const [repository = '', tag = ''] = image.split(':');
    const standIn = standIns.find((each) => each.repository === repository);
    // Images of profiles that aren't used have no stand-in.
    if (standIn !== undefined) await make(docker, standIn, tag);
  }
  await makePhones(docker, baseImage(STABLE));
}

export const makePhones = (docker: Docker, base: string): Promise<void> =>
  make(docker, { repository: PHONES_IMAGE, recipe: 'phones', arguments: { BASE: base } }, 'latest');

async function standInsOf(programs: Programs): Promise<StandIn[]> {
  const registry = await runOrFail({
    command: 'npm',
    args: ['config', 'get', 'registry'],
    timeoutMs: 30_000,
  });
  const authorities = await machinesAuthorities();
  return [
    {
      repository: 'node',
      recipe: 'node',
      arguments: { REGISTRY: registry.trim(), AUTHORITIES: authorities === '' ? '' : AUTHORITIES },
      prepare: async (context, tag) => {
        await unpackNode(context, /^[\d.]+/.exec(tag)?.[0] ?? tag);
        await writeFile(join(context, 'authorities.pem'), authorities);
      },
    },
    {
      repository: 'postgres',
      recipe: 'postgres',
      files: { 'postgres-entrypoint.sh': join(RECIPES, 'postgres-entrypoint.sh') },
    },
    { repository: 'redis', recipe: 'redis' },
    {
      repository: 'temporalio/server',
      recipe: 'temporal-server',
      files: {
        'temporal-server': programs.temporalServer,
        'temporal-server-entrypoint.sh': join(RECIPES, 'temporal-server-entrypoint.sh'),
      },
    },
    {
      repository: 'temporalio/admin-tools',
      recipe: 'temporal-admin-tools',
      files: { 'temporal-sql-tool': programs.temporalSqlTool, temporal: programs.temporal },
    },
    {
      repository: 'temporalio/ui',
      recipe: 'temporal-ui',
      files: {
        'ui-server': programs.temporalUi,
        'temporal-ui-entrypoint.sh': join(RECIPES, 'temporal-ui-entrypoint.sh'),
      },
    },
    {
      repository: 'livekit/livekit-server',
      recipe: 'livekit-server',
      files: { 'livekit-server': programs.livekitServer },
    },
    programs.livekitSip === null
      ? { repository: 'livekit/sip', recipe: 'no-sip' }
      : { repository: 'livekit/sip', recipe: 'sip', files: { 'livekit-sip': programs.livekitSip } },
  ];
}

async function make(docker: Docker, standIn: StandIn, tag: string): Promise<void> {
  const name = `${standIn.repository}:${tag}`;
  const file = join(RECIPES, `${standIn.recipe}.Dockerfile`);
  const args: Record<string, string> = { MAJOR: /^\d+/.exec(tag)?.[0] ?? '', ...standIn.arguments };
  const recipe = await recipeOf(file, standIn, args);
  if ((await labelOf(docker, name)) === recipe) return;
  const context = await mkdtemp(join(tmpdir(), 'stand-in-'));
  try {
    for (const [to, from] of Object.entries(standIn.files ?? {})) await copyFile(from, join(context, to));
    await standIn.prepare?.(context, tag);
    const given = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
    await docker.output(
      [
        'build',
        '--file',
        file,
        '--tag',
        name,
        '--label',
        `recipe=${recipe}`,
        ...given,
        ...proxies(),
        context,
      ],
      { timeoutMs: BUILT_WITHIN_MS },
    );
  } finally {
    await removeFolder(context);
  }
}

/** Returns the machine's proxies. Docker passes them on to builds but doesn't keep them in images. */
export function proxies(): string[] {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
  return names.filter((name) => process.env[name]).flatMap((name) => ['--build-arg', name]);
}

async function recipeOf(file: string, { files = {} }: StandIn, args: object): Promise<string> {
  const hash = createHash('sha256')
    .update(JSON.stringify([files, args]))
    .update(await readFile(file));
  for (const each of Object.values(files)) if (each.endsWith('.sh')) hash.update(await readFile(each));
  return hash.digest('hex').slice(0, 16);
}

async function labelOf(docker: Docker, image: string): Promise<string | null> {
  const format = '{{index .Config.Labels "recipe"}}';
  const { code, output } = await docker.attempt(['image', 'inspect', '--format', format, image]);
  return code === 0 ? output.trim() : null;
}

/** Downloads Node from the npm registry, which has it under the same version. */
async function unpackNode(context: string, version: string): Promise<void> {
  const architecture = process.arch === 'x64' ? 'x64' : 'arm64';
  const packages = { node: `node-linux-${architecture}@${version}`, npm: 'npm@10' };
  for (const [name, wanted] of Object.entries(packages)) {
    const printed = await runOrFail({
      command: 'npm',
      args: ['pack', '--silent', '--pack-destination', context, wanted],
      timeoutMs: BUILT_WITHIN_MS,
      cwd: context,
    });
    const archive = join(context, printed.trim().split('\n').at(-1) ?? '');
    await runOrFail({ command: 'tar', args: ['-xzf', archive, '-C', context], timeoutMs: BUILT_WITHIN_MS });
    const unpacked = join(context, 'package');
    await rename(name === 'node' ? join(unpacked, 'bin', 'node') : unpacked, join(context, name));
    await removeFolder(unpacked);
    await removeFolder(archive);
  }
}
