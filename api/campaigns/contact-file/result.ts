import type { PhoneRules } from '../../../domain/phone-number';
import { MAX_VARIABLES } from '../../http/input/variables';

export const MAX_CONTACTS = 10_000;

/** Contacts and the blank rows among them. */
export const MAX_SHEET_ROWS = 25_000;

/** The two that are required, and a variable of the contact for each other. */
export const MAX_COLUMNS = 2 + MAX_VARIABLES;

/** Characters of a contact's name, as of a dispatch's. */
export const MAX_CONTACT_NAME = 255;

/** One contact with all its variables. */
export const MAX_RECORD_BYTES = 64 * 1024;

const MAX_DETAILS = 100;
const MAX_SHOWN_LENGTH = 200;

export type ContactFile = { filename: string; content: Buffer; rules: PhoneRules };

export type Contact = {
  /** The spreadsheet's row; the header is row 1 when nothing stands above it. */
  row: number;
  name: string;
  phoneE164: string;
  /** The extra columns as written; a value is always text. */
  variables: Record<string, string>;
  /** The row that has the same number first; null for the row to dial. */
  duplicateOf: number | null;
};

/** `column` and `value` are null for faults of a whole row. */
export type RowFault = { row: number; column: string | null; value: string | null; reason: string };

export type ContactFileRefusal = {
  code: 'INVALID_CONTACT_FILE' | 'TOO_MANY_CONTACTS' | 'NO_CONTACTS';
  message: string;
  /** The first hundred faults; `detailsTotal` counts all. */
  details: RowFault[];
  detailsTotal: number;
};

/** One row of a sheet, whatever the format: cells as text, blank rows left out. */
export type SheetRow = { row: number; cells: string[] };

/** Programs put this character for one that they could not read, so the text was broken before it came here. */
export const LOST = {
  character: '\ufffd',
  reason: 'holds U+FFFD, which stands for a character that was lost; write it again',
} as const;

export const shown = (text: string): string => text.slice(0, MAX_SHOWN_LENGTH);

/** Counts every fault and keeps the first hundred, with long values cut. */
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
      message: `The contact file was refused${where}${more}`,
      details: this.kept,
      detailsTotal: this.total,
    };
  }
}

/** A refusal of the file as a whole, before any row was read. */
export function refuseFile(reason: string): ContactFileRefusal {
  const message = `The contact file was refused: ${reason}`;
  return { code: 'INVALID_CONTACT_FILE', message, details: [], detailsTotal: 0 };
}

export const noContacts = (): ContactFileRefusal => ({
  code: 'NO_CONTACTS',
  message: 'The contact file holds no contacts',
  details: [],
  detailsTotal: 0,
});

export const tooManyContacts = (): ContactFileRefusal => ({
  code: 'TOO_MANY_CONTACTS',
  message: `The contact file holds more than ${MAX_CONTACTS.toLocaleString('en')} contacts`,
  details: [],
  detailsTotal: 0,
});

function describe(fault: RowFault): string {
  const column = fault.column === null ? '' : `, column ${fault.column}`;
  return `row ${fault.row}${column}: ${fault.reason}`;
}
