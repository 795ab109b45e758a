/** Checks and updates the version in all files that contain it. The version in package.json is authoritative. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
