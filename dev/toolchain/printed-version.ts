import { run } from './run';

interface VersionWanted {
  /** Finds the version in the output. Its groups are the parts to compare, from most to least significant. */
  pattern: RegExp;
  /** Oldest accepted version; any by default. */
  oldest?: readonly number[];
  /** Prefix of the message about an old version. */
  of?: string;
  /** Argument that prints the version; `--version` by default. */
  argument?: string;
}

/** Returns the version that a program prints, as the pattern matches it. Throws if there is no match or the version is too old. */
export async function printedVersion(
  { pattern, oldest = [], of = '', argument = '--version' }: VersionWanted,
  { path, environment }: { path: string; environment: NodeJS.ProcessEnv },
): Promise<{ found: string; whole: string }> {
  const { output } = await run({ command: path, args: [argument], timeoutMs: 20_000, env: environment });
  const match = pattern.exec(output);
  if (match === null) {
    const [line = ''] = output.trim().split('\n');
    throw new Error(`${argument} printed ${line === '' ? 'nothing' : `"${line.slice(0, 80)}"`}`);
  }
  const version = match.slice(1).map(Number);
  if (isOlder(version, oldest))
    throw new Error(`${of}${version.join('.')} is older than ${oldest.join('.')}`);
  return { found: match[0], whole: output.trim() };
}

function isOlder(version: readonly number[], oldest: readonly number[]): boolean {
  const differing = oldest.findIndex((part, index) => version[index] !== part);
  return differing !== -1 && (version[differing] ?? 0) < (oldest[differing] ?? 0);
}
