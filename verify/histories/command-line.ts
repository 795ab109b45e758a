import { parseArgs } from 'node:util';

export interface RecorderOptions {
  /** The folder in which this version gets its own folder. */
  into: string;
  /** Name of the version. Null combines the package version and the commit. */
  version: string | null;
}

export type Command = { kind: 'help' } | ({ kind: 'record' } & RecorderOptions) | { kind: 'running' };

export const HELP = `Usage: npm run histories -- [options]

Runs campaigns and calls with every course that a workflow can take on a platform of its own, and stores the histories that Temporal
kept of them, and the sources of the worker that made them. What other versions left is not touched. Takes about three minutes.

  --into FOLDER    default test/workflows/histories
  --version NAME   default <version of the package>-<commit>

With --running it records nothing: it replays every workflow that is open in a Temporal with this build, and changes nothing there.
Temporal is reached by TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the others that the platform's processes read (.env.example).

  --running        status 0: all replay. 1: those that it names would break. 2: it could not be asked
  --help           this text

When to record, and when a history may go: docs/testing.md`;

/** Throws a `TypeError` that names an unknown option, or one that does not go with another. */
export function readCommandLine(args: string[]): Command {
  const { values } = parseArgs({
    args,
    options: {
      into: { type: 'string' },
      version: { type: 'string' },
      running: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { into, version, running = false, help = false } = values;
  if (help) return { kind: 'help' };
  if (!running) return { kind: 'record', into: into ?? 'test/workflows/histories', version: version ?? null };
  if (into !== undefined || version !== undefined) {
    throw new TypeError('--running records nothing, so it cannot be combined with --into or --version');
  }
  return { kind: 'running' };
}
