import { parseArgs } from 'node:util';
import { errorText } from '../../error-text';
import { UsageFault } from '../../options';
import { LINES } from '../organisation';

const DEFAULT_FOLDER = 'test/agent/conversations';
const MOST_RUNS = 100;

export const HELP = `Usage: npm run test:agents -- --spoken [paths] [options]

A caller with a voice and a goal talks to agents by sound alone, in rooms of a platform that
is started for it, with speech models on this machine. What the agent said is judged by the
recording of it, with a recogniser that agents do not have. It needs Python 3.10 or newer.

  paths           folders, whose files end in .spoken.json, or such files
                  (test/agent/conversations unless given); docs/testing-agents.md
  --runs N        how often each conversation is held, 1 to 100 (default 1)
  --at-once N     conversations at once, 1 to ${LINES} (default 1): sooner over, and slower answers
  --min-pass X    the share of runs, 0 to 1, in which each must reach its goal (default 1)
  --help          this text

The last line is JSON. The status is 0 only if each conversation passed often enough.`;

export interface SpokenOptions {
  paths: string[];
  runs: number;
  atOnce: number;
  minPass: number;
}

/** Null for help. @throws UsageFault that names what it does not know */
export function readSpokenCommandLine(args: readonly string[]): SpokenOptions | null {
  const { values, positionals } = parsed(args);
  if (values.help === true) return null;
  const runs = Number(values.runs ?? 1);
  const atOnce = Number(values['at-once'] ?? 1);
  const minPass = Number(values['min-pass'] ?? 1);
  if (!Number.isInteger(runs) || runs < 1 || runs > MOST_RUNS)
    throw new UsageFault(`--runs takes a whole number from 1 to ${MOST_RUNS}`);
  if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > LINES)
    throw new UsageFault(`--at-once takes a whole number from 1 to ${LINES}`);
  if (!(minPass >= 0 && minPass <= 1)) throw new UsageFault('--min-pass takes a number from 0 to 1');
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
