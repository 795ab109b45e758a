/** Well formed but unassigned numbers, as in the demo. The last two digits choose what the simulator does. */
const PREFIX = '+91610';

let given = 0;

/** Returns a number that wasn't used before, because the simulator counts calls per number. */
export function numberEnding(ending: number): string {
  given += 1;
  return `${PREFIX}${String(given).padStart(5, '0')}${String(ending).padStart(2, '0')}`;
}

/** Returns numbers that answer and talk to the end. */
export const talkers = (count: number): string[] => Array.from({ length: count }, () => numberEnding(0));
