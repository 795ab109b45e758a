/** Converts the simulation's mutants of the dialling code to the form that the judges accept. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialMutant } from '../simulation/dial-mutant';
import { DIAL_MUTANTS } from '../simulation/mutants';
import { changed } from '../simulation/changed-activities';
import { mutantsOf, type Area, type Mutant } from './mutant';

/** @throws Error if the source no longer contains the mutant's text */
export async function mutantsByHand(root: string): Promise<Mutant[]> {
  const each = DIAL_MUTANTS.map(async (mutant) => {
    const source = await readFile(join(root, mutant.file), 'utf8');
    return inSource(source, mutant);
  });
  return (await Promise.all(each)).flat();
}

function inSource(source: string, mutant: DialMutant): Mutant[] {
  const { name, file, from, to } = mutant;
  changed(source, mutant);
  const start = source.indexOf(from);
  return mutantsOf({ area: areaOf(file), file, source }, [
    { start, end: start + from.length, replacement: to, change: name },
  ]);
}

function areaOf(file: string): Area {
  if (file.startsWith('db/functions/')) return 'sql';
  return /^(workflows|domain)\//.test(file) ? 'workflows' : 'activities';
}
