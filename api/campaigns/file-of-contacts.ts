import type { FileContact } from '../../db/campaigns/contacts';

/**
 * What a campaign's contact file is once a person of it was erased: made from its contacts at each request, so that whoever is erased next is
 * not in it either. CSV whatever it was before, as a spreadsheet also holds what its editor left in it. The lines of erased people are
 * empty, so that the numbers of the rows stay.
 */
export function fileOfContacts(columns: readonly string[], contacts: readonly FileContact[]): Buffer {
  const lines = [['name', 'phone_number', ...columns].map(field).join(',')];
  for (const contact of contacts) {
    // Lines that the upload left out, as they were empty.
    while (lines.length < contact.row - 1) lines.push('');
    lines.push(contact.phoneNumber === '' ? '' : lineOf(columns, contact));
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

const lineOf = (columns: readonly string[], { name, phoneNumber, variables }: FileContact): string =>
  [name, phoneNumber, ...columns.map((column) => variables[column])].map(field).join(',');

function field(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
