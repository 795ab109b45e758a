import type { PhoneRules } from '../../../domain/phone-number';
import { MAX_VARIABLES } from '../../http/schema/kinds';

export const MAX_CONTACTS = 10_000;

/** Maximum number of rows, including blank ones. */
export const MAX_SHEET_ROWS = 25_000;

/** The two required columns, and one for each variable. */
export const MAX_COLUMNS = 2 + MAX_VARIABLES;

/** Same limit as for the name in a dispatch. */
export const MAX_CONTACT_NAME = 255;

export const MAX_RECORD_BYTES = 64 * 1024;

const MAX_DETAILS = 100;
const MAX_SHOWN_LENGTH = 200;

export type ContactFile = { filename: string; content: Buffer; rules: PhoneRules };

export type Contact = {
  /** Row number in the spreadsheet. The header is row 1, unless there are rows above it. */
  row: number;
  name: string;
  phoneNumber: string;
  /** The extra columns, always as text. */
  variables: Record<string, string>;
  /** The variable `timezone` if it is the name of an IANA zone. */
  timezone: string | null;
  /** The variable `language` if it looks like a language tag. */
  language: string | null;
  /** The first row with the same number; null for the row that is dialled. */
  duplicateOf: number | null;
};

/** `column` and `value` are null if the fault concerns the whole row. */
export type RowFault = { row: number; column: string | null; value: string | null; reason: string };

export type ContactFileRefusal = {
  code: 'INVALID_CONTACT_FILE' | 'TOO_MANY_CONTACTS' | 'NO_CONTACTS';
  message: string;
  /** The first hundred faults; `detailsTotal` counts all. */
  details: RowFault[];
  detailsTotal: number;
};

/** A row of a sheet in any format: cells as text, without blank rows. */
export type SheetRow = { row: number; cells: string[] };

/** Programs write this character in place of one that they couldn't decode, so the text was damaged before the upload. */
export const LOST = {
  character: '\ufffd',
  reason: 'contains a damaged character (U+FFFD); correct the text',
} as const;

export const shown = (text: string): string => text.slice(0, MAX_SHOWN_LENGTH);

/** Counts all faults and keeps the first hundred, with long values truncated. */
export class RowFaults {
  private readonly kept: RowFault[] = [];
  private total = 0;

  get isEmpty(): boolean {
    return this.total === 0;
  }

  add(fault: RowFault): void {
    this.total += 1;
    if (this.kept.length === MAX_DETAILS) return;
    this.kept.push({ ...fault, value: fault.value === null ? null : shown(fault.value) });
  }

  refusal(): ContactFileRefusal {
    const [first] = this.kept;
    const where = first === undefined ? '' : `: ${describe(first)}`;
    const more = this.total > 1 ? ` (and ${this.total - 1} more)` : '';
    return {
      code: 'INVALID_CONTACT_FILE',
      message: `The contact file was rejected${where}${more}`,
      details: this.kept,
      detailsTotal: this.total,
    };
  }
}

/** Rejects the file as a whole, before any row is read. */
export function refuseFile(reason: string): ContactFileRefusal {
  const message = `The contact file was rejected: ${reason}`;
  return { code: 'INVALID_CONTACT_FILE', message, details: [], detailsTotal: 0 };
}

export const noContacts = (): ContactFileRefusal => ({
  code: 'NO_CONTACTS',
  message: 'The contact file contains no contacts',
  details: [],
  detailsTotal: 0,
});

export const tooManyContacts = (): ContactFileRefusal => ({
  code: 'TOO_MANY_CONTACTS',
  message: `The contact file contains more than ${MAX_CONTACTS.toLocaleString('en')} contacts`,
  details: [],
  detailsTotal: 0,
});

function describe(fault: RowFault): string {
  const column = fault.column === null ? '' : `, column "${fault.column}"`;
  return `row ${fault.row}${column} ${fault.reason}`;
}
