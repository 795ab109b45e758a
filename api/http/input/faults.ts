import type { InputFault } from '../errors/api-error';

/** Enough to correct a request by, and few enough that a hostile one costs little. */
export const MAX_FAULTS = 20;

/** A search that goes on to so many faults knows that there are more than are reported. */
export const ENOUGH_FAULTS = MAX_FAULTS + 1;

/** At most `MAX_FAULTS`; of more, the last says that there are more. */
export function reportedFaults(faults: readonly InputFault[]): InputFault[] {
  if (faults.length <= MAX_FAULTS) return [...faults];
  const [place = 'body'] = faults[0]?.loc ?? [];
  const msg = `has more faults: only the first ${MAX_FAULTS - 1} are listed`;
  return [...faults.slice(0, MAX_FAULTS - 1), { loc: [place], msg, type: 'faults.more' }];
}
