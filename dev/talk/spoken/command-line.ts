import { parseArgs } from 'node:util';
import { errorText } from '../../error-text';
import { UsageFault } from '../../options';
import { LINES } from '../organization';

const DEFAULT_FOLDER = 'test/agent/conversations';
const MOST_RUNS = 100;

export const HELP = `Usage: npm run test:agents -- --spoken [paths] [options]

Simulated callers talk to agents by sound, each with a goal, in rooms of a platform that
is started for the test, with speech models on this machine. The agent's answers are judged
from recordings, by a recogniser that agents don't use. It needs Python 3.10 or newer.

  paths           files that end in .spoken.json, or folders with such files
                  (default test/agent/conversations); see docs/testing-agents.md
  --runs N        runs of each conversation, 1 to 100 (default 1)
  --at-once N     concurrent conversations, 1 to ${LINES} (default 1): finishes sooner, but answers get slower
  --min-pass X    share of runs, 0 to 1, that must pass for each conversation (default 1)
  --help          show this help

The last line is JSON. The status is 0 only if each conversation passed often enough.`;

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
  const { values, positionals } = parsed(args);
  if (values.help === true) return null;
  const runs = Number(values.runs ?? 1);
  const atOnce = Number(values['at-once'] ?? 1);
  const minPass = Number(values['min-pass'] ?? 1);
  if (!Number.isInteger(runs) || runs < 1 || runs > MOST_RUNS)
    throw new UsageFault(`--runs must be a whole number from 1 to ${MOST_RUNS}`);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > LINES)
    throw new UsageFault(`--at-once must be a whole number from 1 to ${LINES}`);
  if (!(minPass >= 0 && minPass <= 1)) throw new UsageFault('--min-pass must be a number from 0 to 1');
  return { paths: positionals.length === 0 ? [DEFAULT_FOLDER] : positionals, runs, atOnce, minPass };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        spoken: { type: 'boolean' },
        runs: { type: 'string' },
        'at-once': { type: 'string' },
        'min-pass': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw new UsageFault(`${errorText(cause)}: see "npm run test:agents -- --spoken --help"`, { cause });
  }
}
