/** Reads and updates CHANGELOG.md, which follows Keep a Changelog. */
export const UNRELEASED = 'Unreleased';

const HEADING = /^## \[([^\]]+)\].*$/gm;

/**
 * Returns the text below `## [title]`, up to the next heading of the same level. Returns null if there is no such heading, and '' if it has
 * no entries.
 */
export function sectionOf(changelog: string, title: string): string | null {
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

export const NO_ENTRIES =
  'CHANGELOG.md has no entries below "## [Unreleased]": add the heading and a line for each change that users notice.';
