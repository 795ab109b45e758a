/** CSV files as Excel and similar programs save them. */
import { readContactFile } from '../../api/campaigns/contact-file/read-contact-file';
import { ORDINARY_TYPES } from '../../domain/phone-number';
import { readNumberFile } from '../../api/admin/number-file';
import type { ContactFileRefusal, SheetRow } from '../../api/campaigns/contact-file/result';
import { readWorkbook } from '../../api/campaigns/contact-file/workbook/read-workbook';
import { xlsxSheets } from '../../api/campaigns/contact-file/workbook/xlsx-sheets';
import { rawXlsx, rowXml, sheetXml } from './support/workbook';

const read = (content: string | Buffer) =>
  readContactFile({
    filename: 'contacts.csv',
    content: Buffer.from(content),
    rules: { allowedCountries: ['IN'], allowedNumberTypes: [...ORDINARY_TYPES] },
  });
const contactsOf = async (content: string | Buffer) => {
  const result = await read(content);
  return 'contacts' in result
    ? result.contacts.map(({ row, name, phoneNumber, variables }) => [
        row,
        name,
        phoneNumber,
        ...Object.entries(variables).flat(),
      ])
    : result;
};
const faultsOf = async (content: string | Buffer) => {
  const result = await read(content);
  return 'contacts' in result ? [] : result.details.map(({ row, column, reason }) => [row, column, reason]);
};

const ASHA = [[2, 'Asha', '+919812345600']];

test.each<[string, string]>([
  ['a semicolon', 'sep=;\r\nname;phone_number\r\nAsha;9812345600\r\n'],
  ['a semicolon and Unix line ends', 'sep=;\nname;phone_number\nAsha;9812345600\n'],
  ['a semicolon and old Mac line ends', 'sep=;\rname;phone_number\rAsha;9812345600\r'],
  ['a comma', 'sep=,\r\nname,phone_number\r\nAsha,9812345600'],
  ['a tab', 'sep=\t\r\nname\tphone_number\r\nAsha\t9812345600'],
  ['a bar', 'sep=|\r\nname|phone_number\r\nAsha|9812345600'],
  ['a caret', 'sep=^\nname^phone_number\nAsha^9812345600'],
  ['a character of two bytes', 'sep=§\nname§phone_number\nAsha§9812345600'],
  ['quotes around it', '"sep=;"\r\nname;phone_number\r\nAsha;9812345600\r\n'],
  ['capitals', 'SEP=;\r\nname;phone_number\r\nAsha;9812345600\r\n'],
  ['a byte order mark', '\ufeffsep=;\r\nname;phone_number\r\nAsha;9812345600\r\n'],
  ['a byte order mark and quotes', '\ufeff"sep=;"\r\n"name";"phone_number"\r\n"Asha";"9812345600"\r\n'],
  [
    'many rows of delimiters at the end',
    `sep=|\nname|phone_number\nAsha|9812345600\n${'|\n'.repeat(30_000)}`,
  ],
])('skips a first line sep= with %s, and numbers rows as the spreadsheet does', async (_what, content) => {
  expect(await contactsOf(content)).toEqual(ASHA);
});

test('uses the delimiter of sep= even if a different delimiter would yield more columns', async () => {
  expect(await contactsOf('sep=;\nname;phone;"a,b,c,d"\nAsha;9812345600;x')).toEqual([
    [...(ASHA[0] ?? []), 'a,b,c,d', 'x'],
  ]);
  expect(await faultsOf('sep=,\nname;phone\nAsha;9812345600')).toContainEqual([
    1,
    'name',
    expect.stringContaining('missing'),
  ]);
});

test.each([
  ['alone', 'sep=;\r\n'],
  ['with a header', 'sep=;\r\nname;phone\r\n'],
])('finds no contacts after a first line sep= %s', async (_what, content) => {
  expect(await read(content)).toMatchObject({ code: 'NO_CONTACTS' });
});

test('reads a header that begins with sep= and a letter as a header', async () => {
  expect(await contactsOf('sep=a,name,phone\nx,Asha,9812345600')).toEqual([
    [...(ASHA[0] ?? []), 'sep=a', 'x'],
  ]);
});

test.each<[string, string, string]>([
  ['="0123" without quotes around it', 'name,phone,code\nAsha,="9812345600",="0123"', '0123'],
  ['="0123" in a quoted cell', 'name,phone,code\nAsha,"=""9812345600""","=""0123"""', '0123'],
  ['="" that is empty', 'name,phone,code\nAsha,9812345600,=""', ''],
  ['a delimiter in it', 'name,phone,code\nAsha,9812345600,="a,b"', 'a,b'],
  ['a quote in it', 'name,phone,code\nAsha,9812345600,"=""a""""b"""', 'a"b'],
  ['another formula', 'name,phone,code\nAsha,9812345600,=1+1', '=1+1'],
  ['the same text inside a quoted cell', 'name,phone,code\nAsha,9812345600,"a,=""b"""', 'a,="b"'],
  ['a line break in a quoted cell', 'name,phone,code\nAsha,9812345600,"a\r\nb"', 'a\r\nb'],
  ['a decimal comma', 'name;phone;code\nAsha;9812345600;12,50', '12,50'],
  ['tabs in a .csv', 'name\tphone\tcode\nAsha\t9812345600\t12,50', '12,50'],
  [
    'more digits than a double has',
    'name,phone,code\nAsha,9812345600,12345678901234567890',
    '12345678901234567890',
  ],
  ['an apostrophe', "name,phone,code\nAsha,'9812345600,'tis", "'tis"],
  ['a number sign', 'name,phone,code\nAsha,9812345600,#12', '#12'],
  ['decimals of a number cell', 'name;phone;code\nAsha;9812345600,00;x', 'x'],
])('reads %s as Excel shows it', async (_what, content, code) => {
  expect(await contactsOf(content)).toEqual([[2, 'Asha', '+919812345600', 'code', code]]);
});

test('removes invisible characters from titles, names and numbers, but keeps the joiners of Hindi', async () => {
  const content =
    '\u200bna\u200bme\u00a0,\u2060Phone\u00a0Number\u200d,due\u00a0date,क्\u200dष\n' +
    '\u202aAsha\u00a0Rao\u202c,\u202a+91\u00a098123\u200b45600\u202c,May,x';
  expect(await contactsOf(content)).toEqual([
    [2, 'Asha Rao', '+919812345600', 'due date', 'May', 'क्\u200dष', 'x'],
  ]);
  expect(await faultsOf('name,phone\n\u200b,9812345600')).toEqual([[2, 'name', 'is empty']]);
});

test.each<[string, string]>([
  ['after the header and every row', 'name,phone,,\r\nAsha,9812345600,,\r\n,,,\r\n'],
  ['in the header only', 'name,phone,,\r\nAsha,9812345600\r\n'],
  ['in a row only', 'name,phone\r\nAsha,9812345600,,\r\n'],
  ['up to column 16,384', `name,phone${','.repeat(16_382)}\r\nAsha,9812345600${','.repeat(16_382)}\r\n`],
])('ignores empty columns %s', async (_where, content) => {
  expect(await contactsOf(content)).toEqual(ASHA);
});

test.each<[string, string | Buffer, unknown[]]>([
  [
    'a rounded number',
    'name,phone\nAsha,9.19E+11',
    [2, 'phone', expect.stringContaining('format the column as text')],
  ],
  [
    'a rounded number with a plus',
    'name,phone\nAsha,+9.19E+11',
    [2, 'phone', expect.stringContaining('as text')],
  ],
  [
    'a rounded number with a decimal comma',
    'name;phone\nAsha;9,19E+11',
    [2, 'phone', expect.stringContaining('as text')],
  ],
  [
    'a column that was too narrow',
    'name,phone,due\nAsha,9812345600,########',
    [2, 'due', expect.stringContaining('widen the column')],
  ],
  ['an error', 'name,phone,due\nAsha,9812345600,#N/A', [2, 'due', 'contains the formula error #N/A']],
  [
    'Windows-1252',
    Buffer.from('name,phone\nJos\xe9,9812345600', 'latin1'),
    [2, 'name', 'is not encoded in UTF-8; save the file as CSV UTF-8'],
  ],
  ['U+FFFD', 'name,phone\nJos\ufffd,9812345600', [2, 'name', expect.stringContaining('U+FFFD')]],
  [
    'a title above an empty column that is used',
    'name,phone,\nAsha,9812345600,x',
    [1, null, 'has an empty header in column 3'],
  ],
])('rejects %s and says how to fix it', async (_what, content, fault) => {
  expect(await faultsOf(content)).toEqual([fault]);
});

test('rejects UTF-16 with sep= and says how to fix it', async () => {
  const content = Buffer.from('\ufeffsep=;\r\nname;phone\r\nAsha;9812345600', 'utf16le');
  expect(await read(content)).toMatchObject({ message: expect.stringContaining('save it as CSV UTF-8') });
});

describe('a file of numbers', () => {
  const read = (text: string, column: string | null = null) => readNumberFile(Buffer.from(text), column);

  test.each([
    ['numbers without a title', '9876543210\n9876543211'],
    ['a title and one column', 'Phone Number\n9876543210\n9876543211'],
    ['a column among others, by any of its usual names', 'id,Mobile-Number\n1,9876543210\n2,9876543211'],
    ['semicolons', 'name;phone\nAsha;9876543210\nRavi;9876543211'],
    ['tabs', 'name\tmsisdn\nAsha\t9876543210\nRavi\t9876543211'],
    ['a byte order mark and Windows line ends', '\ufeffphone\r\n9876543210\r\n9876543211\r\n'],
    ['blank lines, even before the title', '\n\nphone\n\n9876543210\n\n9876543211\n\n'],
    ['a comma after each number', '9876543210,\n9876543211,'],
    ['a name with the delimiter in quotes', 'name,phone\n"Rao, Asha",9876543210\n"Das\nRavi",9876543211'],
    [
      'numbers as a spreadsheet writes them',
      'phone\n9876543210.0\n="9876543211"'.replace('="', '').replace('"', ''),
    ],
  ])('reads %s', (_title, text) => {
    expect(read(text)).toEqual({ numbers: ['+919876543210', '+919876543211'], duplicates: 0, faults: [] });
  });

  test('numbers rows as the spreadsheet does', () => {
    const { faults } = read('name,phone\n"two\nlines",9876543210\n\nAsha,1\n');
    expect(faults).toEqual([{ row: 4, reason: expect.any(String) }]);
  });

  test('finds no number in a row that is too short', () => {
    expect(read('name,phone\nAsha').faults).toEqual([{ row: 2, reason: 'is empty' }]);
  });

  test.each([
    ['two possible columns', 'phone,mobile\n1,2', null, 'Several columns may contain the numbers'],
    ['several columns without a usual title', 'a,b\n1,2', null, 'No column is named phone_number'],
    ['a missing column', 'phone\n9876543210', 'Tel', 'no column with the title given by --column'],
    ['a quote that is never closed', 'phone\n"9876543210\n', null, 'Row 2 is not valid CSV'],
  ])('rejects %s', (_title, text, column, message) => {
    expect(() => read(text, column)).toThrow(message);
  });

  test('uses --column to choose between two possible columns', () => {
    expect(read('phone,mobile\n9876543210,9876543211', 'mobile').numbers).toEqual(['+919876543211']);
  });
});

/** Workbooks whose rows and cells have no addresses, which the format allows. */
describe('a workbook', () => {
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
});
