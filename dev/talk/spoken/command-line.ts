import { amount, wholeNumber } from '../../../api/admin/option-values';
import { commandOf, readOptions } from '../../options';
import { LINES } from '../organization';

const DEFAULT_FOLDER = 'test/agent/conversations';
const MAX_RUNS = 100;

export interface SpokenOptions {
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
export function readSpokenCommandLine(args: readonly string[]): SpokenOptions | null {
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
