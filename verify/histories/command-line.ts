import { Option } from 'commander';
import { commandOf, readOptions } from '../../dev/options';

export interface RecorderOptions {
  /** Parent of this version's folder. */
  into: string;
  /** Name of the version. If null, the name combines the package version and the commit. */
  version: string | null;
}

export type Command = ({ kind: 'record' } & RecorderOptions) | { kind: 'running' };

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option. */
export function readCommandLine(args: string[]): Command | null {
  const command = commandOf(
    'npm run histories --',
    'Runs campaigns and calls through every course of the workflows on a private platform, and stores their Temporal histories with the sources of the ' +
      'worker that ran them. Recordings of other versions are kept. Takes about three minutes.',
  )
    .option('--into <folder>', 'target folder', 'test/workflows/histories')
    .option('--version <name>', 'name of the version; default: <package version>-<commit>')
    .addOption(
      new Option(
        '--running',
        'record nothing, but replay every open workflow of a Temporal server with this build, which changes nothing there',
      ).conflicts(['into', 'version']),
    )
    .addHelpText(
      'after',
      `
With --running it finds Temporal through TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the platform's other variables (.env.example).
Exit status 0: all replay. 1: the named workflows would break. 2: Temporal did not answer.

When to record, and when to delete a history: docs/testing.md`,
    );
  const values = readOptions<{ into: string; version?: string; running?: true }>(command, args);
  if (values === null) return null;
  const { into, version = null, running } = values;
  return running ? { kind: 'running' } : { kind: 'record', into, version };
}
