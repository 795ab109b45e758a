/** Writes the folder `release/`: every artifact and the checksums. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile, cp, mkdtemp } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { tmpdir } from 'node:os';
import { during, type OnProgress } from '../progress';
import { removeFolder } from '../remove-folder';
import { git, type Release } from './readiness';
import { installPythonPackages } from '../toolchain/python-packages';
import { runOrFail } from '../toolchain/run';

export const NOTES = 'NOTES.md';
const NAME = 'voice-agent-platform';

/** Replaces the folder and returns a table of its artifacts. */
export async function writeArtifacts(options: {
  root: string;
  folder: string;
  release: Release;
  environment: NodeJS.ProcessEnv;
  onProgress: OnProgress;
}): Promise<string> {
  const { root, folder: into, release, environment, onProgress } = options;
  await removeFolder(into);
  await mkdir(into, { recursive: true });
  await writeFile(join(into, NOTES), `${release.notes}\n`);
  await during(onProgress, 'the bill of materials', async () => {
    const bill = await billOfMaterials(root, NAME);
    await writeFile(join(into, `${NAME}-${release.version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  });
  await during(onProgress, 'the TypeScript client', () => packTypescriptClient(root, into));
  const commitTimeS = Number(git(root, 'log', '-1', '--format=%ct'));
  await during(onProgress, 'the Python client', () =>
    packPythonClient({ root, into, commitTimeS, environment, onProgress }),
  );
  return writeChecksums(into);
}

/** Writes SHA256SUMS in the format of `sha256sum --check`. */
async function writeChecksums(folder: string): Promise<string> {
  const files = (await readdir(folder)).sort();
  const artifacts = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file));
      return { file, size: bytes.length, digest: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  const sums = artifacts.map(({ file, digest }) => `${digest}  ${file}\n`);
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  const rows = artifacts.map(
    ({ file, size, digest }) => `${digest}  ${(size / 1000).toFixed(1).padStart(8)}  ${file}`,
  );
  return [`${'SHA-256'.padEnd(64)}  ${'kB'.padStart(8)}  artifact`, ...rows].join('\n');
}

const FOR_DEVELOPMENT = 'cdx:npm:package:development';

interface Component {
  'bom-ref': string;
  name: string;
  properties?: { name: string }[];
}

interface BillOfMaterials {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/**
 * Lists the packages that the product uses at run time. npm's `--omit dev` would also drop packages that a development tool shares with the
 * product, such as pg.
 */
export async function billOfMaterials(root: string, name: string): Promise<BillOfMaterials> {
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = JSON.parse(stdout) as BillOfMaterials;
  const isShippedProfile = ({ properties = [] }: Component): boolean =>
    !properties.some((property) => property.name === FOR_DEVELOPMENT);
  const components = all.components.filter(isShippedProfile);
  const kept = new Set([all.metadata.component, ...components].map((one) => one['bom-ref']));
  return {
    ...all,
    // By default, npm uses the folder's name.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })),
  };
}

interface Compose {
  services: Record<string, { image?: string; build?: { dockerfile: string } }>;
}

/** Returns the images that docker-compose.yml builds. They are tagged with the version. */
export function imagesOf(root: string): { name: string; dockerfile: string }[] {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true, maxAliasCount: -1 }) as Compose;
  const built = Object.values(services).flatMap(({ image = '', build }) =>
    build === undefined ? [] : [[image.replace(/:.*$/, ''), build.dockerfile] as const],
  );
  return [...new Map(built)].map(([name, dockerfile]) => ({ name, dockerfile }));
}

const TIMEOUT_MS = 5 * 60_000;
/** Both build steps change `sys.argv`, so the argument is read before them. */
const BUILD_PYTHON =
  'import sys; from setuptools.build_meta import *; into = sys.argv[1]; build_sdist(into); build_wheel(into)';

/** Writes the tarball of the TypeScript client to the folder. */
export function packTypescriptClient(root: string, into: string): Promise<void> {
  return inTemporaryFolder(async (stage) => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    await runOrFail({
      command: process.execPath,
      args: [compiler, '-p', 'sdk/typescript', '--outDir', join(stage, 'dist')],
      cwd: root,
      timeoutMs: TIMEOUT_MS,
    });
    await copyInto(stage, root, ['sdk/typescript/package.json', 'sdk/typescript/README.md', 'LICENSE']);
    await runOrFail({
      command: 'npm',
      args: ['pack', '--ignore-scripts', '--pack-destination', into],
      cwd: stage,
      timeoutMs: TIMEOUT_MS,
    });
  });
}

/** Writes the Python client's wheel and sdist to the folder. Files get the commit's time, so that builds are reproducible. */
async function packPythonClient(options: {
  root: string;
  into: string;
  commitTimeS: number;
  environment: NodeJS.ProcessEnv;
  onProgress: OnProgress;
}): Promise<void> {
  const { root, into, commitTimeS, environment, onProgress } = options;
  const { python } = await installPythonPackages({
    name: 'setuptools',
    title: 'setuptools',
    downloadMb: 1,
    requirements: join(root, 'dev/release/requirements.txt'),
    environment,
    onProgress,
  });
  await inTemporaryFolder(async (stage) => {
    const files = ['pyproject.toml', 'README.md', 'voice_agent_platform'];
    await copyInto(stage, root, [...files.map((file) => `sdk/python/${file}`), 'LICENSE']);
    await runOrFail({
      command: python,
      args: ['-c', BUILD_PYTHON, into],
      env: { ...environment, SOURCE_DATE_EPOCH: String(commitTimeS) },
      cwd: stage,
      timeoutMs: TIMEOUT_MS,
    });
  });
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'voice-agent-platform-release-'));
  try {
    await work(folder);
  } finally {
    await removeFolder(folder);
  }
}

function copyInto(folder: string, root: string, files: string[]): Promise<unknown> {
  const copy = (file: string) => cp(join(root, file), join(folder, basename(file)), { recursive: true });
  return Promise.all(files.map(copy));
}
