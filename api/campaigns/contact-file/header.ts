import { isForbiddenKey } from '../../../domain/json-faults';
import { MAX_VARIABLES } from '../../http/input/variables';
import { visibleText } from './visible-text';
import { MAX_COLUMNS, RowFaults, type ContactFileRefusal, type SheetRow } from './result';

const ALIASES = {
  name: ['name', 'contact_name', 'customer_name', 'full_name'],
  phone_number: ['phone_number', 'phone', 'mobile', 'contact', 'contact_number', 'mobile_number'],
} as const;

type Required = keyof typeof ALIASES;

/** What a column is taken for; `unclear` where its header is at fault. */
export const COLUMN_MEANINGS = ['name', 'phone_number', 'variable', 'unclear'] as const;
export type ColumnMeaning = (typeof COLUMN_MEANINGS)[number];

export type Columns = {
  /** Headers as written, trimmed. */
  titles: string[];
  /** Positions of the required columns; null when the header lacks one. */
  name: number | null;
  phone: number | null;
  /** Of each title. */
  meanings: ColumnMeaning[];
};

/** Finds the required columns and names everything that makes the header ambiguous or unsafe. */
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

/** What is found goes into `meanings` and `faults`. */
interface Heading {
  titles: readonly string[];
  meanings: ColumnMeaning[];
  row: number;
  faults: RowFaults;
}

/** Before the other rows are read: ten thousand of a thousand columns take seconds. */
export function tooManyColumns({ row, cells }: SheetRow): ContactFileRefusal | null {
  if (cells.length <= MAX_COLUMNS) return null;
  const faults = new RowFaults();
  const reason = `has ${cells.length} columns; beside the name and the number there may be ${MAX_VARIABLES}`;
  faults.add({ row, column: null, value: null, reason });
  return faults.refusal();
}

/** For the required columns case, blanks, joiners, hyphens and underscores do not matter. */
function bare(title: string): string {
  return title.toLowerCase().replace(/[\s\-_\u200c\u200d]/g, '');
}

function findRequired(column: Required, { titles, meanings, row, faults }: Heading): number | null {
  const names = new Set(ALIASES[column].map(bare));
  const found = [...titles.keys()].filter((index) => names.has(bare(titles[index] ?? '')));
  const [first, ...others] = found;
  if (first === undefined) {
    const reason = `the required column is missing; it may be called ${ALIASES[column].join(', ')}`;
    faults.add({ row, column, value: null, reason });
    return null;
  }
  for (const other of others) {
    const title = titles[other] ?? '';
    const reason = `is a second column for ${column}, beside "${titles[first]}"`;
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
  if (title === '') return `column ${index + 1} has an empty header`;
  if (isForbiddenKey(title)) return 'is not allowed as a header';
  return seen.has(title) ? 'is a repeated header' : null;
}
