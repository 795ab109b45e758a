/** Mutants that no test can find, as nothing that anybody sees depends on the change. Whatever else survives needs a test. */
import type { Mutant } from './mutant';

export interface Accepted extends Pick<Mutant, 'file' | 'code' | 'column' | 'change'> {
  reason: string;
}

export const ACCEPTED: readonly Accepted[] = [];

export const acceptedAs = (mutant: Mutant): Accepted | null =>
  ACCEPTED.find(
    ({ file, code, column, change }) =>
      file === mutant.file && code === mutant.code && column === mutant.column && change === mutant.change,
  ) ?? null;
