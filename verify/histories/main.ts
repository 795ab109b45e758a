/** `npm run histories`: records workflow histories, or replays a Temporal server's open workflows. */
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../../dev/demo/interruption';
import { errorText } from '../../dev/error-text';
import { readCommandLine, type Command } from './command-line';
import { recordHistories } from './record';
import { replayWithThisBuild } from './running/main';

/** Exit status if the command failed without a result about any workflow. */
const FAILED = 2;

async function main(): Promise<number> {
  const command = readCommandLine(process.argv.slice(2));
  if (command === null) return 0;
  if (command.kind === 'running') return replayWithThisBuild();
  await record(command);
  return 0;
}

async function record(options: Extract<Command, { kind: 'record' }>): Promise<void> {
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  await recordHistories(options, stopping.signal);
}

main().then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
    console.error(errorText(error));
    process.exit(FAILED);
  },
);
