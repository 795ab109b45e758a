/** As the demo's: well formed and nobody's. The last two digits choose what the simulator does. */
const PREFIX = '+91610';

let given = 0;

/** A number that was not given before, because the simulator counts the calls to a number. */
export function numberEnding(ending: number): string {
  given += 1;
  return `${PREFIX}${String(given).padStart(5, '0')}${String(ending).padStart(2, '0')}`;
}

/** Numbers that answer and talk to the end. */
export const talkers = (count: number): string[] => Array.from({ length: count }, () => numberEnding(0));
