import { stringify } from 'csv-stringify/sync';
import type { FileContact } from '../../db/campaigns/contacts';

/**
 * Rebuilds a campaign's contact file after a person was erased. It is always CSV, because a spreadsheet also keeps its editor's data. Lines
 * of erased people are left empty, so that row numbers stay the same.
 */
export function fileOfContacts(columns: readonly string[], contacts: readonly FileContact[]): Buffer {
  const rows: unknown[][] = [['name', 'phone_number', ...columns]];
  for (const contact of contacts) {
    // Lines that were blank in the upload.
    while (rows.length < contact.row - 1) rows.push([]);
    rows.push(contact.phoneNumber === '' ? [] : rowOf(columns, contact));
  }
  return Buffer.from(stringify(rows, { record_delimiter: 'windows', quoted_match: /[;\t\r\n]|^\s|\s$/ }));
}

const rowOf = (columns: readonly string[], { name, phoneNumber, variables }: FileContact): string[] => [
  name,
  phoneNumber,
  ...columns.map((column) => cellOf(variables[column])),
];

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
