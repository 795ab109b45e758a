import type { AppendedContact } from '../../../../sdk/typescript/generated';
import { rowsOfCsv } from '../../format/csv';

/** Limit of one request. */
export const MAX_APPENDED = 1_000;

const FIELDS = ['external_id', 'timezone', 'language', 'consent_at'] as const;
const NAMES: readonly string[] = ['name', 'phone_number', ...FIELDS];

export type ReadContacts = { contacts: AppendedContact[] } | { fault: string };

/** Reads the contacts of a CSV text with a header. The API checks their values. Other columns become variables. */
export function contactsOfCsv(text: string): ReadContacts {
  const [header = [], ...rows] = rowsOfCsv(text);
  const titles = header.map((title) => {
    const name = title.toLowerCase().replaceAll(' ', '_');
    return NAMES.includes(name) ? name : title;
  });
  const missing = ['name', 'phone_number'].filter((name) => !titles.includes(name));
  if (missing.length > 0)
    return { fault: `The first line must contain the columns ${missing.join(' and ')}.` };
  if (rows.length === 0) return { fault: 'There are no contacts below the first line.' };
  if (rows.length > MAX_APPENDED)
    return { fault: `There are ${rows.length} contacts. Add more than ${MAX_APPENDED} with a contact list.` };
  return { contacts: rows.map((cells) => contactOf(titles, cells)) };
}

function contactOf(titles: readonly string[], cells: readonly string[]): AppendedContact {
  const filled = new Map(titles.map((title, index) => [title, cells[index] ?? '']));
  const valueOf = (name: string): string => filled.get(name) ?? '';
  return {
    name: valueOf('name'),
    phone_number: valueOf('phone_number'),
    ...(Object.fromEntries(
      FIELDS.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== ''),
    ) as Partial<Record<(typeof FIELDS)[number], string>>),
    metadata: Object.fromEntries([...filled].filter(([title]) => title !== '' && !NAMES.includes(title))),
  };
}
