import { CFB } from '@e965/xlsx';
import { Workbook, type CellValue } from 'exceljs';
import type { ContactFileRefusal, SheetRow } from '../../api/campaigns/contact-file/result';
import { readWorkbook } from '../../api/campaigns/contact-file/workbook/read-workbook';
import { xlsxSheets } from '../../api/campaigns/contact-file/workbook/xlsx-sheets';
import { xlsSheets } from '../../api/campaigns/contact-file/workbook/xls-sheets';
import { rawXlsx, rowXml, sheetXml, xlsOf, xlsxOf, type Row } from './support/workbook';

const HEADER = ['name', 'phone', 'note'];
const ASHA: Row = ['Asha', 9876543210, 'x'];

const readXlsx = (content: Buffer) => readWorkbook(content, xlsxSheets);
const readXls = (content: Buffer) => readWorkbook(content, xlsSheets);
const rowsOf = (result: SheetRow[] | ContactFileRefusal) =>
  Array.isArray(result) ? result.map(({ row, cells }) => [row, ...cells]) : result;

/** Reads a cell under `note`. */
async function noteOf(value: CellValue, numFmt?: string): Promise<unknown> {
  const content = await xlsxOf([HEADER, ['Asha', 9876543210]], (sheet) => {
    const cell = sheet.getCell('C2');
    cell.value = value;
    if (numFmt !== undefined) cell.numFmt = numFmt;
  });
  const result = await readXlsx(content);
  return Array.isArray(result) ? result[1]?.cells[2] : result.details;
}

describe.each([
  ['xlsx', xlsxOf, readXlsx],
  ['xls', (rows: Row[]) => Promise.resolve(xlsOf(rows)), readXls],
])('an .%s workbook', (_format, write, read) => {
  test('returns the digits of numbers in any format of the spreadsheet', async () => {
    const numbers: Row = [919876543210, 9876543210.0, 7, -3.5, 0.1 + 0.2, 123456789012345, 1e-7];
    const rows = await read(await write([['name', 'phone', 'a', 'b', 'c', 'd', 'e'], numbers]));
    expect(rowsOf(rows)).toEqual([
      expect.anything(),
      [2, '919876543210', '9876543210', '7', '-3.5', '0.3', '123456789012345', '0.0000001'],
    ]);
  });

  test('returns dates as ISO text and booleans as words', async () => {
    const day = new Date(Date.UTC(2026, 10, 2));
    const instant = new Date(Date.UTC(2026, 10, 2, 10, 30, 5));
    const rows = await read(
      await write([
        ['name', 'phone', 'a', 'b', 'c', 'd'],
        ['A', 1, day, instant, true, false],
      ]),
    );
    expect(rowsOf(rows)).toEqual([
      expect.anything(),
      [2, 'A', '1', '2026-11-02', '2026-11-02T10:30:05', 'true', 'false'],
    ]);
  });

  test('keeps text unchanged', async () => {
    const texts = [' आशा 🙂 ', '007', '=1+1', 'a\nb', '<b>&amp;"', "O'Neil", '9.19877E+11', 'a\\b'];
    const rows = await read(await write([['name', 'phone', 'c', 'd', 'e', 'f', 'g', 'h'], texts]));
    expect(rowsOf(rows)).toEqual([expect.anything(), [2, ...texts]]);
  });

  test('keeps multi-byte letters anywhere in the file', async () => {
    const people = Array.from({ length: 3_000 }, (_none, index): Row => [
      `व्यक्ति ${index}`,
      `98765${String(index).padStart(5, '0')}`,
    ]);
    const rows = await read(await write([['name', 'phone'], ...people]));
    expect(Array.isArray(rows) && rows.slice(1).map(({ cells }) => cells)).toEqual(people);
  });

  test("skips blank rows and keeps the spreadsheet's row numbers", async () => {
    const rows = await read(await write([[], [null, ' '], HEADER, [], ASHA, ['  ', null], ['Ravi', 1]]));
    expect(rowsOf(rows)).toEqual([
      [3, ...HEADER],
      [5, 'Asha', '9876543210', 'x'],
      [7, 'Ravi', '1', ''],
    ]);
  });

  test('keeps cells beyond the header so that they are rejected, but ignores blank columns there', async () => {
    const rows = await read(
      await write([
        [...HEADER, null, ' '],
        [...ASHA, '', null],
        [...ASHA, null, 'more'],
      ]),
    );
    expect(rowsOf(rows)).toEqual([
      [1, ...HEADER],
      [2, 'Asha', '9876543210', 'x'],
      [3, 'Asha', '9876543210', 'x', '', 'more'],
    ]);
  });

  test('keeps an empty column before the header', async () => {
    const rows = await read(
      await write([
        [null, 'name', 'phone'],
        [null, 'Asha', 1],
      ]),
    );
    expect(rowsOf(rows)).toEqual([
      [1, '', 'name', 'phone'],
      [2, '', 'Asha', '1'],
    ]);
  });

  test('finds no contacts in a workbook without rows', async () => {
    expect(await read(await write([[]]))).toMatchObject({ code: 'NO_CONTACTS' });
  });

  test('names the missing columns of a workbook', async () => {
    const result = await read(await write([['title', 'phone'], ASHA]));
    expect(result).toMatchObject({ code: 'INVALID_CONTACT_FILE', details: [{ row: 1, column: 'name' }] });
  });

  test('reads up to one contact beyond the maximum', async () => {
    const people = Array.from({ length: 12_000 }, (_none, index): Row => ['A', index]);
    const rows = await read(await write([['name', 'phone'], ...people]));
    expect(rows).toHaveLength(10_002);
  });
});

describe('an .xlsx beyond a limit', () => {
  test('rejects more columns than an agent can have variables', async () => {
    const wide = Array.from({ length: 1_001 }, (_none, index) => ['name', 'phone'][index] ?? `c${index}`);
    expect(await readXlsx(await xlsxOf([wide]))).toMatchObject({
      details: [{ row: 1, column: null, reason: expect.stringContaining('1001 columns') }],
    });
  });

  test('rejects a row longer than 64 KiB', async () => {
    const long = 'x'.repeat(30_000);
    const result = await readXlsx(
      await xlsxOf([
        ['name', 'phone', 'a', 'b', 'c'],
        ['A', 1, long, long, long],
      ]),
    );
    expect(result).toMatchObject({ details: [{ row: 2, column: null, reason: 'is longer than 64 KiB' }] });
  });

  test('rejects a long shared text that many rows repeat', async () => {
    const long = 'x'.repeat(30_000);
    const people = Array.from({ length: 1_000 }, (_none, index): Row => ['A', index, long]);
    const result = await readXlsx(await xlsxOf([HEADER, ...people]));
    expect(result).toMatchObject({ message: expect.stringContaining('more than 10 MiB of text') });
  });

  test('rejects 25,000 rows, most of them blank', async () => {
    const blank = Array.from({ length: 25_000 }, (_none, index) => rowXml(index + 2, [' ']));
    const data = sheetXml(rowXml(1, ['name', 'phone']) + blank.join('') + rowXml(25_002, ['Asha', '1']));
    expect(await readXlsx(rawXlsx({ data }))).toMatchObject({
      message: expect.stringContaining('most of them blank'),
    });
  });
});

describe('a cell of a workbook', () => {
  test.each<[string, CellValue, string | undefined, unknown]>([
    ['with a formula as its stored value', { formula: 'A1&"!"', result: 'total' }, undefined, 'total'],
    [
      'with a formula of a number as its digits',
      { formula: '1*1', result: 919876543210 },
      undefined,
      '919876543210',
    ],
    ['with a formula of nothing as empty', { formula: 'IF(1,"")', result: '' }, undefined, ''],
    ['with a formula that was never calculated as empty', { formula: '1+1' }, undefined, ''],
    ['with a formula of a date as a date', { formula: 'TODAY()', result: 46328 }, 'dd/mm/yyyy', '2026-11-02'],
    [
      'of rich text as its text',
      { richText: [{ text: 'a' }, { font: { bold: true }, text: 'b' }] },
      undefined,
      'ab',
    ],
    [
      'with a link as its visible text',
      { text: 'Asha', hyperlink: 'mailto:asha@example.com' },
      undefined,
      'Asha',
    ],
    ['with a number in a custom format as its digits', 1234.5, '#,##0.00 "days"', '1234.5'],
    ['with a percentage as the number', 0.15, '0%', '0.15'],
    ['with a time of day as the time', 0.4375, 'hh:mm', '10:30:00'],
    ['with an escaped character as that character', 'a_x000D_b', undefined, 'a\rb'],
  ])('reads a cell %s', async (_title, value, numFmt, expected) => {
    expect(await noteOf(value, numFmt)).toBe(expected);
  });

  test.each<[string, CellValue]>([
    ['with an error', { error: '#N/A' }],
    ['with a formula that failed', { formula: '1/0', result: { error: '#N/A' } }],
  ])('reports the fault of a cell %s', async (_title, value) => {
    expect(await noteOf(value)).toEqual([
      { row: 2, column: 'note', value: null, reason: 'contains the formula error #N/A' },
    ]);
  });

  test('reads errors and formulas of an .xls as in an .xlsx', async () => {
    const good = xlsOf([HEADER, ASHA], (sheet) => (sheet.C2 = { t: 'n', v: 42, f: '6*7' }));
    expect(rowsOf(await readXls(good))).toEqual([expect.anything(), [2, 'Asha', '9876543210', '42']]);
    const bad = xlsOf([HEADER, ASHA], (sheet) => (sheet.C2 = { t: 'e', v: 0x2a }));
    expect(await readXls(bad)).toMatchObject({
      details: [{ row: 2, column: 'note', reason: 'contains the formula error #N/A' }],
    });
  });

  test('reports a NUL in a cell as a fault', async () => {
    expect(await noteOf('a_x0000_b')).toMatchObject([
      { row: 2, reason: 'contains a NUL character or an unpaired surrogate, which cannot be stored' },
    ]);
    const xls = xlsOf([HEADER, ['Asha', 1, 'a\0b']]);
    expect(await readXls(xls)).toMatchObject({ details: [{ row: 2, column: 'note' }] });
  });

  test('repeats a vertically merged cell in each row, and keeps a horizontally merged one in its first column', async () => {
    const rows: Row[] = [HEADER, ['Asha', 1, 'Pune'], ['Ravi', 2], ['Mina', 3], ['Joy', 4]];
    const expected = [
      [1, ...HEADER],
      [2, 'Asha', '1', 'Pune'],
      [3, 'Ravi', '2', 'Pune'],
      [4, 'Mina', '3', ''],
      [5, 'Joy', '4', ''],
    ];
    const xlsx = await xlsxOf(rows, (sheet) => {
      sheet.mergeCells('C2:C3');
      sheet.mergeCells('B5:C5');
    });
    expect(rowsOf(await readXlsx(xlsx))).toEqual(expected);
    const xls = xlsOf(rows, (sheet) => {
      sheet['!merges'] = [
        { s: { r: 1, c: 2 }, e: { r: 2, c: 2 } },
        { s: { r: 4, c: 1 }, e: { r: 4, c: 2 } },
      ];
    });
    expect(rowsOf(await readXls(xls))).toEqual(expected);
  });
});

describe('the sheet that is read', () => {
  const others = async (first: (workbook: Workbook) => void) => {
    const workbook = new Workbook();
    first(workbook);
    return Buffer.from(await workbook.xlsx.writeBuffer());
  };

  test('reads the first sheet in tab order that names both columns', async () => {
    const content = await others((workbook) => {
      workbook.addWorksheet('Notes').addRow(['how to fill this in']);
      workbook.addWorksheet('Empty');
      workbook.addWorksheet('People').addRows([HEADER, ASHA]);
      workbook.addWorksheet('More').addRows([HEADER, ['Ravi', 1, 'y']]);
    });
    expect(rowsOf(await readXlsx(content))).toEqual([
      [1, ...HEADER],
      [2, 'Asha', '9876543210', 'x'],
    ]);
  });

  test('skips hidden sheets', async () => {
    const content = await others((workbook) => {
      workbook.addWorksheet('Old', { state: 'hidden' }).addRows([HEADER, ['Old', 1, 'y']]);
      workbook.addWorksheet('Older', { state: 'veryHidden' }).addRows([HEADER, ['Older', 1, 'y']]);
      workbook.addWorksheet('People').addRows([HEADER, ASHA]);
    });
    expect(rowsOf(await readXlsx(content))).toEqual([expect.anything(), [2, 'Asha', '9876543210', 'x']]);
  });

  test('reads a sheet that follows one with too many rows', async () => {
    const content = await others((workbook) => {
      workbook.addWorksheet('Data').addRows(Array.from({ length: 26_000 }, () => ['a']));
      workbook.addWorksheet('People').addRows([HEADER, ASHA]);
    });
    expect(rowsOf(await readXlsx(content))).toEqual([expect.anything(), [2, 'Asha', '9876543210', 'x']]);
  });

  test('reports the first sheet with content if none qualifies', async () => {
    const content = await others((workbook) => {
      workbook.addWorksheet('Empty');
      workbook.addWorksheet('A').addRows([['phone'], [1]]);
      workbook.addWorksheet('B').addRows([['name'], ['Asha']]);
    });
    expect(await readXlsx(content)).toMatchObject({ details: [{ row: 1, column: 'name' }] });
  });
});

describe('a workbook of another program', () => {
  const TWO = [
    ['name', 'phone'],
    ['Asha', '9876543210'],
  ];
  const expected = TWO.map((cells, index) => [index + 1, ...cells]);
  const twoRows = TWO.map((cells, index) => rowXml(index + 1, cells)).join('');

  test('accepts a million formatted but empty rows', async () => {
    const empty = Array.from(
      { length: 300_000 },
      (_none, index) => `<row r="${index + 3}" s="1"><c r="A${index + 3}" s="1"/></row>`,
    );
    expect(rowsOf(await readXlsx(rawXlsx({ data: sheetXml(twoRows + empty.join('')) })))).toEqual(expected);
  });

  test('accepts prefixed elements', async () => {
    const prefixed = sheetXml(twoRows).replace(/<(\/?)(?=\w)/g, '<$1x:');
    expect(rowsOf(await readXlsx(rawXlsx({ data: prefixed })))).toEqual(expected);
  });

  test('accepts ISO dates', async () => {
    const data = sheetXml(
      `${rowXml(1, ['name', 'phone', 'due'])}<row r="2"><c r="A2" t="str"><v>A</v></c><c r="B2"><v>1</v></c><c r="C2" s="0" t="d"><v>2026-11-02</v></c></row>`,
    );
    expect(rowsOf(await readXlsx(rawXlsx({ data })))).toEqual([
      expect.anything(),
      [2, 'A', '1', '2026-11-02'],
    ]);
  });

  test("ignores malformed parts that aren't read", async () => {
    const parts = [
      { name: 'xl/drawings/drawing1.xml', data: '<nonsense' },
      { name: 'xl/tables/table1.xml', data: '<nonsense' },
      { name: 'xl/media/image1.png', data: 'x' },
    ];
    expect(rowsOf(await readXlsx(rawXlsx({ data: sheetXml(twoRows) }, parts)))).toEqual(expected);
  });
});

describe('a broken workbook', () => {
  test.each<[string, () => Buffer, string]>([
    [
      'XML that breaks off',
      () => rawXlsx({ data: '<worksheet><sheetData><row r="1">' }),
      'cannot be read as a workbook',
    ],
    [
      'XML that is malformed',
      () => rawXlsx({ data: '<worksheet><sheetData><row <<' }),
      'cannot be read as a workbook',
    ],
    [
      'a part that is longer than the directory says',
      () => rawXlsx({ data: sheetXml(rowXml(1, ['x'.repeat(9_000)])), claimedSize: 100 }),
      'size differs from the declared one',
    ],
    [
      'bytes that are not UTF-8',
      () => rawXlsx({ data: Buffer.from([0x3c, 0xff, 0xfe, 0x3e]) }),
      'cannot be read as a workbook',
    ],
  ])('rejects %s', async (_title, content, reason) => {
    expect(JSON.stringify(await readXlsx(content()))).toContain(reason);
  });

  test('rejects an OLE file without a workbook', async () => {
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, '/WordDocument', Buffer.from('text'));
    expect(await readXls(CFB.write(file, { type: 'buffer' }))).toMatchObject({
      message: expect.stringContaining('not an Excel workbook'),
    });
  });

  test('rejects an .xlsx with a password, which makes it an OLE file', async () => {
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]));
    CFB.utils.cfb_add(file, '/EncryptedPackage', Buffer.alloc(64));
    expect(await readXls(CFB.write(file, { type: 'buffer' }))).toMatchObject({
      message: expect.stringContaining('password'),
    });
  });

  test('rejects a truncated OLE file', async () => {
    const content = xlsOf([HEADER, ASHA]);
    expect(await readXls(content.subarray(0, content.length / 2))).toMatchObject({
      code: 'INVALID_CONTACT_FILE',
    });
  });
});
