/** Workbooks whose rows and cells have no addresses, which the format allows. */
import type { ContactFileRefusal, SheetRow } from '../../api/campaigns/contact-file/result';
import { readWorkbook } from '../../api/campaigns/contact-file/workbook/read-workbook';
import { xlsxSheets } from '../../api/campaigns/contact-file/workbook/xlsx-sheets';
import { rawXlsx, rowXml, sheetXml } from './support/workbook';

const readXlsx = (content: Buffer) => readWorkbook(content, xlsxSheets);
const rowsOf = (result: SheetRow[] | ContactFileRefusal) =>
  Array.isArray(result) ? result.map(({ row, cells }) => [row, ...cells]) : result;

describe('rows and cells without an address', () => {
  const bare = [rowXml(1, ['name', 'phone']), rowXml(2, ['Asha', '9876543210'])]
    .join('')
    .replace(/ r="\w+"/g, '');

  test('places a row or cell without an address after the previous one', async () => {
    expect(bare).toContain('<row><c t="str">');
    expect(rowsOf(await readXlsx(rawXlsx({ data: sheetXml(bare) })))).toEqual([
      [1, 'name', 'phone'],
      [2, 'Asha', '9876543210'],
    ]);
  });

  test('counts empty rows and cells in between, and continues after one with an address', async () => {
    const data = sheetXml(
      `<row/>${bare.replace('</row>', '<c/><c t="str"><v>due</v></c></row>')}` +
        '<row r="7"><c t="str"><v>Ravi</v></c><c r="B7"><v>9876543211</v></c><c/><c t="str"><v>now</v></c></row>' +
        '<row><c r="A8" t="str"><v>Devi</v></c><c t="str"><v>9876543212</v></c></row>',
    );
    expect(rowsOf(await readXlsx(rawXlsx({ data })))).toEqual([
      [2, 'name', 'phone', '', 'due'],
      [3, 'Asha', '9876543210', '', ''],
      [7, 'Ravi', '9876543211', '', 'now'],
      [8, 'Devi', '9876543212', '', ''],
    ]);
  });

  test('names columns with two letters after the 26th', async () => {
    const cells = Array.from({ length: 40 }, (_none, at) => `<c t="str"><v>c${at}</v></c>`).join('');
    const data = sheetXml(bare.replaceAll('</row>', `${cells}</row>`));
    const [header, row] = rowsOf(await readXlsx(rawXlsx({ data }))) as string[][];
    expect([header?.length, header?.at(-1), row?.at(-1)]).toEqual([43, 'c39', 'c39']);
  });

  test('rejects cells beyond the last column', async () => {
    const data = sheetXml(`<row>${'<c><v>1</v></c>'.repeat(16_385)}</row>`);
    expect(await readXlsx(rawXlsx({ data }))).toMatchObject({ code: 'INVALID_CONTACT_FILE' });
  });
});
