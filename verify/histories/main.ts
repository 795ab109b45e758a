/** `npm run histories`: records workflow histories, or replays a Temporal server's open workflows. */
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../../dev/demo/interruption';
import { errorText } from '../../dev/error-text';
import { commandOf, readOptions } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { removeFolder } from '../../dev/remove-folder';
import { ClosingOrder } from '../../dev/stack/closing';
import { repositoryRoot } from '../../dev/stack/repository';
import { Recording } from './recording';
import { replayWithThisBuild } from './running/main';
import { type Act, ACTS } from './scenes';
import { packSources, recordedCommit, SOURCES_FILE } from './sources';
import { openStage } from './stage';

interface RecorderOptions {
  /** Parent of this version's folder. */
  into: string;
  /** Name of the version. If null, the name combines the package version and the commit. */
  version: string | null;
}

type Command = ({ kind: 'record' } & RecorderOptions) | { kind: 'running' };

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option. */
function readCommandLine(args: string[]): Command | null {
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

async function recordHistories(options: RecorderOptions, signal: AbortSignal): Promise<void> {
  const commit = await recordedCommit(repositoryRoot());
  const folder = await folderOf(options, commit);
  // Uses a temporary name until the recording is complete, so that a partial recording isn't mistaken for a complete one.
  const unfinished = `${folder}.unfinished`;
  await removeFolder(unfinished);
  await mkdir(unfinished, { recursive: true });
  try {
    let histories = 0;
    for (const act of ACTS) histories += await record(act, unfinished, signal);
    await packSources(repositoryRoot(), { commit, folder: unfinished });
    await rename(unfinished, folder);
    console.log(`${histories} histories in ${folder}`);
  } finally {
    await removeFolder(unfinished);
  }
}

/** Returns the number of recorded histories. */
async function record({ hasModel, scenes }: Act, folder: string, signal: AbortSignal): Promise<number> {
  const closing = new ClosingOrder();
  try {
    const stage = await openStage({
      environment: process.env,
      onProgress: printProgress(process.stderr),
      signal,
      closing,
      hasModel,
    });
    const recording = new Recording(stage.temporal.workflow, folder);
    await Promise.all(scenes.map((scene) => scene(stage, recording)));
    return recording.names.length;
  } finally {
    await closing.close();
  }
}

async function folderOf({ into, version }: RecorderOptions, commit: string): Promise<string> {
  const folder = resolve(into, version ?? (await versionHere(commit)));
  const taken = await readFile(join(folder, SOURCES_FILE)).then(
    () => true,
    () => false,
  );
  if (taken) throw new Error(`${folder} already exists: choose another --version or remove it`);
  return folder;
}

/** For example `0.1.0-1ab3b86`. */
async function versionHere(commit: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(repositoryRoot(), 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : '0';
  return `${version}-${commit}`;
}

/** Exit status if the command failed without a result about any workflow. */
const FAILED = 2;

async function main(): Promise<number> {
  const command = readCommandLine(process.argv.slice(2));
  if (command === null) return 0;
  if (command.kind === 'running') return replayWithThisBuild();
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  await recordHistories(command, stopping.signal);
  return 0;
}

main().then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
    console.error(errorText(error));
    process.exit(FAILED);
  },
);
