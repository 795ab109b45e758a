import { normalisePhone, type PhoneRules } from '../../../domain/phone-number';
import { LANGUAGE_TAG } from '../../../domain/contact-file-format';
import { isLonger, isForbiddenKey } from '../../../domain/json-faults';
import { isTimeZone } from '../../../domain/local-time';
import { MAX_VARIABLES_BYTES, variablesBytes, MAX_VARIABLES } from '../../http/schema/kinds';
import { inTurns } from '../../../runtime/loop-turn';
import {
  RowFaults,
  MAX_CONTACT_NAME,
  MAX_CONTACTS,
  noContacts,
  tooManyContacts,
  type Contact,
  type ContactFileRefusal,
  type SheetRow,
  MAX_COLUMNS,
} from './result';

type Layout = { titles: string[]; name: number; phone: number; extra: number[] };

export type ReadSheet = {
  contacts: Contact[];
  /** Titles of the extra columns, which become variables, in the sheet's order. */
  columns: string[];
};

/**
 * Reads the contacts of a sheet whose first row is the header. Any fault rejects the whole file. Rows with a number that appeared before
 * are kept and marked as duplicates.
 */
export async function readContacts(
  rows: readonly SheetRow[],
  rules: PhoneRules,
): Promise<ReadSheet | ContactFileRefusal> {
  const [header, ...body] = rows;
  if (header === undefined) return noContacts();
  const { columns, faults } = readHeader(header);
  const { titles, name, phone } = columns;
  if (!faults.isEmpty || name === null || phone === null) return faults.refusal();
  if (body.length === 0) return noContacts();
  if (body.length > MAX_CONTACTS) return tooManyContacts();
  const extra = [...titles.keys()].filter((index) => index !== name && index !== phone);
  const contacts = await readBody(body, { titles, name, phone, extra }, rules, faults);
  if (!faults.isEmpty) return faults.refusal();
  return { contacts, columns: extra.map((index) => titles[index] ?? '') };
}

async function readBody(
  body: readonly SheetRow[],
  layout: Layout,
  rules: PhoneRules,
  faults: RowFaults,
): Promise<Contact[]> {
  const firstRows = new Map<string, number>();
  const zones = new ZoneNames();
  const contacts: Contact[] = [];
  for await (const { row, cells } of inTurns(body)) {
    if (cells.length !== layout.titles.length) {
      const reason = `has ${cells.length} cells, but the header has ${layout.titles.length}`;
      faults.add({ row, column: null, value: null, reason });
      continue;
    }
    const name = readName(row, cells, layout, faults);
    const phoneNumber = readPhone(row, cells, layout, rules, faults);
    const variables = readVariables(row, cells, layout, faults);
    if (name === null || phoneNumber === null || variables === null) continue;
    const duplicateOf = firstRows.get(phoneNumber) ?? null;
    if (duplicateOf === null) firstRows.set(phoneNumber, row);
    const timezone = zones.read(variables.timezone);
    const language = readLanguage(variables.language);
    contacts.push({ row, name, phoneNumber, variables, timezone, language, duplicateOf });
  }
  return contacts;
}

/** Remembers its results, because a look-up of a zone takes 20 µs or more. */
class ZoneNames {
  private readonly known = new Map<string, boolean>();

  /** Returns null unless the text is the name of a zone, because such a column never makes a file fail. */
  read(text: string | undefined): string | null {
    const name = text?.trim() ?? '';
    const isZone = this.known.get(name) ?? isTimeZone(name);
    this.known.set(name, isZone);
    return isZone ? name : null;
  }
}

function readLanguage(text: string | undefined): string | null {
  const tag = text?.trim() ?? '';
  return LANGUAGE_TAG.test(tag) ? tag : null;
}

function readName(row: number, cells: readonly string[], layout: Layout, faults: RowFaults): string | null {
  const name = visibleText(cells[layout.name] ?? '');
  const tooLong = isLonger(name, MAX_CONTACT_NAME);
  if (name !== '' && !tooLong) return name;
  const reason = tooLong ? `is longer than ${MAX_CONTACT_NAME} characters` : 'is empty';
  faults.add({ row, column: layout.titles[layout.name] ?? null, value: name, reason });
  return null;
}

function readPhone(
  row: number,
  cells: readonly string[],
  layout: Layout,
  rules: PhoneRules,
  faults: RowFaults,
): string | null {
  const value = cells[layout.phone] ?? '';
  // Spreadsheets use a leading apostrophe to store a number as text.
  const reading = normalisePhone(value.replace(/^\s*['\u2019]/, ''), rules);
  if ('e164' in reading) return reading.e164;
  faults.add({ row, column: layout.titles[layout.phone] ?? null, value, reason: reading.fault });
  return null;
}

/** Enforces the limits of a dispatch's `metadata`, because lists of calls and contacts contain the variables. */
function readVariables(
  row: number,
  cells: readonly string[],
  layout: Layout,
  faults: RowFaults,
): Record<string, string> | null {
  const variables: Record<string, string> = {};
  for (const index of layout.extra) variables[layout.titles[index] ?? ''] = cells[index] ?? '';
  if (variablesBytes(variables) <= MAX_VARIABLES_BYTES) return variables;
  const reason = `has more than ${MAX_VARIABLES_BYTES / 1024} KiB of variables as JSON`;
  faults.add({ row, column: null, value: null, reason });
  return null;
}

const ALIASES = {
  name: ['name', 'contact_name', 'customer_name', 'full_name'],
  phone_number: ['phone_number', 'phone', 'mobile', 'contact', 'contact_number', 'mobile_number'],
} as const;

type Required = keyof typeof ALIASES;

/** Meaning of a column; `unclear` if its header has a fault. */
export const COLUMN_MEANINGS = ['name', 'phone_number', 'variable', 'unclear'] as const;
export type ColumnMeaning = (typeof COLUMN_MEANINGS)[number];

type Columns = {
  /** Trimmed headers. */
  titles: string[];
  /** Indexes of the required columns; null if missing. */
  name: number | null;
  phone: number | null;
  /** Meaning of each column, by index. */
  meanings: ColumnMeaning[];
};

/** Finds the required columns and reports everything that makes the header ambiguous or unsafe. */
export function readHeader(header: SheetRow): { columns: Columns; faults: RowFaults } {
  const titles = header.cells.map(visibleText);
  const meanings = titles.map((): ColumnMeaning => 'variable');
  const faults = new RowFaults();
  const heading = { titles, meanings, row: header.row, faults };
  addTitleFaults(heading);
  const name = findRequired('name', heading);
  const phone = findRequired('phone_number', heading);
  return { columns: { titles, name, phone, meanings }, faults };
}

/** `meanings` and `faults` collect the results. */
interface Heading {
  titles: readonly string[];
  meanings: ColumnMeaning[];
  row: number;
  faults: RowFaults;
}

/** Check this before reading the other rows: ten thousand rows of a thousand columns take seconds. */
export function tooManyColumns({ row, cells }: SheetRow): ContactFileRefusal | null {
  if (cells.length <= MAX_COLUMNS) return null;
  const faults = new RowFaults();
  const reason = `has ${cells.length} columns; besides name and phone number, at most ${MAX_VARIABLES} are allowed`;
  faults.add({ row, column: null, value: null, reason });
  return faults.refusal();
}

/** Ignores case, spaces, joiners, hyphens and underscores. */
export function bare(title: string): string {
  return title.toLowerCase().replace(/[\s\-_\u200c\u200d]/g, '');
}

function findRequired(column: Required, { titles, meanings, row, faults }: Heading): number | null {
  const names = new Set(ALIASES[column].map(bare));
  const found = [...titles.keys()].filter((index) => names.has(bare(titles[index] ?? '')));
  const [first, ...others] = found;
  if (first === undefined) {
    const reason = `is required but missing; it can be named ${ALIASES[column].join(', ')}`;
    faults.add({ row, column, value: null, reason });
    return null;
  }
  for (const other of others) {
    const title = titles[other] ?? '';
    const reason = `is a second ${column} column; the first is "${titles[first]}"`;
    faults.add({ row, column: title, value: title, reason });
    meanings[other] = 'unclear';
  }
  meanings[first] = column;
  return first;
}

function addTitleFaults({ titles, meanings, row, faults }: Heading): void {
  const seen = new Set<string>();
  for (const [index, title] of titles.entries()) {
    const reason = titleFault(title, index, seen);
    seen.add(title);
    if (reason === null) continue;
    faults.add({ row, column: title === '' ? null : title, value: title, reason });
    meanings[index] = 'unclear';
  }
}

function titleFault(title: string, index: number, seen: ReadonlySet<string>): string | null {
  if (title === '') return `has an empty header in column ${index + 1}`;
  if (isForbiddenKey(title)) return 'is not an allowed header';
  return seen.has(title) ? 'is a duplicate header' : null;
}

/** Zero-width spaces, direction marks and soft hyphens, which copied text often contains. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** Joiners shape letters of Indian scripts, so they are only removed at the ends of a text. */
const EDGES = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;

const NO_BREAK_SPACES = /[\u00a0\u2007\u202f]/g;

/** Normalizes a title or a name to what people see: trimmed, with ordinary spaces and without invisible characters. */
export const visibleText = (text: string): string =>
  text.replace(INVISIBLE, '').replace(NO_BREAK_SPACES, ' ').replace(EDGES, '');
