import { stringify } from 'csv-stringify/sync';
import type { FileContact } from '../../db/campaigns/contacts';

/**
 * What a campaign's contact file is once a person of it was erased: made from its contacts at each request, so that whoever is erased next is
 * not in it either. CSV whatever it was before, as a spreadsheet also holds what its editor left in it. The lines of erased people are
 * empty, so that the numbers of the rows stay.
 */
export function fileOfContacts(columns: readonly string[], contacts: readonly FileContact[]): Buffer {
  const rows: unknown[][] = [['name', 'phone_number', ...columns]];
  for (const contact of contacts) {
    // Lines that the upload left out, as they were empty.
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
