import { parseArgs } from 'node:util';

export interface RecorderOptions {
  /** The folder in which this version gets its own folder. */
  into: string;
  /** Name of the version. Null combines the package version and the commit. */
  version: string | null;
}

export type Command = { kind: 'help' } | ({ kind: 'record' } & RecorderOptions) | { kind: 'running' };

export const HELP = `Usage: npm run histories -- [options]

Runs campaigns and calls through every course of the workflows on a private platform, and stores their Temporal histories with the sources
of the worker that ran them. Recordings of other versions are kept. Takes about three minutes.

  --into FOLDER    target folder (default test/workflows/histories)
  --version NAME   name of the version (default <package version>-<commit>)

With --running it records nothing. It replays every open workflow of a Temporal server with this build, and changes nothing there. It finds
Temporal through TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the platform's other variables (.env.example).

  --running        exit status 0: all replay. 1: the named workflows would break. 2: Temporal did not answer
  --help           print this text

When to record, and when to delete a history: docs/testing.md`;

/** Throws a `TypeError` that names the option if it is unknown or can't be combined with another. */
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
