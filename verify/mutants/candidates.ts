/** Selects the sources to mutate: a call's Postgres functions, the activities that dial, the workflows and their decisions. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mutantsOf, type Area, type Mutant } from './mutant';
import { sqlEdits } from './sql/conditions';
import { tokensOf } from './sql/tokens';
import { typescriptEdits } from './typescript';

/** Functions with which the engine and the API dial calls, grant lines and transfer calls. The functions they call are mutated too. */
export const ROOTS = [
  'claim_page',
  'register_waiting',
  'start_dial',
  'start_transfer',
  'return_line',
  'end_calls',
  'hang_up',
  'take_inbound',
  'schedule_callback',
  'give_up_redials',
  'withdraw_rest',
  'defer_dial',
  'next_due_at',
  'zones_left',
  'store_contacts',
  'admit_contacts',
  'withdraw_list_contact',
] as const;

/**
 * Files that decide about calls and campaigns while dialling. The other files in `domain` are about agents, transcripts, e-mails and
 * reports.
 */
const DECISIONS = [
  'breakers',
  'call-cost',
  'call-end',
  'call',
  'call-outcome',
  'calling-window',
  'campaign-status',
  'campaign-step',
  'dial-backoff',
  'inbound-call',
  'redial',
];

const FUNCTIONS = 'db/functions';

interface SourceFile {
  area: Area;
  file: string;
  source: string;
}

/** Returns the files sorted by area and name. */
export async function candidateFiles(root: string): Promise<SourceFile[]> {
  const read = async (area: Area, file: string): Promise<SourceFile> => ({
    area,
    file,
    source: await readFile(join(root, file), 'utf8'),
  });
  const functions = await Promise.all(
    (await namesIn(join(root, FUNCTIONS), '.sql')).map((name) => read('sql', `${FUNCTIONS}/${name}`)),
  );
  const reached = reachedFrom(ROOTS, functions);
  const files = [
    ...(await namesIn(join(root, 'activities/dialling'), '.ts')).map(
      (name) => ['activities', `activities/dialling/${name}`] as const,
    ),
    ...(await namesIn(join(root, 'workflows'), '.ts')).map(
      (name) => ['workflows', `workflows/${name}`] as const,
    ),
    ...DECISIONS.map((name) => ['decisions', `domain/${name}.ts`] as const),
  ];
  const sources = await Promise.all(files.map(([area, file]) => read(area, file)));
  return [...functions.filter(({ file }) => reached.has(functionName(file))), ...sources];
}

/** Returns the names of the roots and of every function that they call, directly or indirectly. */
function reachedFrom(roots: readonly string[], functions: readonly SourceFile[]): Set<string> {
  const words = new Map(
    functions.map(({ file, source }) => [
      functionName(file),
      new Set(tokensOf(source).flatMap(({ kind, text }) => (kind === 'word' ? [text] : []))),
    ]),
  );
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const used = words.get(name);
    for (const other of words.keys()) if (used?.has(other) === true) visit(other);
  };
  roots.forEach(visit);
  return reached;
}

export const functionName = (file: string): string => file.slice(file.lastIndexOf('/') + 1, -'.sql'.length);

export const candidatesOf = (file: SourceFile): Mutant[] =>
  mutantsOf(file, file.area === 'sql' ? sqlEdits(file.source) : typescriptEdits(file.source));

async function namesIn(folder: string, ending: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith(ending)).sort();
}
