import type { InputFault } from '../errors/api-error';

/** Enough to correct a request, and few enough to keep a malicious one cheap. */
export const MAX_FAULTS = 20;

/** Checks stop after this many faults, one more than are reported. */
export const ENOUGH_FAULTS = MAX_FAULTS + 1;

/** Returns at most `MAX_FAULTS` faults. If there are more, the last one says so. */
export function reportedFaults(faults: readonly InputFault[]): InputFault[] {
  if (faults.length <= MAX_FAULTS) return [...faults];
  const [place = 'body'] = faults[0]?.loc ?? [];
  const msg = `has more errors; only the first ${MAX_FAULTS - 1} are listed`;
  return [...faults.slice(0, MAX_FAULTS - 1), { loc: [place], msg, type: 'faults.more' }];
}
