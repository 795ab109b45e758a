/** CHANGELOG.md, in the form of Keep a Changelog. */
export const UNRELEASED = 'Unreleased';

const HEADING = /^## \[([^\]]+)\].*$/gm;

/** The text below `## [title]`, up to the next heading of its level. Null without the heading, '' without entries. */
export function sectionOf(changelog: string, title: string): string | null {
  const headings = [...changelog.matchAll(HEADING)];
  const at = headings.findIndex(([, found]) => found === title);
  const heading = headings[at];
  if (heading === undefined) return null;
  return changelog.slice(heading.index + heading[0].length, headings[at + 1]?.index).trim();
}

/**
 * The changelog with the unreleased entries under the heading of the version, and with an empty [Unreleased] above it.
 *
 * @throws Error if there are no entries, or the version has a section
 */
export function withRelease(changelog: string, version: string, day: string): string {
  if (!sectionOf(changelog, UNRELEASED)) throw new Error(NO_ENTRIES);
  if (sectionOf(changelog, version) !== null)
    throw new Error(`CHANGELOG.md has a section [${version}] already: choose the next version.`);
  const heading = `## [${UNRELEASED}]`;
  return changelog.replace(heading, `${heading}\n\n## [${version}] - ${day}`);
}

export const NO_ENTRIES =
  'CHANGELOG.md has no entries below "## [Unreleased]": add the heading, and a line for each change that users notice.';
