/** `npm run test:agents -- --spoken`: tests agents in spoken conversations. */
import { amount, wholeNumber } from '../../../api/admin/option-values';
import { commandOf, readOptions } from '../../options';
import { LINES } from '../organization';
import { interruptibleStatus } from '../../demo/interruption';
import { exitAfter } from '../../exit-with-error';
import { readSpokenConversations } from './conversations';
import { runSpoken } from './run';

const DEFAULT_FOLDER = 'test/agent/conversations';
const MAX_RUNS = 100;

interface SpokenOptions {
  paths: string[];
  runs: number;
  atOnce: number;
  minPass: number;
}

/**
 * Returns null for `--help`.
 *
 * @throws UsageFault for an unknown option or an invalid value
 */
function readSpokenCommandLine(args: readonly string[]): SpokenOptions | null {
  const command = commandOf(
    'npm run test:agents -- --spoken',
    'Simulated callers talk to agents by sound, each with a goal, in rooms of a platform that is started for the test, with speech models on ' +
      "this machine. The agent's answers are judged from recordings, by a recogniser that agents don't use. It needs Python 3.10 or newer.",
  )
    .argument(
      '[paths...]',
      `files that end in .spoken.json, or folders with such files (default ${DEFAULT_FOLDER}); see docs/testing-agents.md`,
    )
    .option('--runs <n>', `runs of each conversation, 1 to ${MAX_RUNS}`, wholeNumber(1, MAX_RUNS), 1)
    .option(
      '--at-once <n>',
      `concurrent conversations, 1 to ${LINES}: finishes sooner, but answers get slower`,
      wholeNumber(1, LINES),
      1,
    )
    .option('--min-pass <x>', 'share of runs, 0 to 1, that must pass for each conversation', amount(1), 1)
    .addHelpText(
      'after',
      '\nThe last line is JSON. The status is 0 only if each conversation passed often enough.',
    );
  const options = readOptions<Omit<SpokenOptions, 'paths'>>(
    command,
    args.filter((word) => word !== '--spoken'),
  );
  if (options === null) return null;
  return { ...options, paths: command.args.length === 0 ? [DEFAULT_FOLDER] : command.args };
}

async function main(): Promise<number> {
  const options = readSpokenCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const conversations = await readSpokenConversations(options.paths);
  const { env: environment, stdout: out, stderr: err } = process;
  return interruptibleStatus(
    (stopping) => runSpoken({ ...options, conversations, environment, out, err, stopping }),
    'the spoken conversations failed',
  );
}

exitAfter(main());
