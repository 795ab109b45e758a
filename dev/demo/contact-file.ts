/** The demo's contact file: every kind of number that the simulator knows but 73, which talks for minutes. */
import { expectedOutcome, scriptFor } from '../simulator/numbers';
import { CITIES, PEOPLE } from './people';

export interface DemoContact {
  name: string;
  /** E.164. */
  phone: string;
  /** As the file spells it: people write numbers in four ways. */
  written: string;
  city: string;
}

export const CONTACTS = 60;

/**
 * Slow kinds first, as no operator would sort a file: 98 asks to be called back in a minute, the line of 99 comes free only when reconciliation looks the call up, 80 to 84
 * ring out three times, the others wait for look-ups, late events or a second call. Begun last, they would leave the
 * other lines idle at the end, and the demo would show waiting instead of dialling.
 */
const SLOW_FIRST = [98, 99, 80, 81, 82, 83, 84, 93, 94, 97, 75, 76, 77, 78, 79];
const OTHER_SPECIAL = [70, 74, 85, 88, 90, 92, 95, 71, 86, 89, 91, 96, 72, 87];
const PLAIN = Array.from({ length: CONTACTS - SLOW_FIRST.length - OTHER_SPECIAL.length }, (_, index) => {
  return index * 2 + 1;
});

/** The last two digits of each row, each once. */
export const ENDINGS: readonly number[] = [...SLOW_FIRST, ...mixed(OTHER_SPECIAL, PLAIN)];

/** A special row after every plain one or two, so that all kinds are to be seen all the time. */
function mixed(special: readonly number[], plain: readonly number[]): number[] {
  const step = plain.length / special.length;
  return special.flatMap((ending, index) => [
    ending,
    ...plain.slice(Math.floor(index * step), Math.floor((index + 1) * step)),
  ]);
}

/**
 * Numbers that are valid by the country's rules and, as far as the public numbering plan shows, nobody's: no mobile series begins with 61,
 * and no city's subscriber numbers begin with 0. The simulator rings nobody, but a file gets copied.
 */
const PREFIX = '+916100';
const BLOCKS = 10_000;

/** Hundred numbers that differ in their last two digits. */
export type NumberBlock = { prefix: string };

const blockAt = (index: number): NumberBlock => ({ prefix: `${PREFIX}${String(index).padStart(4, '0')}` });

/**
 * The first block with no number dialled before: the simulator counts odd and even calls of a number over its whole log. The first
 * run on a new data folder always dials the same numbers, so its calls last the same time everywhere.
 */
export function freshBlock(dialledBefore: ReadonlySet<string>): NumberBlock {
  const used = new Set([...dialledBefore].map((number) => number.slice(0, -2)));
  for (let index = 0; index < BLOCKS; index += 1) {
    const block = blockAt(index);
    if (!used.has(block.prefix)) return block;
  }
  throw new Error('the simulator has dialled all of the numbers of the demo: run "npm run clean"');
}

export const numberIn = (block: NumberBlock, ending: number): string =>
  `${block.prefix}${String(ending).padStart(2, '0')}`;

/** A number of the block that answers and talks, and is not in the file: to try a call of one's own. */
export const numberToTry = (block: NumberBlock): string => numberIn(block, 0);

export function demoContacts(block: NumberBlock): DemoContact[] {
  return ENDINGS.map((ending, row) => {
    const phone = numberIn(block, ending);
    return {
      name: PEOPLE[row] ?? `Contact ${row + 1}`,
      phone,
      written: written(phone, row),
      city: CITIES[row % CITIES.length] ?? CITIES[0],
    };
  });
}

/** The four accepted forms in turn. */
function written(phone: string, row: number): string {
  const digits = phone.slice(3);
  return [phone, `91${digits}`, `0${digits}`, digits][row % 4] ?? phone;
}

export function contactCsv(contacts: readonly DemoContact[]): string {
  const rows = contacts.map(({ name, written: phone, city }) => `${name},${phone},${city}`);
  return ['name,phone_number,city', ...rows, ''].join('\n');
}

/** Rang out first and was answered at the second call. */
export function isRedialledAndAnswered(phone: string, maxRetries: number): boolean {
  const { state, placed } = expectedOutcome(phone, maxRetries);
  return scriptFor(phone).exception?.calls === 'odd' && state === 'completed' && placed > 1;
}
