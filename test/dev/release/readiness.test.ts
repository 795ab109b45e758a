import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  withRelease,
  readyRelease,
  PLACES,
  versionFaults,
  versionOf,
  writeVersion,
} from '../../../dev/release/readiness';
import { root } from '../deploy/compose-file';
import { CHANGELOG, commit, inGit, releasable, write } from './repository';

const version = versionOf(root);
const textOf = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

test('finds the same version in the manifests, the lock file, both clients, the MCP server and the API documents', () => {
  expect(versionFaults(root)).toEqual([]);
});

describe('a dry run', () => {
  test('uses the unreleased entries as release notes', () => {
    expect(readyRelease(releasable(), { dryRun: true })).toEqual({
      version,
      notes: '### Added\n\n- A first thing.',
    });
  });

  test('rejects a work tree with changes and names the files', () => {
    const folder = releasable();
    write(folder, 'new.ts', '');
    expect(() => readyRelease(folder, { dryRun: true })).toThrow(
      'The work tree has changes (new.ts): commit them or stash them with "git stash -u".',
    );
  });

  test('reports all faults at once', () => {
    const folder = releasable();
    write(folder, 'CHANGELOG.md', '');
    expect(() => readyRelease(folder, { dryRun: true })).toThrow(
      /cannot be released from this commit:\n- The work tree .*\n- CHANGELOG\.md /,
    );
  });
});

describe('a release', () => {
  test('rejects a commit that lacks the tag and a changelog section for its version', () => {
    expect(() => readyRelease(releasable(), { dryRun: false })).toThrow(
      `${version} cannot be released from this commit:\n` +
        `- CHANGELOG.md has no section [${version}]: run "npm run release -- --prepare ${version}" and commit the result.\n` +
        `- HEAD lacks the tag v${version}: check out the tagged commit, or tag this one with "git tag v${version}".\n` +
        'To preview the release, run: npm run release -- --dry-run',
    );
  });

  test("uses the version's changelog section for a tagged commit", () => {
    const folder = releasable();
    write(folder, 'CHANGELOG.md', withRelease(CHANGELOG, version, '2026-12-01'));
    commit(folder);
    inGit(folder, 'tag', `v${version}`);
    expect(readyRelease(folder, { dryRun: false })).toMatchObject({ notes: '### Added\n\n- A first thing.' });
  });
});

describe('preparing a version', () => {
  test('writes the version to every file that contains it and changes nothing else', () => {
    const folder = releasable();
    writeVersion(folder, '9.9.9');
    for (const [file] of PLACES) {
      const lines = textOf(folder, file).split('\n');
      const before = textOf(root, file).split('\n');
      const changed = lines.filter((line, index) => line !== before[index]);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.filter((line) => !line.includes('9.9.9'))).toEqual([]);
      expect(lines).toHaveLength(before.length);
    }
    expect(versionFaults(folder)).toEqual([]);
  });
});
