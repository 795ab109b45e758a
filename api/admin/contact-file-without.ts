import {
  contactsOfFile,
  setContactFile,
  type FileContact,
  type PersonCampaign,
} from '../../db/clients/people';
import type { Db } from '../../db/kernel/connection';
import { contactFileKey, type FileStorage } from '../dependencies/stored-files';

/**
 * Replaces a campaign's contact file by one without a person: made anew from the campaign's contacts, as CSV whatever it was before, as a
 * spreadsheet also holds what its editor left in it. Their line stays empty, so that the numbers of the rows stay. False where no file is left.
 */
export async function contactFileWithout(
  db: Db,
  storage: FileStorage,
  { campaignId, contactFileKey: oldKey }: PersonCampaign,
  number: string,
): Promise<boolean> {
  if ((await storage.get(oldKey)) === undefined) return false;
  const { columns, contacts } = await contactsOfFile(db, campaignId);
  const key = contactFileKey(campaignId, 'csv');
  await storage.put(key, Buffer.from(csvOf(columns, contacts, number)));
  if (key === oldKey) return true;
  // The campaign knows the new one before the old one goes, and the contact is there until both are done: a run that dies here is run again.
  await setContactFile(db, campaignId, key);
  await storage.remove(oldKey);
  return true;
}

function csvOf(columns: readonly string[], contacts: readonly FileContact[], number: string): string {
  const lines = [['name', 'phone_number', ...columns].map(field).join(',')];
  for (const contact of contacts) {
    // Lines that the upload left out, as they were empty.
    while (lines.length < contact.row - 1) lines.push('');
    lines.push(contact.phoneNumber === number ? '' : lineOf(columns, contact));
  }
  return `${lines.join('\r\n')}\r\n`;
}

const lineOf = (columns: readonly string[], { name, phoneNumber, variables }: FileContact): string =>
  [name, phoneNumber, ...columns.map((column) => variables[column])].map(field).join(',');

function field(value: unknown): string {
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
