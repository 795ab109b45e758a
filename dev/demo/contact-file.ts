/** The demo's contact file. It contains every special number of the simulator except 73, whose call lasts minutes. */
import { expectedOutcome, scriptFor } from '../simulator/numbers';

export interface DemoContact {
  name: string;
  /** E.164. */
  phone: string;
  /** The number as the file spells it. The file uses all four accepted formats. */
  written: string;
  city: string;
}

export const CONTACTS = 60;

/**
 * Slow numbers come first, because a slow call at the end would leave the other lines idle. 98 asks for a callback after a minute, 99 keeps
 * its line until reconciliation queries the carrier, 80 to 84 ring out three times, and the rest wait for queries, late events or a second
 * call.
 */
const SLOW_FIRST = [98, 99, 80, 81, 82, 83, 84, 93, 94, 97, 75, 76, 77, 78, 79];
const OTHER_SPECIAL = [70, 74, 85, 88, 90, 92, 95, 71, 86, 89, 91, 96, 72, 87];
const PLAIN = Array.from({ length: CONTACTS - SLOW_FIRST.length - OTHER_SPECIAL.length }, (_, index) => {
  return index * 2 + 1;
});

/** The last two digits of the number in each row. Each occurs once. */
const ENDINGS: readonly number[] = [...SLOW_FIRST, ...mixed(OTHER_SPECIAL, PLAIN)];

/** Puts a special row after every one or two plain ones, so that all kinds are visible throughout the demo. */
function mixed(special: readonly number[], plain: readonly number[]): number[] {
  const step = plain.length / special.length;
  return special.flatMap((ending, index) => [
    ending,
    ...plain.slice(Math.floor(index * step), Math.floor((index + 1) * step)),
  ]);
}

/**
 * Valid numbers that, according to the public numbering plan, belong to no subscriber: no mobile series begins with 61, and no city's
 * subscriber numbers begin with 0. The simulator never dials real phones, but users may copy the contact file.
 */
const PREFIX = '+916100';
const BLOCKS = 10_000;

/** A hundred numbers that differ in their last two digits. */
export type NumberBlock = { prefix: string };

const blockAt = (index: number): NumberBlock => ({ prefix: `${PREFIX}${String(index).padStart(4, '0')}` });

/**
 * Returns the first block in which no number was dialled before. The simulator counts the calls to each number over its whole log and
 * treats odd and even calls differently, so a reused number could behave differently.
 * The first run on a new data folder always dials the same numbers, so its calls take the same time on every machine.
 */
export function freshBlock(dialledBefore: ReadonlySet<string>): NumberBlock {
  const used = new Set([...dialledBefore].map((number) => number.slice(0, -2)));
  for (let index = 0; index < BLOCKS; index += 1) {
    const block = blockAt(index);
    if (!used.has(block.prefix)) return block;
  }
  throw new Error('the simulator has already dialled every number of the demo: run "npm run clean"');
}

const numberIn = (block: NumberBlock, ending: number): string =>
  `${block.prefix}${String(ending).padStart(2, '0')}`;

/** Returns a number of the block that answers and talks and isn't in the file. Users can call it themselves. */
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

/** Cycles through the four accepted formats. */
function written(phone: string, row: number): string {
  const digits = phone.slice(3);
  return [phone, `91${digits}`, `0${digits}`, digits][row % 4] ?? phone;
}

export function contactCsv(contacts: readonly DemoContact[]): string {
  const rows = contacts.map(({ name, written: phone, city }) => `${name},${phone},${city}`);
  return ['name,phone_number,city', ...rows, ''].join('\n');
}

/** Returns true for a contact that doesn't answer the first call and answers the second. */
export function isRedialledAndAnswered(phone: string, maxRetries: number): boolean {
  const { state, placed } = expectedOutcome(phone, maxRetries);
  return scriptFor(phone).exception?.calls === 'odd' && state === 'completed' && placed > 1;
}

/** Fictional names that make lists and transcripts look realistic. */
const NAMES =
  'Aarav Sharma, Diya Patel, Vihaan Reddy, Ananya Iyer, Kabir Singh, Meera Nair, Arjun Deshmukh, Ishita Banerjee, ' +
  'Rohan Kulkarni, Saanvi Rao, Aditya Joshi, Kavya Menon, Dev Malhotra, Riya Chatterjee, Karthik Subramanian, ' +
  'Pooja Gupta, Nikhil Verma, Tanvi Shetty, Siddharth Bose, Neha Agarwal, Manish Yadav, Lakshmi Krishnan, ' +
  'Rahul Mehta, Sneha Pillai, Amit Chauhan, Divya Hegde, Varun Kapoor, Shreya Das, Harish Gowda, Priya Saxena, ' +
  'Imran Sheikh, Fatima Qureshi, Gurpreet Kaur, Joseph Fernandes, Anjali Mishra, Suresh Naidu, Bhavna Trivedi, ' +
  'Mohit Bansal, Radhika Apte, Ganesh Patil, Nandini Ghosh, Yash Thakur, Swati Jain, Prakash Shenoy, Komal Arora, ' +
  'Deepak Tiwari, Aparna Sen, Vivek Rathore, Geeta Pandey, Sameer Khan, Usha Raman, Tarun Sethi, Madhuri Gokhale, ' +
  'Ajay Solanki, Rekha Bhatt, Farhan Ansari, Chitra Venkatesh, Naveen Prasad, Sunita Kadam, Om Prakash Dubey';

const PEOPLE: readonly string[] = NAMES.split(', ');

const CITIES = ['Pune', 'Nashik', 'Nagpur', 'Kolhapur', 'Thane'] as const;
