/** Builds the packages of the two clients in a temporary folder, so that the work tree doesn't change. */
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { OnProgress } from '../progress';
import { removeFolder } from '../remove-folder';
import { installPythonPackages } from '../toolchain/python-packages';
import { runOrFail } from '../toolchain/run';

const WITHIN_MS = 5 * 60_000;
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
      timeoutMs: WITHIN_MS,
    });
    await copyInto(stage, root, ['sdk/typescript/package.json', 'sdk/typescript/README.md', 'LICENSE']);
    await runOrFail({
      command: 'npm',
      args: ['pack', '--ignore-scripts', '--pack-destination', into],
      cwd: stage,
      timeoutMs: WITHIN_MS,
    });
  });
}

/** Writes the Python client's wheel and sdist to the folder. Files get the commit's time, so that builds are reproducible. */
export async function packPythonClient(options: {
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
      timeoutMs: WITHIN_MS,
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
