/**
 * Judges a fault run: reads its evidence and database once, and checks the invariants of the engine.
 *
 * The checker shares no code with the engine, the simulator or the runner; lint enforces this. Its rules for windows, delays and signatures
 * come from the documents.
 */
import { type Evidence, readDatabaseUrl, readEvidence } from './evidence';
import { acknowledgedKept } from './invariants/acknowledged-kept';
import { contactsDone, lostContacts } from './invariants/contacts-done';
import { delivered } from './invariants/deliveries';
import {
  dialledOnce,
  duplicateDials,
  redialDelay,
  silentAfterPause,
  withinLines,
  withinWindow,
} from './invariants/dials';
import { oneCallPerNumber, withinRules } from './invariants/rules';
import { workflowsClose } from './invariants/workflows-close';
import { restartsToDial } from './restart-to-dial';
import { readRows, type Rows } from './rows';
import { type InvariantNumber, type Run, runOf, type Verdict } from './run';

export type { Figures, InvariantNumber, InvariantVerdict, Verdict } from './run';

interface Invariant {
  number: InvariantNumber;
  name: string;
  violations: (run: Run) => string[];
}

const INVARIANTS: readonly Invariant[] = [
  { number: 1, name: 'each attempt reaches the carrier at most once', violations: dialledOnce },
  {
    number: 2,
    name: 'live calls never exceed the lines',
    violations: (run) => [...withinLines(run), ...oneCallPerNumber(run)],
  },
  {
    number: 3,
    name: 'no dial outside window, weekday, date range, or against a rule profile',
    violations: (run) => [...withinWindow(run), ...withinRules(run)],
  },
  { number: 4, name: 'no dial after an acknowledged pause or cancel', violations: silentAfterPause },
  { number: 5, name: 'every contact ends once, and the counts agree', violations: contactsDone },
  {
    number: 6,
    name: 'every finished call is delivered with a valid signature and the right intervals',
    violations: delivered,
  },
  { number: 7, name: 'the retry delay passes before a redial', violations: redialDelay },
  { number: 8, name: 'everything acknowledged is kept', violations: acknowledgedKept },
  {
    number: 10,
    name: 'a workflow closes when what it is for is over, and each replays',
    violations: workflowsClose,
  },
];

/** @throws Error if the evidence is incomplete or the database doesn't respond, because such a run proves nothing */
export async function check(evidenceFolder: string): Promise<Verdict> {
  const evidence = readEvidence(evidenceFolder);
  return judge(evidence, await readRows(readDatabaseUrl(evidenceFolder)));
}

export function judge(evidence: Evidence, rows: Rows): Verdict {
  const run = runOf(evidence, rows);
  const restarts = restartsToDial(run);
  return {
    invariants: INVARIANTS.map(({ number, name, violations }) => ({
      number,
      name,
      violations: violations(run),
    })),
    figures: {
      dials: run.dials.length,
      duplicates: duplicateDials(run.dials).length,
      contacts_lost: lostContacts(run).length,
      cap_overruns: withinLines(run).length,
      start_to_dial_s: restarts.map(({ fromStartS }) => fromStartS),
      kill_to_dial_s: restarts.map(({ fromKillS }) => fromKillS),
    },
  };
}
