/** Writes the folder `release/`: every artifact and the checksums. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { during, type OnProgress } from '../progress';
import { removeFolder } from '../remove-folder';
import { billOfMaterials } from './bill-of-materials';
import { packPythonClient, packTypescriptClient } from './clients';
import { git, type Release } from './readiness';

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
