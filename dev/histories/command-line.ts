import { parseArgs } from 'node:util';

export interface RecorderOptions {
  /** The folder that gets a folder for this version. */
  into: string;
  /** Name of the version; null takes the package's version and the commit. */
  version: string | null;
}

export const HELP = `Usage: node dist/dev/histories/main.js [options]

Runs campaigns and calls with every course that a workflow can take on a platform of its own, and stores the histories that Temporal
kept of them, and the sources of the worker that made them. What other versions left is not touched. Takes about three minutes.

  --into FOLDER    default test/workflows/histories
  --version NAME   default <version of the package>-<commit>
  --help           this text

When to record, and when a history may go: docs/testing.md`;

/** Null for help. Throws a `TypeError` that names an option it does not know. */
export function readCommandLine(args: string[]): RecorderOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      into: { type: 'string' },
      version: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  return { into: values.into ?? 'test/workflows/histories', version: values.version ?? null };
}
