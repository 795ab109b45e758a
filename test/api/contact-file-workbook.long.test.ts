/** Uploaded workbooks, checked and then read in the process that `npm run build` compiled. */
import { ORDINARY_TYPES } from '../../domain/phone-number';
import { randomBytes } from 'node:crypto';
import { readContactFile } from '../../api/campaigns/contact-file/read-contact-file';
import { readInProcess } from '../../api/campaigns/contact-file/workbook/reader-process';
import { readWorkbook } from '../../api/campaigns/contact-file/workbook/read-workbook';
import { xlsxSheets } from '../../api/campaigns/contact-file/workbook/xlsx-sheets';
import { refuseZip } from '../../api/campaigns/contact-file/workbook/workbook-package';
import { rawXlsx, rowXml, sheetXml, writtenXlsx, xlsOf, xlsxOf, type Row } from './support/workbook';
import { zipOf } from './support/zip';

const rules = { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] };
const read = (content: Buffer, filename = 'contacts.xlsx') => readContactFile({ filename, content, rules });
const people = (count: number): Row[] =>
  Array.from({ length: count }, (_none, index) => [`Person ${index}`, 9_876_500_000 + index, 'Pune']);
const HEADER = ['Full Name', 'Mobile', 'city'];
const MIB = 1024 * 1024;

jest.setTimeout(60_000);

const FORMATS: [string, (rows: Row[]) => Promise<Buffer>][] = [
  ['csv', (rows) => Promise.resolve(Buffer.from(rows.map((row) => row.join(',')).join('\n')))],
  ['xlsx', (rows) => xlsxOf(rows)],
  ['xls', (rows) => Promise.resolve(xlsOf(rows))],
];

describe.each(FORMATS)('an .%s workbook', (format, write) => {
  const readRows = async (rows: Row[]) => read(await write(rows), `contacts.${format}`);

  test('reads a single contact, and returns its other columns as text', async () => {
    expect(await readRows([HEADER, ['Asha', 919876543210, 7]])).toEqual({
      format,
      columns: ['city'],
      contacts: [
        {
          row: 2,
          name: 'Asha',
          phoneNumber: '+919876543210',
          ...{ variables: { city: '7' }, timezone: null, language: null, duplicateOf: null },
        },
      ],
    });
  });

  test('reads a workbook with 10,000 contacts, and rejects one with 10,001', async () => {
    const accepted = await readRows([HEADER, ...people(10_000)]);
    if (!('contacts' in accepted)) throw new Error(accepted.message);
    expect([accepted.contacts.length, accepted.contacts.at(-1)?.row]).toEqual([10_000, 10_001]);
    expect(await readRows([HEADER, ...people(10_001)])).toMatchObject({ code: 'TOO_MANY_CONTACTS' });
  });

  test('finds no contacts in a workbook with only a header', async () => {
    expect(await readRows([HEADER])).toMatchObject({ code: 'NO_CONTACTS' });
  });

  test.each([
    ['a malformed number', [HEADER, ['Asha', 12, '']], { row: 2, column: 'Mobile', value: '12' }],
    ['an empty name', [HEADER, [null, 9876543210, 'x']], { row: 2, column: 'Full Name', reason: 'is empty' }],
    ['more cells than headers', [HEADER, ['Asha', 9876543210, 'x', 'y']], { row: 2, column: null }],
    [
      'a header twice',
      [
        [...HEADER, 'city'],
        ['Asha', 9876543210, 'x', 'y'],
      ],
      { row: 1, column: 'city' },
    ],
    [
      'a header that reaches the prototype',
      [
        [...HEADER, '__proto__'],
        ['Asha', 9876543210, 'x', 'y'],
      ],
      { row: 1 },
    ],
    [
      'two columns for the number',
      [
        ['name', 'phone', 'mobile'],
        ['Asha', 9876543210, 1],
      ],
      { row: 1 },
    ],
  ] as [string, Row[], object][])('rejects a workbook with %s', async (_title, rows, fault) => {
    expect(await readRows(rows)).toMatchObject({ code: 'INVALID_CONTACT_FILE', details: [fault] });
  });
});

test('recognizes a workbook by its content, even if the file name is wrong', async () => {
  const content = await xlsxOf([HEADER, ['Asha', 9876543210, 'Pune']]);
  expect(await read(content, 'contacts.csv')).toMatchObject({ format: 'xlsx' });
  expect(await read(content, 'contacts.xls')).toMatchObject({ format: 'xlsx' });
  expect(await read(xlsOf([HEADER, ['Asha', 9876543210, 'Pune']]), 'contacts.xlsx')).toMatchObject({
    format: 'xls',
  });
});

test('reads numbers in all four notations, as text or as numbers', async () => {
  const forms = [
    '+919876543210',
    '919876543211',
    '09876543212',
    '9876543213',
    919876543214,
    9876543215,
    '98765 43216',
    '9876543217.0',
  ];
  const result = await read(await xlsxOf([['name', 'phone'], ...forms.map((form): Row => ['Asha', form])]));
  expect('contacts' in result && result.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual(
    forms.map((_form, index) => `+91987654321${index}`),
  );
});

describe('a zip', () => {
  const rows = rowXml(1, ['name', 'phone']) + rowXml(2, ['Asha', '9876543210']);
  const sheet = { data: sheetXml(rows) };

  test.each<[string, () => Buffer, string]>([
    [
      'that unpacks to a thousand times its size',
      () => rawXlsx({ data: sheetXml(rows + ' '.repeat(20 * MIB)) }),
      '100 times its size',
    ],
    [
      'with such a part that is never read',
      () => rawXlsx(sheet, [{ name: 'xl/media/a.png', data: Buffer.alloc(20 * MIB) }]),
      '100 times its size',
    ],
    [
      'whose parts are too large together',
      () =>
        rawXlsx(
          sheet,
          Array.from({ length: 20 }, (_none, index) => ({
            name: `xl/p${index}`,
            data: randomBytes(70_000),
            claimedSize: 4 * MIB,
          })),
        ),
      'more than 64 MiB',
    ],
    [
      'of more parts than a workbook has',
      () =>
        rawXlsx(
          sheet,
          Array.from({ length: 1_001 }, (_none, index) => ({ name: `xl/p${index}`, data: 'x' })),
        ),
      'more than 1,000 parts',
    ],
    [
      'that contains a part twice',
      () => rawXlsx(sheet, [{ name: 'xl/workbook.xml', data: '<workbook/>' }]),
      'contains the same part twice',
    ],
    ['that is encrypted', () => rawXlsx({ ...sheet, isEncrypted: true }), 'encrypted'],
    ['that is truncated', () => rawXlsx(sheet).subarray(0, 300), 'damaged'],
    ['that leaves its folder', () => rawXlsx(sheet, [{ name: '../../etc/passwd', data: 'x' }]), 'damaged'],
  ])('rejects a zip %s before a process starts for it', async (_title, content, reason) => {
    expect(await refuseZip(content())).toMatchObject({
      code: 'INVALID_CONTACT_FILE',
      message: expect.stringContaining(reason),
    });
  });

  test.each<[string, () => Buffer, string]>([
    [
      'that is a text document',
      () => zipOf([{ name: 'word/document.xml', data: '<w/>' }]),
      'not an .xlsx workbook',
    ],
    [
      'of zips',
      () => zipOf([{ name: 'a.zip', data: zipOf([{ name: 'b', data: Buffer.alloc(20 * MIB) }]) }]),
      'not an .xlsx workbook',
    ],
    ['that is a binary workbook', () => zipOf([{ name: 'xl/workbook.bin', data: 'x' }]), 'save it as .xlsx'],
    [
      'with parts longer than declared',
      () => rawXlsx({ data: sheetXml(' '.repeat(50 * MIB)), claimedSize: 1_000 }),
      'size differs from the declared one',
    ],
    [
      'with a giant cell',
      () => rawXlsx({ data: sheetXml(rowXml(1, ['name', randomBytes(MIB).toString('base64')])) }),
      'too much text',
    ],
    [
      'with a giant shared text',
      () =>
        writtenXlsx({
          sheets: [sheet],
          strings: `<sst><si><t>${randomBytes(MIB).toString('base64')}</t></si></sst>`,
        }),
      'too much text',
    ],
  ])('rejects a zip %s while reading it', async (_title, content, reason) => {
    expect(await readWorkbook(content(), xlsxSheets)).toMatchObject({
      message: expect.stringContaining(reason),
    });
  });

  test('accepts a zip that is a workbook', async () => {
    expect(await refuseZip(rawXlsx(sheet))).toBeNull();
    expect(await refuseZip(await xlsxOf([HEADER, ...people(2_000)]))).toBeNull();
  });
});

describe('the reading process', () => {
  const limits = { maxHeapMib: 512, timeoutMs: 30_000 };
  const costly = {
    code: 'INVALID_CONTACT_FILE',
    message: expect.stringContaining('too much memory or time'),
  };

  test('returns the rows of a workbook', async () => {
    const content = xlsOf([HEADER, ['Asha', 1, 'x']]);
    expect(await readInProcess('xls', content, limits)).toEqual([
      { row: 1, cells: HEADER },
      { row: 2, cells: ['Asha', '1', 'x'] },
    ]);
  });

  test('kills the reading process when it takes too long', async () => {
    const content = await xlsxOf([HEADER, ...people(5_000)]);
    expect(await readInProcess('xlsx', content, { ...limits, timeoutMs: 1 })).toMatchObject(costly);
  });

  test('ends the reading process when it takes too much memory, without affecting the API', async () => {
    const text = 'x'.repeat(600);
    const cells = (row: number) =>
      [...'ABCDEFGHIJ'].map((letter) => `<c r="${letter}${row}" t="str"><v>${text}${letter}${row}</v></c>`);
    const wide = Array.from(
      { length: 10_000 },
      (_none, index) => `<row r="${index + 1}">${cells(index + 1).join('')}</row>`,
    );
    const content = rawXlsx({ data: sheetXml(wide.join('')) });
    expect(await readInProcess('xlsx', content, { ...limits, maxHeapMib: 48 })).toMatchObject(costly);
  });

  test.each([
    [
      'with a merge as large as the sheet',
      () =>
        rawXlsx({
          data: sheetXml(rowXml(1, ['name'])).replace(
            '</worksheet>',
            '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>',
          ),
        }),
      'is required but missing',
    ],
    [
      'with a row that no spreadsheet has',
      () => rawXlsx({ data: sheetXml(rowXml(1_000_000_000, ['name'])) }),
      'row numbers are out of range',
    ],
  ])('rejects a workbook %s', async (_title, content, reason) => {
    expect(await readInProcess('xlsx', content(), limits)).toMatchObject({
      message: expect.stringContaining(reason),
    });
  });

  test('passes no environment variables to the reading process', async () => {
    process.env.NODE_OPTIONS = '--no-such-option';
    const result = await readInProcess('xls', xlsOf([HEADER]), limits).finally(
      () => delete process.env.NODE_OPTIONS,
    );
    expect(result).toEqual([{ row: 1, cells: HEADER }]);
  });
});
