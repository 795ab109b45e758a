/** `npm run release`: builds a release's artifacts, but doesn't publish them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { exitWithError } from '../exit-with-error';
import { commandOf, readOptions, UsageFault } from '../options';
import { printProgress } from '../progress';
import { repositoryRoot } from '../stack/repository';
import { NOTES, writeArtifacts, imagesOf } from './artifacts';
import { withRelease, readyRelease, writeVersion } from './readiness';

const COMMAND = commandOf(
  'npm run release --',
  "Writes the clients' packages, a bill of materials, release notes and checksums to release/, and lists the images. It publishes nothing; " +
    'docs/releasing.md describes all steps.',
)
  .addOption(
    new Option('--dry-run', 'release any clean commit, with the notes of [Unreleased]').conflicts('prepare'),
  )
  .option(
    '--prepare <version>',
    'write the version to every file that has it, and move the unreleased entries of CHANGELOG.md below its heading',
  )
  .addHelpText('after', '\nWithout an option, the commit must have the tag v<version>.');

async function main(): Promise<void> {
  const options = readOptions<{ dryRun?: true; prepare?: string }>(COMMAND, process.argv.slice(2));
  if (options === null) return;
  const root = repositoryRoot(process.cwd());
  if (options.prepare !== undefined) prepare(root, options.prepare);
  else await release(root, options.dryRun ?? false);
}

function prepare(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new UsageFault(`"${version}" is not a version: use three numbers, such as 0.2.0.`);
  const path = join(root, 'CHANGELOG.md');
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const changelog = withRelease(readFileSync(path, 'utf8'), version, today);
  writeVersion(root, version);
  writeFileSync(path, changelog);
  console.log(
    `The version is now ${version}. Review the changes, commit them, then run: git tag v${version}`,
  );
}

async function release(root: string, dryRun: boolean): Promise<void> {
  const ready = readyRelease(root, { dryRun });
  const table = await writeArtifacts({
    root,
    folder: join(root, 'release'),
    release: ready,
    environment: process.env,
    onProgress: printProgress(process.stderr),
  });
  const images = imagesOf(root).map(({ name }) => `  ${name}:${ready.version}`);
  console.log(
    [
      `Notes of ${ready.version} (release/${NOTES}):\n\n${ready.notes}`,
      `Images:\n${images.join('\n')}`,
      `Artifacts in release/:\n${table}`,
      'Nothing was published. The workflow .github/workflows/release.yml publishes when the tag is pushed; publishing by hand needs ' +
        'accounts at npm, PyPI and an image registry (docs/releasing.md).',
    ].join('\n\n'),
  );
}

main().catch(exitWithError);
