import { normalisePhone, type PhoneRules } from '../../../domain/phone-number';
import { isLonger } from '../../../domain/json-faults';
import { MAX_VARIABLES_BYTES, variablesBytes } from '../../http/input/variables';
import { readHeader } from './header';
import { visibleText } from './visible-text';
import { inTurns } from '../../../runtime/loop-turn';
import type { RowFaults } from './result';
import {
  MAX_CONTACT_NAME,
  MAX_CONTACTS,
  noContacts,
  tooManyContacts,
  type Contact,
  type ContactFileRefusal,
  type SheetRow,
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
    contacts.push({ row, name, phoneNumber, variables, duplicateOf });
  }
  return contacts;
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
