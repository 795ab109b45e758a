import { isForbiddenKey } from '../../../domain/json-faults';
import { MAX_VARIABLES } from '../../http/input/variables';
import { visibleText } from './visible-text';
import { MAX_COLUMNS, RowFaults, type ContactFileRefusal, type SheetRow } from './result';

const ALIASES = {
  name: ['name', 'contact_name', 'customer_name', 'full_name'],
  phone_number: ['phone_number', 'phone', 'mobile', 'contact', 'contact_number', 'mobile_number'],
} as const;

type Required = keyof typeof ALIASES;

/** Meaning of a column; `unclear` if its header has a fault. */
export const COLUMN_MEANINGS = ['name', 'phone_number', 'variable', 'unclear'] as const;
export type ColumnMeaning = (typeof COLUMN_MEANINGS)[number];

export type Columns = {
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
function bare(title: string): string {
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
