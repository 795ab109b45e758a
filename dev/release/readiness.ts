/** Checks whether a commit can be released, and reads the release notes. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Reads and updates CHANGELOG.md, which follows Keep a Changelog. */
const UNRELEASED = 'Unreleased';

const HEADING = /^## \[([^\]]+)\].*$/gm;

/**
 * Returns the text below `## [title]`, up to the next heading of the same level. Returns null if there is no such heading, and '' if it has
 * no entries.
 */
function sectionOf(changelog: string, title: string): string | null {
  const headings = [...changelog.matchAll(HEADING)];
  const at = headings.findIndex(([, found]) => found === title);
  const heading = headings[at];
  if (heading === undefined) return null;
  return changelog.slice(heading.index + heading[0].length, headings[at + 1]?.index).trim();
}

/**
 * Moves the unreleased entries below a heading for the version and leaves an empty [Unreleased] above it.
 *
 * @throws Error if there are no entries, or the version already has a section
 */
export function withRelease(changelog: string, version: string, day: string): string {
  if (!sectionOf(changelog, UNRELEASED)) throw new Error(NO_ENTRIES);
  if (sectionOf(changelog, version) !== null)
    throw new Error(`CHANGELOG.md already has a section [${version}]: choose the next version.`);
  const heading = `## [${UNRELEASED}]`;
  return changelog.replace(heading, `${heading}\n\n## [${version}] - ${day}`);
}

const NO_ENTRIES =
  'CHANGELOG.md has no entries below "## [Unreleased]": add the heading and a line for each change that users notice.';

const MANIFEST = /^ {2}"version": "([^"]+)"/gm;

/** Each pattern has one group, which matches the version. A pattern may match several times in a file. */
export const PLACES: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', MANIFEST],
  ['package-lock.json', /"name": "voice-agent-platform[^"]*",\s+"version": "([^"]+)"/g],
  ['agent/package.json', MANIFEST],
  ['console/package.json', MANIFEST],
  ['mcp/package.json', MANIFEST],
  ['mcp/server.ts', /name: 'voice-agent-platform', version: '([^']+)'/g],
  ['sdk/typescript/package.json', MANIFEST],
  ['sdk/python/pyproject.toml', /^version = "([^"]+)"/gm],
  ['api/http/openapi/document.ts', /^const VERSION = '([^']+)'/gm],
  ['docs/asyncapi.json', /^ {4}"version": "([^"]+)"/gm],
];

function versionsIn(root: string, [file, pattern]: (typeof PLACES)[number]): string[] {
  const found = readFileSync(join(root, file), 'utf8').matchAll(pattern);
  const versions = [...new Set([...found].map(([, version = '']) => version))];
  if (versions.length > 0) return versions;
  throw new Error(
    `${file} has no version that matches dev/release/versions.ts: correct the file or the pattern.`,
  );
}

export const versionOf = (root: string): string => versionsIn(root, ['package.json', MANIFEST])[0] ?? '';

/** Returns a sentence for each file whose version differs from package.json. */
export function versionFaults(root: string): string[] {
  const version = versionOf(root);
  return PLACES.map((place) => [place[0], versionsIn(root, place).join(' and ')] as const)
    .filter(([, found]) => found !== version)
    .map(([file, found]) => `${file} has version ${found}, package.json has ${version}: make them equal.`);
}

/** @throws Error before it writes anything, if a file doesn't contain the version */
export function writeVersion(root: string, version: string): void {
  const texts = PLACES.map((place) => {
    const path = join(root, place[0]);
    versionsIn(root, place);
    const replaced = (whole: string, old: string): string => whole.replace(old, version);
    return [path, readFileSync(path, 'utf8').replace(place[1], replaced)] as const;
  });
  for (const [path, text] of texts) writeFileSync(path, text);
}
