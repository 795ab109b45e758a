import { isForbiddenKey } from '../../../workflows/domain/json-faults';
import { MAX_VARIABLES } from '../../http/input/variables';
import { MAX_COLUMNS, RowFaults, type ContactFileRefusal, type SheetRow } from './result';

const ALIASES = {
  name: ['name', 'contact_name', 'customer_name', 'full_name'],
  phone_number: ['phone_number', 'phone', 'mobile', 'contact', 'contact_number', 'mobile_number'],
} as const;

type Required = keyof typeof ALIASES;

export type Columns = {
  /** Headers as written, trimmed. */
  titles: string[];
  /** Positions of the required columns; null when the header lacks one. */
  name: number | null;
  phone: number | null;
};

/** Finds the required columns and names everything that makes the header ambiguous or unsafe. */
export function readHeader(header: SheetRow): { columns: Columns; faults: RowFaults } {
  const titles = header.cells.map((cell) => cell.trim());
  const faults = new RowFaults();
  addTitleFaults(titles, header.row, faults);
  const name = findRequired('name', titles, header.row, faults);
  const phone = findRequired('phone_number', titles, header.row, faults);
  return { columns: { titles, name, phone }, faults };
}

/** Before the other rows are read: ten thousand of a thousand columns take seconds. */
export function tooManyColumns({ row, cells }: SheetRow): ContactFileRefusal | null {
  if (cells.length <= MAX_COLUMNS) return null;
  const faults = new RowFaults();
  const reason = `has ${cells.length} columns; beside the name and the number there may be ${MAX_VARIABLES}`;
  faults.add({ row, column: null, value: null, reason });
  return faults.refusal();
}

/** For the required columns case, blanks, hyphens and underscores do not matter. */
function bare(title: string): string {
  return title.toLowerCase().replace(/[\s\-_]/g, '');
}

function findRequired(column: Required, titles: string[], row: number, faults: RowFaults): number | null {
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
  }
  return first;
}

function addTitleFaults(titles: readonly string[], row: number, faults: RowFaults): void {
  const seen = new Set<string>();
  for (const [index, title] of titles.entries()) {
    if (title === '') {
      faults.add({ row, column: null, value: '', reason: `column ${index + 1} has an empty header` });
    } else if (isForbiddenKey(title)) {
      faults.add({ row, column: title, value: title, reason: 'is not allowed as a header' });
    } else if (seen.has(title)) {
      faults.add({ row, column: title, value: title, reason: 'is a repeated header' });
    }
    seen.add(title);
  }
}
