/** CSV files as Excel and similar programs save them. */
import { readContactFile } from '../../api/campaigns/contact-file/read-contact-file';
import { ORDINARY_TYPES } from '../../domain/phone-number';

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

test('uses the delimiter of sep= even if another one would give more columns', async () => {
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
