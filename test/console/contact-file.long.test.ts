import * as xlsx from '@e965/xlsx';
import { describeManager, type Manager } from './support/describe-manager';
import { fillCampaign } from './support/new-campaign';

const ROWS = [
  ['Full name', 'Mobile', 'city', 'city'],
  ['Asha', '+919876543210', 'Pune', ''],
  ...['Meera', 'Dev', 'Imran', 'Zoya', 'Kabir'].map((name, n) => [name, `987654322${n}`, 'Surat', '']),
];
const CLEAR = ROWS.map((cells) => cells.slice(0, 3));
const TWO_BAD = [...CLEAR, ['Ravi', '12', 'Delhi'], ['', '9876543212', 'Goa']];

const csvOf = (rows: string[][]): Buffer => Buffer.from(rows.map((cells) => cells.join(';')).join('\r\n'));

function xlsxOf(rows: string[][]): Buffer {
  const book = xlsx.utils.book_new(xlsx.utils.aoa_to_sheet(rows), 'Contacts');
  return xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

/** Simulates dropping a file on the page. */
async function drop({ page }: Manager['on'], name: string, content: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, base64]) => {
      const browser = globalThis as any;
      const bytes = Uint8Array.from(browser.atob(base64), (char: string) => char.charCodeAt(0));
      const transfer = new browser.DataTransfer();
      transfer.items.add(new browser.File([bytes], name));
      return transfer;
    },
    [name, content.toString('base64')] as const,
  );
  for (const event of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('.drop', event, { dataTransfer });
}

const tableOf = async ({ page }: Manager['on'], name: string) => {
  const table = page.getByRole('table', { name: `The first rows of ${name}` });
  await table.waitFor();
  const textsOf = (cells: string): Promise<string[]> => table.locator(cells).allTextContents();
  return { head: await textsOf('th'), cells: await textsOf('td') };
};

describeManager('a contact file dropped on a new campaign', ({ check }) => {
  check('shows the first rows of a CSV file at once, and the meaning of each column', async ({ on }) => {
    await on.reach('New campaign');
    await drop(on, 'contacts.csv', csvOf(CLEAR));
    expect(await tableOf(on, 'contacts.csv')).toEqual({
      head: ['nameFull name', 'phone numberMobile', 'variablecity'],
      cells: CLEAR.slice(1, 6).flat(),
    });
    await on.reads('The first 5 of 6 rows of contacts.csv');
    expect(await on.page.getByRole('alert').count()).toBe(0);
    expect(await on.axe()).toEqual([]);
  });

  check('shows the rows and the two errors of a workbook before any dry run', async ({ rig, on }) => {
    await on.reach('New campaign');
    await drop(on, 'contacts.xlsx', xlsxOf(TWO_BAD));
    await on.reads('2 errors in the file. Fix the file before you start the campaign.');
    await on.reads(/Row 8, Mobile: 12 /);
    await on.reads(/Row 9, Full name is empty/);
    const { head, cells } = await tableOf(on, 'contacts.xlsx');
    expect(head).toEqual(['nameFull name', 'phone numberMobile', 'variablecity']);
    expect(cells).toEqual(CLEAR.slice(1, 6).flat());
    await on.reads('The first 5 of 8 rows of contacts.xlsx');
    expect(await rig.api.db('contacts').where({ name: 'Meera' })).toEqual([]);
  });

  check('shows only the file that was dropped last, or why the API rejected that file', async ({ on }) => {
    await on.reach('New campaign');
    await drop(on, 'contacts.xlsx', xlsxOf(ROWS));
    await on.reads(/Row 1, city: city is a duplicate header/);
    expect((await tableOf(on, 'contacts.xlsx')).head.at(-1)).toBe('unclearcity');
    await drop(on, 'contacts.txt', csvOf(CLEAR));
    await on.reads('The contact file was rejected: its name must end in .csv, .xlsx or .xls');
    expect(await on.page.getByRole('table').count()).toBe(0);
  });

  check('lists the errors in a file once, even if the dry run finds them first', async ({ on }) => {
    const { page } = on;
    await on.reach('New campaign');
    let answer = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/contact-file/preview', (route) => isWanted.then(() => route.continue()));
    await drop(on, 'contacts.csv', csvOf(TWO_BAD));
    await fillCampaign(on, 'December check-ups');
    await on.press('Dry run');
    const faults = page.locator('.faults');
    await faults.waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    answer();
    await tableOf(on, 'contacts.csv');
    expect(await faults.count()).toBe(1);
    await on.reads('Still missing: a file without errors.');
  });

  check('reads a file again on a retry, after the connection failed', async ({ on }) => {
    await on.reach('New campaign');
    await on.page.route('**/contact-file/preview', (route) => route.abort(), { times: 1 });
    await drop(on, 'contacts.csv', csvOf(CLEAR));
    await on.press('Try again');
    await on.reads('The first 5 of 6 rows of contacts.csv');
  });
});
