/** Creates a small repository that `npm run release` accepts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLACES } from '../../../dev/release/readiness';
import { root } from '../deploy/compose-file';
import { temporaryFolder } from '../temporary-folder';

export const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A first thing.\n';

/** It contains a changelog and every file of the project that holds the version. */
export function releasable(): string {
  const folder = temporaryFolder();
  for (const [file] of PLACES) write(folder, file, readFileSync(join(root, file), 'utf8'));
  write(folder, 'CHANGELOG.md', CHANGELOG);
  inGit(folder, 'init', '--quiet');
  commit(folder);
  return folder;
}

export function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

export function commit(folder: string): void {
  inGit(folder, 'add', '--all');
  inGit(folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.test', 'commit', '--quiet', '-m', 'x');
}

export function inGit(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}
