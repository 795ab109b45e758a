import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Where the figures go as JSON beside the table. */
  jsonFile: string | null;
  /** Also the campaign of 1,000 contacts. */
  full: boolean;
  /** Also where statements and actions go. */
  details: boolean;
  /** The lists and nothing else. */
  listsOnly: boolean;
}

export const HELP = `Usage: npm run bench -- [options]

Measures the budget of one answered campaign call on a platform of its own, and the same campaign by the textbook program.
Then how long pages of lists take at 10 thousand and at 1 million calls. Takes about four minutes.

  --json FILE   writes {"machine", "figures": [{"name", "value", "unit", "goal", "holds"}]} as well
  --full        also 1,000 contacts on 20 lines, 10 s each: about nine minutes more
  --lists       the lists and nothing else: about two minutes
  --details     also prints the statements and the actions of a call by kind
  --help        this text

Ends with status 0 also when a goal does not hold; 1 when it could not be measured.`;

/** Null for help. Throws a `TypeError` that names an option it does not know. */
export function readCommandLine(args: string[]): BenchOptions | null {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      full: { type: 'boolean' },
      details: { type: 'boolean' },
      lists: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  return {
    jsonFile: values.json ?? null,
    full: values.full ?? false,
    details: values.details ?? false,
    listsOnly: values.lists ?? false,
  };
}
