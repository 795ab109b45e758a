/** Checks whether a commit can be released, and reads the release notes. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_ENTRIES, sectionOf, UNRELEASED } from './changelog';
import { versionFaults, versionOf } from './versions';

export interface Release {
  version: string;
  notes: string;
}

/** @throws Error that lists every fault with its remedy */
export function readyRelease(root: string, { dryRun }: { dryRun: boolean }): Release {
  const version = versionOf(root);
  const notes = notesOf(root, version, dryRun);
  const faults = [
    ...workTreeFaults(root),
    ...versionFaults(root),
    ...('fault' in notes ? [notes.fault] : []),
    ...(dryRun ? [] : tagFaults(root, version)),
  ];
  if (faults.length === 0 && 'text' in notes) return { version, notes: notes.text };
  const list = faults.map((fault) => `- ${fault}`).join('\n');
  const hint = dryRun ? '' : '\nTo preview the release, run: npm run release -- --dry-run';
  throw new Error(`${version} cannot be released from this commit:\n${list}${hint}`);
}

/** A dry run uses the unreleased notes. A release uses the section of its version. */
function notesOf(root: string, version: string, dryRun: boolean): { text: string } | { fault: string } {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const unreleased = dryRun ? sectionOf(changelog, UNRELEASED) : null;
  const text = unreleased || sectionOf(changelog, version);
  if (text) return { text };
  if (dryRun) return { fault: NO_ENTRIES };
  return {
    fault: `CHANGELOG.md has no section [${version}]: run "npm run release -- --prepare ${version}" and commit the result.`,
  };
}

function workTreeFaults(root: string): string[] {
  const files = git(root, 'status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
  if (files.length === 0) return [];
  const named = files.slice(0, 5).join(', ') + (files.length > 5 ? ', …' : '');
  return [`The work tree has changes (${named}): commit them or stash them with "git stash -u".`];
}

function tagFaults(root: string, version: string): string[] {
  const tag = `v${version}`;
  if (git(root, 'tag', '--points-at', 'HEAD').split('\n').includes(tag)) return [];
  return [`HEAD lacks the tag ${tag}: check out the tagged commit, or tag this one with "git tag ${tag}".`];
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
