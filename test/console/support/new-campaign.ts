import type { ConsolePage } from './console-page';

/** Contact file in the format that Playwright's `setInputFiles` takes. */
const csv = (content: string) => ({
  name: 'contacts.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

export const BAD_FILE = csv(
  'name,phone_number,city\nAsha,+919876543210,Pune\nRavi,12,Delhi\n,9876543212,Goa\n',
);
export const FIXED_FILE = csv('name,phone_number,city\nAsha,+919876543210,Pune\nRavi,9876543211,Delhi\n');

/** Fills in all fields except the file. */
export async function fillCampaign({ page }: ConsolePage, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Agent').selectOption({ label: 'Check-up reminder' });
  await page.getByLabel('First day').fill('2026-11-02');
  await page.getByLabel('Last day').fill('2026-11-06');
  await page.getByLabel('From', { exact: true }).fill('09:30');
  await page.getByLabel('Until', { exact: true }).fill('16:00');
}
